import assert from "node:assert/strict";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, test } from "node:test";
import { type AttackedPage, inspect, openAttacked } from "@stile/testkit/browser/attacked-page";
import { launchPageBrowser } from "@stile/testkit/browser/browser";
import { type ServiceFixture, startInOwnProcess } from "@stile/testkit/contract/service-fixtures";
import { type PlantedAccount, plantPayloads } from "@stile/testkit/payloads/planted-payloads";
import { ALL_XSS_PAYLOADS } from "@stile/testkit/payloads/xss-payloads";
import type { Browser, Page } from "playwright-core";

/** The pages of one site. */
const TABS = ["", "/scores", "/decisions", "/settings", "/keys", "/install"];

let fixture: ServiceFixture;
let browser: Browser;
let planted: PlantedAccount;
let attacked: AttackedPage;

before(async () => {
  fixture = await startInOwnProcess({ STILE_DEMO: "off" });
  browser = await launchPageBrowser();
  planted = await plantPayloads(fixture, ALL_XSS_PAYLOADS);
  attacked = await openAttacked(browser, fixture.baseUrl, {
    path: "/dashboard/sites",
    cookie: planted.owner.cookie,
  });
});

after(async () => {
  await browser?.close();
  await fixture?.stop();
});

/**
 * Asserts that nothing ran, loaded or became markup, and that the page shows the texts as they were
 * written.
 */
async function assertHarmless(
  { page, signs }: AttackedPage,
  texts: readonly string[],
): Promise<void> {
  const { missing, markup } = await inspect(page, texts);
  assert.deepEqual(missing, [], "every text is shown as text");
  assert.deepEqual(markup, [], "no text became markup");
  assert.deepEqual(signs, []);
}

/** As many payloads as a site may have domains; they also fit into one request line. */
const CROWD = 50;

function inGroups(size: number): string[][] {
  const groups = [];
  for (let at = 0; at < ALL_XSS_PAYLOADS.length; at += size)
    groups.push(ALL_XSS_PAYLOADS.slice(at, at + size));
  return groups;
}

/** Loads all pages of a list: presses the button once for each, and waits for its rows. */
function loadAll(page: Page, label: string, row: string): Promise<void> {
  return page.evaluate(
    async ([name, selector]) => {
      const drawn = () => new Promise((resolve) => requestAnimationFrame(resolve));
      const count = () => document.querySelectorAll(`main ${selector}`).length;
      const findButton = () =>
        [...document.querySelectorAll("button")].find(({ textContent }) => textContent === name);
      while (count() === 0) await drawn();
      for (let button = findButton(); button !== undefined; button = findButton()) {
        const before = count();
        button.click();
        while (count() === before) await drawn();
      }
    },
    [label, row] as const,
  );
}

test("there are at least 200 different payloads", () => {
  assert.ok(ALL_XSS_PAYLOADS.length >= 200);
  console.log(`${ALL_XSS_PAYLOADS.length} payloads`);
});

test("names of sites, of members and of their accounts are shown as text", async () => {
  await assertHarmless(attacked, ALL_XSS_PAYLOADS);
  await attacked.go("/dashboard/members");
  await assertHarmless(attacked, ALL_XSS_PAYLOADS);
});

test("devices of sessions and names of passkeys are shown as text", async () => {
  await attacked.go("/dashboard/account");
  await assertHarmless(attacked, ALL_XSS_PAYLOADS);
});

test("actors, subjects and changed fields of the audit log are shown as text", async () => {
  await attacked.go("/dashboard/audit");
  await loadAll(attacked.page, "Load older entries", "tbody tr");
  await assertHarmless(attacked, ALL_XSS_PAYLOADS);
});

test("hosts and actions of visitors are shown as text in the statistics", async () => {
  const { visited } = planted;
  await attacked.go(`/dashboard/sites/${visited.siteKey}?range=30d`);
  await assertHarmless(attacked, ALL_XSS_PAYLOADS);
  await attacked.go(`/dashboard/sites/${visited.siteKey}/scores?range=30d`);
  await assertHarmless(attacked, ALL_XSS_PAYLOADS);
});

test("host, action and request id of each decision and refusal are shown as text, also when opened", async () => {
  const { page } = attacked;
  await attacked.go(`/dashboard/sites/${planted.visited.siteKey}/decisions`);
  await loadAll(page, "Show older decisions", ".decision");
  const opened = await page.evaluate(() => {
    const rows = document.querySelectorAll<HTMLElement>(".decision > button");
    for (const row of rows) row.click();
    return rows.length;
  });
  assert.equal(opened, 2 * ALL_XSS_PAYLOADS.length, "each was scored once and refused once");
  await assertHarmless(attacked, ALL_XSS_PAYLOADS);
});

test("each page of a site shows its name as text, and its settings show domains and language as text", async () => {
  for (const { siteKey, payloads } of planted.crowded) {
    for (const tab of TABS) {
      await attacked.go(`/dashboard/sites/${siteKey}${tab}`);
      await assertHarmless(attacked, payloads);
    }
  }
});

test("dialogs that name a site or a member show the name as text", async () => {
  const { page, go } = attacked;
  const [crowd] = planted.crowded;
  assert.ok(crowd);
  await go(`/dashboard/sites/${crowd.siteKey}/settings`);
  await page.getByRole("button", { name: "Delete the site" }).click();
  await assertHarmless(attacked, crowd.payloads);
  await page.keyboard.press("Escape");
  await go("/dashboard/members");
  const name = "<img src=x onerror=pwn()>";
  for (const label of ["Change role", "Remove"]) {
    await page
      .getByRole("button", { name: `${label}: ${name}` })
      .first()
      .click();
    await assertHarmless(attacked, [name]);
    await page.keyboard.press("Escape");
  }
});

