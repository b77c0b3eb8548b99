import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { giveCookie } from "@stile/testkit/browser/attacked-page";
import { launchAutomatedBrowser } from "@stile/testkit/browser/browser";
import { type ForeignSite, serveForeignSite } from "@stile/testkit/browser/foreign-site";
import {
  newAccount,
  newSession,
  PASSWORD,
  type TestAccount,
} from "@stile/testkit/contract/dashboard";
import { type ServiceFixture, startInOwnProcess } from "@stile/testkit/contract/service-fixtures";
import type { Browser, BrowserContext, Page } from "playwright-core";

/**
 * Host names of this machine for foreign pages: the dashboard's own host on another port, and
 * another site.
 */
const HOSTS = { "the same host, another port": "127.0.0.1", "another site": "localhost" } as const;
/** Every element with which a page can load something of another origin and see whether it came. */
const TAGS = ["img", "script", "link", "iframe", "object", "embed", "video"];
/** The encodings in which a form may be sent. */
const ENCODINGS = ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"];

let fixture: ServiceFixture;
let foreign: ForeignSite;
let browser: Browser;
let account: TestAccount;

before(async () => {
  fixture = await startInOwnProcess({ STILE_DEMO: "off" });
  foreign = await serveForeignSite();
  browser = await launchAutomatedBrowser();
  account = await newAccount(fixture);
});

after(async () => {
  await browser?.close();
  await foreign?.stop();
  await fixture?.stop();
});

/** Everything that the service stores about the account. */
async function snapshot(): Promise<string> {
  const { store } = fixture;
  const { accountId, members } = account;
  const sessions = [];
  for (const { member } of Object.values(members))
    sessions.push(await store.sessions.listSessions(member.userId));
  return JSON.stringify({
    sites: await store.sites.listSites(accountId),
    members: await store.members.listMembers(accountId),
    links: await store.links.listLinks(accountId, 0),
    audit: await store.auditLog.list(accountId, { limit: 1000 }),
    sessions: sessions.map((list) => list.map(({ lastSeenAtMs, ...rest }) => rest)),
  });
}

type Lured = { readonly context: BrowserContext; readonly page: Page; readonly cookie: string };

/** The owner's browsers, by the host of the foreign page that they are on. */
const lured = new Map<string, Lured>();

/** The owner's browser, signed in. */
async function openOwn(): Promise<Lured> {
  const { cookie } = await newSession(fixture, account.members.owner.member);
  const context = await browser.newContext();
  await giveCookie(context, fixture.baseUrl, cookie);
  const page = await context.newPage();
  // Shows that the attack fails because it is an attack, and not because nobody is signed in.
  await page.goto(`${fixture.baseUrl}/dashboard/sites`);
  await page.getByRole("heading", { name: "Sites" }).waitFor();
  return { context, page, cookie };
}

/** The owner's browser, signed in, on a page of the foreign site where no attack has run yet. */
async function lure(host: string): Promise<Lured> {
  const own = lured.get(host) ?? (await openOwn());
  lured.set(host, own);
  await own.page.goto(`${foreign.originOn(host)}/`);
  return own;
}

/** Calls that would do harm, each with the body that its route takes. */
function harmfulCalls(): { method: string; path: string; body: object }[] {
  const { siteKey } = account.site;
  const { userId } = account.members.viewer.member;
  return [
    { method: "POST", path: "members", body: { role: "owner" } },
    { method: "POST", path: `sites/${siteKey}/rotate`, body: {} },
    { method: "POST", path: `members/${userId}/reset`, body: {} },
    {
      method: "POST",
      path: "me/password",
      body: { password: "a password of the attacker", currentPassword: PASSWORD },
    },
    { method: "POST", path: "sites", body: { name: "Phish", domains: ["evil.example"] } },
    { method: "POST", path: "sign-out", body: {} },
    { method: "PATCH", path: `sites/${siteKey}`, body: { revision: 1, isEnabled: false } },
    { method: "DELETE", path: `members/${userId}`, body: {} },
    { method: "DELETE", path: "me/sessions", body: {} },
  ];
}

