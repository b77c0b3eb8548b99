import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { type Ground, startInOwnProcess } from "../../packages/server/fixtures/grounds.ts";
import { type AttackedPage, findForeignMarkup, findMissing, openAttacked } from "../attacked-page.ts";
import { launchAutomatedBrowser } from "../browser.ts";
import { type PlantedAccount, plantPayloads } from "../planted-payloads.ts";
import { ALL_XSS_PAYLOADS } from "../xss-payloads.ts";

/** Pages of one site; each site's payload is looked at on one of them, so that each page sees dozens. */
const TABS = ["", "/scores", "/decisions", "/settings", "/keys", "/install"];

let ground: Ground;
let browser: Browser;
let planted: PlantedAccount;
let attacked: AttackedPage;

before(async () => {
  ground = await startInOwnProcess({ STILE_DEMO: "off" });
  browser = await launchAutomatedBrowser();
  planted = await plantPayloads(ground, ALL_XSS_PAYLOADS);
  attacked = await openAttacked(browser, ground.baseUrl, { path: "/dashboard/sites", cookie: planted.owner.cookie });
});

after(async () => {
  await browser?.close();
  await ground?.stop();
});

/** Nothing ran, nothing was loaded, nothing became markup, and the texts are there as they were written. */
async function assertHarmless({ page, signs }: AttackedPage, texts: readonly string[]): Promise<void> {
  assert.deepEqual(await findMissing(page, texts), [], "every text is shown as text");
  assert.deepEqual(await findForeignMarkup(page), [], "no text became markup");
  assert.deepEqual(signs, []);
}

/** Presses every button with that text until none is left. */
async function pressAll(page: Page, label: string): Promise<void> {
  const button = page.getByRole("button", { name: label, exact: true });
  while (await button.isVisible()) {
    await button.click();
    await page.waitForFunction(() => document.querySelector("[aria-busy=true]") === null);
  }
}

test("there are at least 200 different payloads (T18)", () => {
  assert.ok(ALL_XSS_PAYLOADS.length >= 200);
  console.log(`${ALL_XSS_PAYLOADS.length} payloads`);
});

test("names of sites, of members and of their accounts are shown as text (T18)", async () => {
  await assertHarmless(attacked, ALL_XSS_PAYLOADS);
  await attacked.go("/dashboard/members");
  await assertHarmless(attacked, ALL_XSS_PAYLOADS);
});

test("devices of sessions and names of passkeys are shown as text (T18)", async () => {
  await attacked.go("/dashboard/account");
  await assertHarmless(attacked, ALL_XSS_PAYLOADS);
});

test("actors, subjects and changed fields of the audit log are shown as text (T18)", async () => {
  await attacked.go("/dashboard/audit");
  await findMissing(attacked.page, ALL_XSS_PAYLOADS.slice(-1));
  await pressAll(attacked.page, "Load older entries");
  await assertHarmless(attacked, ALL_XSS_PAYLOADS);
});

test("hosts and actions of visitors are shown as text in the statistics (T18)", async () => {
  const { visited } = planted;
  await attacked.go(`/dashboard/sites/${visited.siteKey}?range=30d`);
  await assertHarmless(attacked, ALL_XSS_PAYLOADS);
  await attacked.go(`/dashboard/sites/${visited.siteKey}/scores?range=30d`);
  await assertHarmless(attacked, ALL_XSS_PAYLOADS);
});

test("host, action and request id of each decision are shown as text, opened too (T18)", async () => {
  const { page } = attacked;
  await attacked.go(`/dashboard/sites/${planted.visited.siteKey}/decisions`);
  await findMissing(page, ALL_XSS_PAYLOADS.slice(-1));
  await pressAll(page, "Show older ones");
  const opened = await page.evaluate(() => {
    const rows = document.querySelectorAll<HTMLElement>(".decision > button");
    for (const row of rows) row.click();
    return rows.length;
  });
  assert.equal(opened, ALL_XSS_PAYLOADS.length);
  await assertHarmless(attacked, ALL_XSS_PAYLOADS);
});

test("each page of a site shows its name, domains and language as text (T18)", async () => {
  for (const [index, payload] of ALL_XSS_PAYLOADS.entries()) {
    await attacked.go(`/dashboard/sites/${planted.siteKeys[index]}${TABS[index % TABS.length]}`);
    await assertHarmless(attacked, [payload]);
  }
});