test("a form that refuses its input shows it as text", async () => {
  const { page } = attacked;
  await attacked.go("/dashboard/sites/new");
  for (const payloads of inGroups(CROWD)) {
    const lines = payloads.map((payload) => payload.replaceAll(/\s/g, " ").trim());
    const refused = page.waitForResponse((response) => response.request().method() === "POST");
    await page.getByLabel("Name", { exact: true }).fill(lines[0] ?? "");
    await page.getByLabel("Domains").fill(lines.join("\n"));
    await page.getByRole("button", { name: "Create" }).click();
    assert.equal((await refused).status(), 400);
    await assertHarmless(attacked, lines);
  }
});

test("the query of an address is shown as text, or not at all", async () => {
  const names = ["show", "range", "zone", "from", "to"];
  const tabs = ["/decisions", "/scores", ""];
  for (const [index, payloads] of inGroups(names.length).entries()) {
    const query = new URLSearchParams(payloads.map((payload, at) => [names[at] ?? "", payload]));
    query.set("requestId", payloads.join(" "));
    const tab = tabs[index % tabs.length];
    await attacked.go(`/dashboard/sites/${planted.visited.siteKey}${tab}?${query}`);
    // A one-line field has no line breaks.
    const shown = payloads.map((payload) => payload.replaceAll("\n", "").trim());
    await assertHarmless(attacked, tab === "/decisions" ? shown : ["Visited"]);
  }
});

test("markup in the path of an address is not rendered, and leads to the page for an unknown site", async () => {
  await attacked.go("/dashboard/sites");
  for (const payloads of inGroups(CROWD)) {
    for (const tab of TABS) {
      await attacked.go(`/dashboard/sites/${encodeURIComponent(payloads.join(" "))}${tab}`);
      await assertHarmless(attacked, ["Site not found"]);
    }
  }
});

test("a segment of the path stays one segment: no address makes the page request another path", async () => {
  // A page that loads nothing itself.
  await attacked.go("/dashboard/sites/new");
  const asked: string[] = [];
  attacked.page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  for (const segment of [
    "..%2Fmembers%3F",
    "x%2F..%2F..%2Fme%23",
    "%252e%252e",
    "%252e%252e%252fme",
    "..%5Cme%3F",
  ]) {
    for (const tab of TABS) {
      await attacked.go(`/dashboard/sites/${segment}${tab}`);
      await assertHarmless(attacked, ["Site not found"]);
    }
  }
  const strayed = asked.filter(
    (path) => path.startsWith("/dashboard/api/") && !path.startsWith("/dashboard/api/sites/"),
  );
  assert.ok(asked.length > 20);
  assert.deepEqual(strayed, []);
});

test("an address with broken escapes leads to the page for unknown addresses", async () => {
  const { page, signs, context } = await openAttacked(browser, fixture.baseUrl, {
    path: "/dashboard/sites",
    cookie: planted.owner.cookie,
  });
  for (const path of ["sites/%zz", "sites/%c0%af/scores", "%", "sites/%ff/keys"]) {
    await page.goto(`${fixture.baseUrl}/dashboard/${path}`);
    await page.waitForSelector("main h1");
    assert.deepEqual(signs, [], path);
  }
  await context.close();
});

test("a link's fragment and a sign-in's destination are shown nowhere and run nothing", async () => {
  const opened = await openAttacked(browser, fixture.baseUrl, { path: "/dashboard/sign-in" });
  // In groups, since a request line has a limit. Browsers never send a fragment.
  const nexts = inGroups(CROWD).map(
    (payloads) => `sign-in?next=${encodeURIComponent(payloads.join(" "))}`,
  );
  for (const place of [...nexts, `link#${encodeURIComponent(ALL_XSS_PAYLOADS.join(" "))}`]) {
    await opened.page.goto(`${fixture.baseUrl}/dashboard/${place}`);
    await opened.page.waitForSelector("main h1");
    await assertHarmless(opened, []);
  }
  await opened.context.close();
});

/** A page that treats every payload as markup, each in a frame of its own. */
function gullible(request: IncomingMessage, response: ServerResponse): void {
  const payload = ALL_XSS_PAYLOADS[Number(request.url?.slice(1))];
  const frames = ALL_XSS_PAYLOADS.map((_, index) => `<iframe src="/${index}"></iframe>`).join("");
  const markup = payload === undefined ? frames : `<p title="${payload}">${payload}</p>`;
  response.setHeader("Content-Type", "text/html; charset=utf-8").end(markup);
}

test("the same payloads run on a page that treats them as markup, so the canary works", async () => {
  const server = createServer(gullible);
  try {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const { signs, context } = await openAttacked(browser, `http://127.0.0.1:${port}`, {
      path: "/all",
    });
    const heard = (start: string): number => signs.filter((sign) => sign.startsWith(start)).length;
    console.log(
      `in a gullible page: ${heard("pwn")} scripts, ${heard("request")} requests, ${heard("dialog")} dialogs`,
    );
    assert.ok(heard("pwn") > 40 && heard("request") > 10);
    await context.close();
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
