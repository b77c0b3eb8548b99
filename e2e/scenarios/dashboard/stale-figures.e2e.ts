import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type DashboardFixture, openDashboard } from "@stile/testkit/browser/dashboard";

/** A little more than the pages wait before they read their figures again. */
const REFRESH_MS = 31_000;

let dashboard: DashboardFixture;

before(async () => {
  dashboard = await openDashboard();
});

after(async () => {
  await dashboard?.dispose();
});

for (const [page, tab, figures] of [
  ["Outcome", "", "No visits in this period"],
  ["Scores", "/scores", "No visits were scored in this period."],
] as const) {
  test(`${page}: if figures cannot be read again, the page says above them that they are old`, async () => {
    const name = `Shop of ${page}`;
    const { siteKey } = await dashboard.service.makeSite(name);
    const visit = await dashboard.visit(`/dashboard/sites/${siteKey}${tab}`, { as: "owner" });
    const old = visit.page.getByText(figures).first();
    await old.waitFor({ state: "attached" });
    assert.equal(await visit.page.getByRole("alert").count(), 0);
    // Somebody deletes the site meanwhile.
    assert.equal((await visit.ask(`sites/${siteKey}`, "DELETE", { name })).status, 200);
    await visit.context.clock.runFor(REFRESH_MS);
    await visit.page
      .getByText("Not found in this account. It may have been deleted.")
      .first()
      .waitFor();
    assert.equal(await old.count(), 1);
  });
}
