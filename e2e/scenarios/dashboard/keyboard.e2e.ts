import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { DEMO_SITES } from "@stile/demo/seed/demo-sites";
import { seedTraffic } from "@stile/demo/seed/seed";
import type { OutcomeData } from "@stile/protocol/dashboard-statistics";
import { type DashboardFixture, openDashboard } from "@stile/testkit/browser/dashboard";
import { assertNoWayByKeys, keyboard, tabTo } from "@stile/testkit/browser/input-methods";
import { button, goWithin, heading, link, waitForPath } from "@stile/testkit/browser/on-page";
import type { Page } from "playwright-core";
import { testKeepingMembers } from "../../journeys/keeping-members.ts";
import { testKeepingSites } from "../../journeys/keeping-sites.ts";
import { testReadingFigures } from "../../journeys/reading-figures.ts";
import { testSecondFactors } from "../../journeys/second-factors.ts";
import { testSetUp, testSigningIn } from "../../journeys/signing-in.ts";

let dashboard: DashboardFixture;

before(async () => {
  dashboard = await openDashboard();
});

after(() => dashboard?.dispose());

// The first journey creates the owner that the others need. Each visit adds a member, and the
// keyboard passes all members' buttons, so the journeys through the list come next.
for (const testJourneys of [
  testSetUp,
  testKeepingMembers,
  testSecondFactors,
  testSigningIn,
  testKeepingSites,
  testReadingFigures,
]) {
  testJourneys(() => dashboard, keyboard);
}

/** Waits until the element with exactly that text has the focus. */
async function waitForFocus(page: Page, text: string): Promise<void> {
  await page.waitForFunction((said) => document.activeElement?.textContent === said, text);
}

test("arrow keys move the chart's cursor, which reads out each point's counts as the service returned them", async () => {
  const site = await dashboard.service.makeSite("Walked through");
  const [demo] = DEMO_SITES;
  assert.ok(demo !== undefined);
  await seedTraffic(dashboard.fixture.store, site, demo, { nowMs: dashboard.nowMs(), days: 1 });
  const visit = await dashboard.visit("/dashboard/sites", { as: "viewer" });
  const { page } = visit;
  const answered = page.waitForResponse(/\/outcome\?/);
  await goWithin(page, `/dashboard/sites/${site.siteKey}`);
  const { points } = ((await (await answered).json()) as { data: OutcomeData }).data;
  const cursor = page.getByRole("slider", {
    name: "Challenges and tokens over time: move through time",
  });
  await tabTo(cursor);
  for (const [key, index] of [
    ["Home", 0],
    ["ArrowRight", 1],
    ["ArrowRight", 2],
    ["End", points.length - 1],
    ["ArrowLeft", points.length - 2],
  ] as const) {
    await page.keyboard.press(key);
    const { issued = 0, solved = 0, verified = 0, blocked = 0 } = points[index] ?? {};
    const counts = [issued, solved, verified, blocked].map((count) => count.toLocaleString("en"));
    const said = ["Issued", "Solved", "Verified", "Blocked"]
      .map((name, at) => `${name} ${counts[at]}`)
      .join(", ");
    await page.waitForFunction(
      (end) => document.activeElement?.getAttribute("aria-valuetext")?.endsWith(end),
      said,
    );
    assert.deepEqual(await page.locator(".legend b").allTextContents(), counts);
  }
  await visit.close();
});

test("at 320 px the keyboard opens, follows and closes the menu, and a dialog returns the focus", async () => {
  const visit = await dashboard.visit("/dashboard/sites", {
    as: "admin",
    viewport: { width: 320, height: 640 },
  });
  const { page } = visit;
  await link(page, "Demo").waitFor();
  await keyboard.press(button(page, "Menu"));
  await keyboard.press(link(page, "Members"));
  await heading(page, "Members").waitFor();
  assert.equal(await link(page, "Audit log").isVisible(), false);
  // After a navigation the heading gets the focus, so that screen readers read it out.
  await waitForFocus(page, "Members");
  await keyboard.press(button(page, "Create invitation"));
  await page.getByRole("dialog").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "hidden" });
  await waitForFocus(page, "Create invitation");
  await visit.close();
});

test("the keyboard alone works within a page", async (t) => {
  const { siteKey } = await dashboard.service.makeSite("Asked");
  const visit = await dashboard.visit("/dashboard/sites", { as: "admin" });
  const { page } = visit;
  await link(page, "Demo").waitFor();

  await t.test("the first Tab reaches the link that skips the navigation", async () => {
    await page.keyboard.press("Tab");
    await waitForFocus(page, "Skip to content");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    await waitForFocus(page, "New site");
  });

  await t.test("an open dialog keeps the focus inside", async () => {
    await goWithin(page, `/dashboard/sites/${siteKey}/keys`);
    await keyboard.press(button(page, "Rotate the secret key"));
    await page.getByRole("dialog").waitFor();
    await assertNoWayByKeys(link(page, "Settings"));
    await keyboard.press(button(page.getByRole("dialog"), "Cancel"));
    await keyboard.press(link(page, "Settings"));
    await waitForPath(page, `/dashboard/sites/${siteKey}/settings`);
  });
  await visit.close();
});
