import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Member } from "@stile/core/domain/account/member";
import { giveCookie, openAttacked } from "@stile/testkit/browser/attacked-page";
import { type BareProxy, startBareProxy } from "@stile/testkit/browser/bare-proxy";
import { launchAutomatedBrowser, QUIET } from "@stile/testkit/browser/browser";
import { CHROMIUM } from "@stile/testkit/browser/engines/chromium";
import { type ForeignSite, serveForeignSite } from "@stile/testkit/browser/foreign-site";
import { openWayIn, type WayIn } from "@stile/testkit/browser/ways-in";
import { newMember, newSession, PASSWORD } from "@stile/testkit/contract/dashboard";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";

/** After this pause, earlier sign-ins no longer count. */
const PAUSE_MS = 30 * 60_000;

const BOGUS = `__Host-stile=${"A".repeat(43)}`;

let way: WayIn;
let foreign: ForeignSite;
let proxy: BareProxy;
let browser: Browser;
/**
 * A browser with a back/forward cache, unlike Playwright's own. It also reaches the service under
 * another machine's name.
 */
let peoples: Browser;
let owner: Member;
let viewer: Member;

before(async () => {
  way = await openWayIn();
  foreign = await serveForeignSite();
  proxy = await startBareProxy(way.service.baseUrl);
  browser = await launchAutomatedBrowser();
  peoples = await chromium.launch({
    executablePath: CHROMIUM.file,
    args: [...QUIET, "--host-resolver-rules=MAP stile.test 127.0.0.1, MAP *.stile.test 127.0.0.1"],
    ignoreDefaultArgs: ["--disable-back-forward-cache"],
  });
  const [account] = await way.fixture.store.sites.listAccounts();
  owner = await newMember(way.fixture, account?.accountId ?? "", "owner");
  viewer = await newMember(way.fixture, account?.accountId ?? "", "viewer");
});

after(async () => {
  await peoples?.close();
  await browser?.close();
  await foreign?.stop();
  await proxy?.stop();
  await way?.service.dispose();
});

async function cookieOf(context: BrowserContext): Promise<string | undefined> {
  const held = await context.cookies(way.service.baseUrl);
  const [cookie, ...others] = held.filter(({ name }) => !name.endsWith("-device"));
  assert.deepEqual(others, []);
  return cookie && `${cookie.name}=${cookie.value}`;
}

/** The email of the member whose session a cookie holds. */
async function whoIs(cookie: string | undefined): Promise<string | undefined> {
  const { body } = await way.call("me", undefined, { from: "127.0.0.1", cookie });
  return (body.data.user as { email: string } | undefined)?.email;
}

/** Signs in at the open sign-in page, and waits until it has gone. */
async function signIn(page: Page, { email }: Member): Promise<void> {
  way.advance(PAUSE_MS);
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.waitForURL((url) => !url.pathname.endsWith("/sign-in"));
}

test("signing in never adopts a cookie that another port of this host planted (session fixation)", async () => {
  const { baseUrl } = way.service;
  const context = await browser.newContext();
  const page = await context.newPage();
  const { cookie: ofAttacker } = await newSession(way.fixture, viewer);
  for (const planted of [BOGUS, ofAttacker]) {
    // Ports share cookies (RFC 6265, 8.5), so this one arrives. It must not replace the owner's.
    foreign.cookies = [`${planted}; Path=/; Secure; HttpOnly; SameSite=Lax`];
    await page.goto(`${foreign.originOn("127.0.0.1")}/`);
    foreign.cookies = [];
    const held = (await context.cookies(baseUrl)).map(({ name, value }) => `${name}=${value}`);
    assert.ok(held.includes(planted), "the browser accepted the planted cookie");
    await page.goto(`${baseUrl}/dashboard/sign-in`);
    await signIn(page, owner);
    assert.notEqual(await cookieOf(context), planted);
    assert.equal(await whoIs(await cookieOf(context)), owner.email);
    assert.notEqual(await whoIs(planted), owner.email);
  }
  await context.close();
});

test("going back after signing out shows nothing of the account, in a browser with a back/forward cache", async () => {
  const page = await peoples.newPage();
  await giveCookie(
    page.context(),
    way.service.baseUrl,
    (await newSession(way.fixture, owner)).cookie,
  );
  await page.goto(`${way.service.baseUrl}/dashboard/members`);
  await page.getByRole("heading", { name: "Open invitations" }).waitFor();
  await page.locator(".account-button").click();
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.waitForURL("**/dashboard/sign-in");
  await page.goBack({ waitUntil: "commit" });
  await page.waitForURL("**/dashboard/sign-in?next=*");
  assert.ok(!(await page.locator("body").innerText()).includes(owner.email));
  await page.close();
});

