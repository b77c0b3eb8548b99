import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";
import type { BankScene } from "@stile/core/domain/layout/layout-bank";
import { type DashboardFixture, openDashboard } from "@stile/testkit/browser/dashboard";
import type { AxeResults } from "axe-core";
import type { Page } from "playwright-core";

// The operator's browser works out what visitors' pages look like, while the member does other things (decision 0050).

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const LONG_MS = 120_000;

let dashboard: DashboardFixture;

before(async () => {
  dashboard = await openDashboard();
});

after(() => dashboard?.dispose());

const button = (page: Page, name: string) => page.getByRole("button", { name });
const progress = (page: Page) => page.getByText(/^[\d,]+ of 2,000 pages; Chromium \d+$/);
const countIn = (text: string | null): number => Number(text?.split(" ")[0]?.replace(",", ""));

/** Waits until more than `count` pages are done. */
async function waitBeyond(page: Page, count: number): Promise<void> {
  while (countIn(await progress(page).textContent()) <= count) await page.waitForTimeout(50);
}

async function violationsOf(page: Page): Promise<string[]> {
  const { violations } = await page.evaluate(async (code) => {
    // axe was put in through the debugger: the page's policy forbids scripts that are not its own.
    const { axe } = globalThis as unknown as { axe?: { run: () => Promise<AxeResults> } };
    return axe === undefined ? { violations: [{ id: `no axe of ${code}`, nodes: [] }] } : axe.run();
  }, AXE.length);
  return violations.map(({ id }) => id);
}

/** How many of the bank's reads this browser's frame confirms, and how many count. */
async function compare(page: Page, scenes: readonly BankScene[]): Promise<[right: number, kept: number]> {
  const text = ["0", ...scenes.map((scene) => scene.text)].join("\n");
  const reads = await page.evaluate(async (asked) => {
    const address = "/read-layout.js";
    const { readLayout } = (await import(address)) as { readLayout: (text: string) => Uint8Array };
    return [...readLayout(asked)].slice(2);
  }, text);
  const count: [number, number] = [0, 0];
  scenes.forEach(({ answers: { blink } }, at) => {
    for (let index = 0; index < 16; index++) {
      if (blink === undefined || ((blink.kept >> index) & 1) === 0) continue;
      count[1]++;
      if (reads[16 * at + index] === blink.reads[index]) count[0]++;
    }
  });
  return count;
}

test("an admin's browser makes the pages: it can be stopped, goes on after a reload and beside other pages, in one tab", async () => {
  const { page, another, context, close } = await dashboard.visit("/dashboard/system", { as: "admin" });
  await button(page, "Make pages with this browser").click();
  await waitBeyond(page, 60);
  await page.evaluate(AXE);
  assert.deepEqual(await violationsOf(page), []);
  await button(page, "Stop").click();
  await button(page, "Go on").waitFor();
  const stopped = countIn(await progress(page).textContent());
  assert.equal((await dashboard.service.service.store.layoutBanks.listBanks()).length, 0);

  // When a member stopped it, it stays stopped after a reload; earlier answers are still there.
  await page.reload();
  await button(page, "Go on").waitFor();
  assert.ok(countIn(await progress(page).textContent()) >= stopped);
  await button(page, "Go on").click();
  await waitBeyond(page, stopped + 20);

  const tab = await another("/dashboard/system");
  // What the page still reads may move the button away from under a press.
  await tab.waitForLoadState("networkidle");
  await button(tab, "Make pages with this browser").click();
  await tab.getByText("Another tab of this browser is already doing this.").waitFor();
  await tab.close();

  // It goes on while the member reads another page, and resumes by itself after a reload there.
  await page.getByRole("link", { name: "Sites" }).click();
  await page.getByRole("heading", { name: "Sites", level: 1 }).waitFor();
  await page.reload();
  await page.getByRole("link", { name: "System" }).click();
  await page.getByText(/^Made$/).waitFor({ timeout: LONG_MS });
  await button(page, "Make new pages").waitFor();
  assert.equal(await page.evaluate(() => sessionStorage.length), 0);
  assert.equal(await page.locator("iframe").count(), 0);

  const [bank] = await dashboard.service.service.store.layoutBanks.listBanks();
  assert.ok(bank !== undefined && bank.scenes.length >= 1500, `${bank?.scenes.length} pages`);
  const frame = await context.newPage();
  // In a window as large as visitors' frames: a few scenes depend on the window's size.
  await frame.setViewportSize({ width: 256, height: 256 });
  await frame.goto(`${dashboard.origin}/frame`);
  const [right, kept] = await compare(frame, bank.scenes.slice(0, 200));
  assert.ok(kept > 1500, `${kept} reads`);
  assert.equal(right, kept);
  await close();
});