for (const [where, host] of Object.entries(HOSTS)) {
  test(`a page on ${where} changes nothing with fetch and sendBeacon, despite the owner's cookie`, async () => {
    const { page, cookie } = await lure(host);
    const kept = await snapshot();
    const outcomes = await page.evaluate(
      async ({ base, calls, encodings }) => {
        const read: string[] = [];
        for (const { method, path, body } of calls) {
          const url = `${base}/dashboard/api/${path}`;
          const text = JSON.stringify(body);
          const types = ["application/json", ...encodings];
          for (const mode of ["cors", "no-cors"] as const) {
            for (const type of types) {
              const request = {
                method,
                mode,
                body: text,
                headers: { "content-type": type },
                credentials: "include",
              } as const;
              await fetch(url, request).then(
                async (response) =>
                  response.type !== "opaque" &&
                  read.push(`${method} ${path}: ${await response.text()}`),
                () => undefined,
              );
            }
          }
          for (const type of types) navigator.sendBeacon(url, new Blob([text], { type }));
        }
        return read;
      },
      { base: fixture.baseUrl, calls: harmfulCalls(), encodings: ENCODINGS },
    );
    assert.deepEqual(outcomes, [], "no answer could be read");
    await assertUntouched(kept, cookie);
  });

  test(`a form on ${where} changes nothing, in any encoding`, async () => {
    const { page, cookie } = await lure(host);
    const kept = await snapshot();
    const posts = harmfulCalls().filter(({ method }) => method === "POST");
    // One encoding for each call: the test with fetch tries each call in every encoding.
    for (const [index, { path, body }] of posts.entries()) {
      const encoding = ENCODINGS[index % ENCODINGS.length] ?? "";
      const answered = page.waitForResponse((response) =>
        response.url().includes("/dashboard/api/"),
      );
      const arrived = page.waitForURL(/dashboard/);
      await page.evaluate(
        ({ action, text, enctype }) => {
          const form = document.createElement("form");
          Object.assign(form, { method: "post", action, enctype });
          const field = document.createElement("input");
          // In a form sent as text/plain, name and value make one JSON text around the "=".
          field.name = `${text.slice(0, -1)}${text.length > 2 ? "," : ""}"padding":"`;
          field.value = '"}';
          form.append(field);
          document.body.append(form);
          form.submit();
        },
        {
          action: `${fixture.baseUrl}/dashboard/api/${path}`,
          text: JSON.stringify(body),
          enctype: encoding,
        },
      );
      assert.equal((await answered).status(), 403, `${path} as ${encoding}`);
      await arrived;
      await page.goto(`${foreign.originOn(host)}/`);
    }
    await assertUntouched(kept, cookie);
  });

  test(`a page on ${where} reads nothing with tags, and can frame neither pages nor data`, async () => {
    const { page } = await lure(host);
    const paths = [
      "/dashboard/sites",
      "/dashboard/api/sites",
      "/dashboard/api/me",
      `/dashboard/sites/${account.site.siteKey}/settings`,
    ];
    const scripts: string[] = [];
    page.on("pageerror", (error) => scripts.push(String(error)));
    await page.evaluate(
      async ({ urls, tags }) => {
        for (const url of urls) {
          for (const tag of tags) {
            const element = document.createElement(tag);
            if (tag === "link") element.setAttribute("rel", "stylesheet");
            element.setAttribute(tag === "link" ? "href" : tag === "object" ? "data" : "src", url);
            const settled = new Promise((resolve) => {
              element.onload = element.onerror = resolve;
              setTimeout(resolve, 300);
            });
            document.body.append(element);
            await settled;
          }
        }
      },
      { urls: paths.map((path) => fixture.baseUrl + path), tags: TAGS },
    );
    await page.evaluate((url) => {
      const frame = document.body.appendChild(document.createElement("iframe"));
      frame.src = url;
      return new Promise((resolve) => Object.assign(frame, { onload: resolve }));
    }, `${fixture.baseUrl}/frame`);
    const framed = page
      .frames()
      .filter((frame) => frame !== page.mainFrame() && frame.url() !== "");
    assert.ok(framed.length > paths.length, "frames were made");
    const shown = [];
    for (const frame of framed) {
      if (frame.url().startsWith("chrome-error:")) continue;
      const text = await frame.evaluate(() => document.documentElement.textContent ?? "");
      if (!text.includes('"foreign_origin"')) shown.push(new URL(frame.url()).pathname);
    }
    // The widget's frame may be framed. Without it, this test could not tell a shown frame from a
    // refused one.
    assert.deepEqual(shown, ["/frame"]);
    assert.deepEqual(scripts, [], "no answer ran as a script");
  });

  test(`a window opened from ${where} cannot reach its opener, and the opener cannot reach it`, async () => {
    const { context, page } = await lure(host);
    const opened = context.waitForEvent("page");
    await page.evaluate((url) => {
      Object.assign(globalThis, { victim: window.open(url, "victim") });
    }, `${fixture.baseUrl}/dashboard/sites`);
    const dashboard = await opened;
    await dashboard.getByRole("heading", { name: "Sites" }).waitFor();
    await dashboard.evaluate(() => {
      Object.assign(globalThis, { heard: [] });
      addEventListener("message", ({ origin }) =>
        (globalThis as unknown as { heard: string[] }).heard.push(origin),
      );
    });
    const reach = await page.evaluate(() => {
      const { victim } = globalThis as unknown as { victim: Window };
      victim.postMessage("click delete", "*");
      victim.location.href = "about:blank#gone";
      return { isClosed: victim.closed, frames: victim.length };
    });
    assert.deepEqual(reach, { isClosed: true, frames: 0 });
    assert.deepEqual(
      await dashboard.evaluate(() => [
        (globalThis as unknown as { heard: string[] }).heard.length,
        window.opener === null,
        location.pathname,
      ]),
      [0, true, "/dashboard/sites"],
    );
    await dashboard.close();
  });

  test(`a page on ${where} cannot sign anybody in as somebody else (login CSRF)`, async () => {
    const { context, page, cookie } = await lure(host);
    const kept = await snapshot();
    const credentials = { email: account.members.viewer.member.email, password: PASSWORD };
    await page.evaluate(
      async ({ url, text }) => {
        for (const type of ["text/plain", "application/json"]) {
          const request = {
            method: "POST",
            mode: "no-cors",
            credentials: "include",
            body: text,
          } as const;
          await fetch(url, { ...request, headers: { "content-type": type } }).catch(
            () => undefined,
          );
        }
      },
      { url: `${fixture.baseUrl}/dashboard/api/sign-in`, text: JSON.stringify(credentials) },
    );
    await assertUntouched(kept, cookie);
    const held = await context.cookies(fixture.baseUrl);
    assert.deepEqual(
      held.map(({ name, value }) => `${name}=${value}`),
      [cookie],
    );
  });
}

/** Asserts that nothing of the account changed and that the owner is still signed in. */
async function assertUntouched(kept: string, cookie: string): Promise<void> {
  assert.equal(await snapshot(), kept);
  const response = await fetch(`${fixture.baseUrl}/dashboard/api/me`, { headers: { cookie } });
  assert.equal(response.status, 200);
}