test("a browser that would drop the session warns before anybody types, and others show no warning (D16, operator)", async () => {
  // Every browser drops it over http from another machine.
  const page = await peoples.newPage();
  const { cookie } = await newSession(way.fixture, owner);
  const invited = await way.call("members", { role: "viewer" }, { from: "127.0.0.1", cookie });
  for (const path of ["sign-in", String(invited.body.data.url).replace(/^.*dashboard\//, "")]) {
    for (const [base, count] of [
      [way.service.baseUrl.replace("127.0.0.1", "stile.test"), 1],
      [way.service.baseUrl, 0],
    ] as const) {
      await page.goto(`${base}/healthz`);
      await page.goto(`${base}/dashboard/${path}`);
      await page.locator("input[type=password]").waitFor();
      assert.equal(
        await page.getByText("You can't sign in here with this browser").count(),
        count,
        `${base} ${path}`,
      );
      assert.deepEqual(await page.context().cookies(), []);
    }
  }
  await page.close();
});

test("passkeys are offered under a host name, but not under an address, for which browsers make none", async () => {
  const page = await peoples.newPage();
  const { baseUrl } = way.service;
  for (const [base, count] of [
    [baseUrl.replace("127.0.0.1", "localhost"), 1],
    [baseUrl, 0],
  ] as const) {
    await page.goto(`${base}/dashboard/sign-in`);
    await page.locator("input[type=password]").waitFor();
    assert.equal(
      await page.getByRole("button", { name: "Sign in with a passkey" }).count(),
      count,
      base,
    );
  }
  await page.close();
});

test("no other host, path or script can plant the cookie (__Host-)", async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  const lines = ["Domain=localhost; Path=/; Secure", "Path=/dashboard; Secure", "Path=/"];
  foreign.cookies = lines.map((attributes) => `${BOGUS}; ${attributes}`);
  for (const host of ["evil.localhost", "localhost", "127.0.0.1"])
    await page.goto(`${foreign.originOn(host)}/`);
  foreign.cookies = [];
  assert.deepEqual(await context.cookies(), []);
  const { cookie } = await newSession(way.fixture, owner);
  await giveCookie(context, way.service.baseUrl, cookie);
  await page.goto(`${foreign.originOn("127.0.0.1")}/`);
  await page.evaluate((text) => {
    // biome-ignore lint/suspicious/noDocumentCookie: the attack under test
    document.cookie = `${text}; Path=/; Secure`;
  }, BOGUS);
  assert.equal(await cookieOf(context), cookie, "a script replaced what only the service may set");
  assert.equal(await page.evaluate(() => document.cookie), "", "a script reads it");
  await context.close();
});

test("a script on another port of this machine neither replaces nor hides the session", async () => {
  const { baseUrl } = way.service;
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${baseUrl}/dashboard/sign-in`);
  await signIn(page, owner);
  const { cookie: ofAttacker } = await newSession(way.fixture, viewer);
  await page.goto(`${foreign.originOn("127.0.0.1")}/`);
  await page.evaluate((planted) => {
    for (const text of [`${planted}; Secure`, planted.replace("__Host-", "")]) {
      // biome-ignore lint/suspicious/noDocumentCookie: the attack under test
      document.cookie = `${text}; Path=/`;
    }
  }, ofAttacker);
  assert.equal(
    (await context.cookies(baseUrl)).length,
    3,
    "the browser accepted a cookie with the prefix",
  );
  await page.goto(`${baseUrl}/dashboard/account`);
  await page.locator("input[type=password]").first().waitFor();
  assert.match(await page.locator("body").innerText(), new RegExp(owner.name));
  await context.close();
});

test("a cookie without the prefix from a sibling host shows nothing over https, even if the proxy drops Host", async () => {
  const context = await peoples.newContext({ ignoreHTTPSErrors: true });
  const page = await context.newPage();
  const { cookie } = await newSession(way.fixture, viewer);
  foreign.cookies = [`${cookie.replace("__Host-", "")}; Domain=stile.test; Path=/`];
  await page.goto(`${foreign.originOn("evil.stile.test")}/`);
  foreign.cookies = [];
  assert.equal(
    (await context.cookies(proxy.originOn("stile.test"))).length,
    1,
    "the browser accepted the planted cookie",
  );
  await page.goto(`${proxy.originOn("stile.test")}/dashboard/account`);
  await page.locator("input[type=password], .account-button").first().waitFor();
  assert.ok(!(await page.locator("body").innerText()).includes(viewer.name));
  assert.match(page.url(), /sign-in\?next=/);
  await context.close();
});

test("a link opened through an undeclared proxy says so, and does not claim that the link has expired", async () => {
  const page = await peoples.newPage({ ignoreHTTPSErrors: true });
  const { cookie } = await newSession(way.fixture, owner);
  const invited = await way.call("members", { role: "viewer" }, { from: "127.0.0.1", cookie });
  const { pathname, hash } = new URL(String(invited.body.data.url));
  await page.goto(proxy.originOn("stile.test") + pathname + hash);
  await page.getByText(/^(Behind|.+ Behind) a proxy, set STILE_BASE_URL|^It was used/).waitFor();
  assert.doesNotMatch(await page.locator("body").innerText(), /no longer works/);
  await page.close();
});

test("signing in leads to a page of the dashboard, whatever ?next= says (CWE-601)", async () => {
  const { baseUrl } = way.service;
  const nexts = [
    "//evil.localhost/",
    "/\\evil.localhost",
    "/dashboard/../../evil",
    "/dashboard/..//evil.localhost/",
    "javascript:pwn()",
    "/dashboard/\t//evil.localhost",
    "/dashboard/api/me",
    "/dashboard/sign-in?next=//evil.localhost",
  ];
  const { page, context, signs } = await openAttacked(browser, baseUrl, {
    path: "/dashboard/sign-in",
  });
  const signInFor = async (next: string): Promise<void> => {
    // Without its cookies the previous page would go to sign-in, and this navigation would not
    // arrive.
    await page.goto("about:blank");
    await context.clearCookies();
    await page.goto(`${baseUrl}/dashboard/sign-in?next=${encodeURIComponent(next)}`);
    await signIn(page, owner);
  };
  for (const next of nexts) {
    await signInFor(next);
    await page.getByRole("heading", { name: "Sites" }).waitFor();
    assert.equal(page.url(), `${baseUrl}/dashboard/sites`, next);
    assert.deepEqual(signs, [], next);
  }
  await signInFor("/dashboard/audit?x=1");
  assert.equal(page.url(), `${baseUrl}/dashboard/audit?x=1`);
  await context.close();
});

test("a session ended in one browser shows nothing more in the other", async () => {
  const { baseUrl } = way.service;
  const open = async () => {
    const { cookie } = await newSession(way.fixture, owner);
    return openAttacked(browser, baseUrl, { path: "/dashboard/account", cookie });
  };
  const [kept, stolen] = [await open(), await open()];
  await stolen.go("/dashboard/members");
  await stolen.page.getByText(viewer.email).waitFor();
  await kept.page.getByRole("button", { name: "End all other sessions" }).click();
  await kept.page.getByText("All other sessions were ended.").first().waitFor();
  await stolen.page.getByRole("link", { name: "Audit log" }).click();
  await stolen.page.waitForURL(/\/dashboard\/sign-in\?next=/);
  await stolen.page.getByLabel("Email").waitFor();
  assert.ok(!(await stolen.page.content()).includes(viewer.email));
  await kept.page.reload();
  await kept.page.getByRole("heading", { name: "Sessions" }).waitFor();
  await Promise.all([kept.context.close(), stolen.context.close()]);
});

test("a failed sign-out says so and does not show a page that looks signed out", async () => {
  const { baseUrl } = way.service;
  const { cookie } = await newSession(way.fixture, owner);
  const { page, context } = await openAttacked(browser, baseUrl, {
    path: "/dashboard/account",
    cookie,
  });
  await page.route("**/dashboard/api/sign-out", (route) => route.abort());
  const signOut = async () => {
    await page.locator(".account-button").click();
    await page.getByRole("button", { name: "Sign out" }).click();
  };
  await signOut();
  await page.getByText(/^You are still signed in\./).waitFor();
  assert.equal(page.url(), `${baseUrl}/dashboard/account`);
  assert.equal(await whoIs(cookie), owner.email);
  await page.unroute("**/dashboard/api/sign-out");
  await page.reload();
  await signOut();
  await page.waitForURL(`${baseUrl}/dashboard/sign-in`);
  assert.equal(await whoIs(cookie), undefined);
  await context.close();
});
