import assert from "node:assert/strict";
import { test } from "node:test";
import { toLocalInput } from "@stile/dashboard/features/statistics/zone";
import { DEMO_SITES } from "@stile/demo/seed/demo-sites";
import { seedTraffic } from "@stile/demo/seed/seed";
import type { OutcomeData, ScoresData } from "@stile/protocol/dashboard-statistics";
import {
  type DashboardFixture,
  MINUTE_MS,
  mintToken,
  redeemWith,
} from "@stile/testkit/browser/dashboard";
import type { InputMethod } from "@stile/testkit/browser/input-methods";
import { button, heading, link } from "@stile/testkit/browser/on-page";
import { earnToken } from "@stile/testkit/minting/solver-client";
import type { Locator, Page } from "playwright-core";

/** The number at the start of a text, without its thousands separators. */
function numberIn(text: string | null | undefined): number {
  return Number(/[\d,]+/.exec(text ?? "")?.[0].replaceAll(",", ""));
}

/** The texts of a table's cells, row by row, each row's heading first. */
function cellsOf(table: Locator): Promise<string[][]> {
  return table
    .locator("tbody tr")
    .evaluateAll((rows) =>
      rows.map((row) => [...row.children].map((cell) => cell.textContent ?? "")),
    );
}

/** Opens the table that shows the same data as a chart. */
async function openTable({ press }: InputMethod, panel: Locator): Promise<string[][]> {
  await press(panel.getByText("Show as table"));
  await panel.locator("tbody tr").first().waitFor();
  return cellsOf(panel.locator("table"));
}

/** Does `act`, and returns the data that the service then answers at that endpoint. */
async function dataOf<Data>(
  page: Page,
  endpoint: string,
  act: () => Promise<unknown>,
): Promise<Data> {
  // The page may ask a second time and drop the first answer, so an answer is read as soon as it
  // comes.
  const answered = new Promise<{ data: Data }>((resolve) => {
    page.on("response", (response) => {
      if (!new URL(response.url()).pathname.endsWith(`/${endpoint}`)) return;
      response.json().then(
        (body) => resolve(body as { data: Data }),
        () => {},
      );
    });
  });
  await act();
  return (await answered).data;
}

function testList(dashboard: () => DashboardFixture, input: InputMethod): void {
  test(`${input.name}: the list counts a challenge, its solution and its verification as soon as they are stored`, async () => {
    const name = `Visited ${input.name}`;
    const site = await dashboard().service.makeSite(name);
    const { token } = await earnToken({
      ...site,
      baseUrl: dashboard().service.baseUrl,
      origin: "http://localhost",
    });
    assert.equal(await redeemWith(dashboard(), site.secretKey, token), "verified");
    assert.equal(await redeemWith(dashboard(), site.secretKey, token), "token_already_used");
    await dashboard().service.service.store.statistics.flush();
    const visit = await dashboard().visit("/dashboard/sites", { as: "viewer" });
    const { page } = visit;
    const row = page.getByRole("row").filter({ has: link(page, name) });
    await row.waitFor();
    const cells = await row.locator("td").allTextContents();
    // The columns: mode, secret, challenges, solved, verified, pass rate (one of two attempts).
    assert.deepEqual(cells.slice(2, 6), ["1", "1", "1", "50%"]);
    const figures = await dataOf<OutcomeData>(page, "outcome", () => input.press(link(page, name)));
    assert.deepEqual([figures.sums.issued, figures.sums.verified, figures.sums.refused], [1, 1, 1]);
    await page
      .getByText("Token was redeemed before")
      .or(page.locator("code", { hasText: "token_already_used" }))
      .first()
      .waitFor();
    await visit.close();
  });
}

/** Compares every figure of the page with what the service answered. */
async function expectFigures(page: Page, { sums, solveTimes, hosts }: OutcomeData): Promise<void> {
  const shown = page.locator("dl.figures > div");
  await page.waitForFunction(
    (issued) => document.querySelector("dl.figures dd")?.firstChild?.textContent === issued,
    sums.issued.toLocaleString("en"),
  );
  const values = await shown.evaluateAll((divs) =>
    divs.map((div) => div.querySelector("dd")?.firstChild?.textContent),
  );
  assert.deepEqual(values.slice(0, 3).map(numberIn), [sums.issued, sums.solved, sums.verified]);
  const funnel = await cellsOf(
    page.getByRole("region", { name: "From challenge to verification" }).locator("table"),
  );
  assert.deepEqual(
    funnel.map(([, count]) => numberIn(count)),
    [sums.issued, sums.solved, sums.tokens, sums.verified],
  );
  const times = await cellsOf(page.getByRole("region", { name: "Solve time" }).locator("table"));
  const buckets = solveTimes.buckets.map(({ count }) => count);
  const first = buckets.findIndex((count) => count > 0);
  const last = buckets.findLastIndex((count) => count > 0);
  assert.deepEqual(
    times.map(([, count]) => numberIn(count)),
    buckets.slice(first, last + 1),
  );
  const named = await cellsOf(page.getByRole("region", { name: "Hosts" }).locator("table"));
  assert.deepEqual(
    named.map(([host, count]) => [host, numberIn(count)]),
    hosts.map(({ name, count }) => [name, count]),
  );
}

function testStatistics(dashboard: () => DashboardFixture, input: InputMethod): void {
  test(`${input.name}: the statistics show exactly the numbers that the service returned`, async () => {
    const site = await dashboard().service.makeSite(`Counted ${input.name}`);
    const { fixture, nowMs } = dashboard();
    const [demo] = DEMO_SITES;
    assert.ok(demo !== undefined);
    await seedTraffic(fixture.store, site, demo, { nowMs: nowMs(), days: 8 });
    const visit = await dashboard().visit(`/dashboard/sites/${site.siteKey}`, {
      as: "viewer",
      timezoneId: "Asia/Kolkata",
    });
    const { page } = visit;
    await heading(page, "Over time").waitFor();
    const week = await dataOf<OutcomeData>(page, "outcome", () =>
      input.press(page.getByRole("radio", { name: "7 days" })),
    );
    assert.ok(week.sums.issued > 5000 && week.points.length >= 168);
    await expectFigures(page, week);

    const course = await openTable(input, page.getByRole("region", { name: "Over time" }));
    assert.deepEqual(
      course.map(([, ...counts]) => counts.map(numberIn)),
      week.points.map(({ issued, solved, verified, blocked }) => [
        issued,
        solved,
        verified,
        blocked,
      ]),
    );
    const scores = await dataOf<ScoresData>(page, "scores", () =>
      input.press(link(page, "Scores")),
    );
    const shown = await openTable(
      input,
      page.getByRole("region", { name: "Scores and thresholds" }),
    );
    assert.deepEqual(
      shown.map(([score, count]) => [score, numberIn(count)]),
      scores.scored.flatMap((count, at) => (count > 0 ? [[(at / 100).toFixed(2), count]] : [])),
    );
    const flags = await cellsOf(page.getByRole("region", { name: "Flags" }).locator("table"));
    assert.deepEqual(
      flags.map(([, count]) => numberIn(count)),
      scores.flags.map(({ count }) => count),
    );
    await visit.close();
  });
}

function testCustomRange(dashboard: () => DashboardFixture, input: InputMethod): void {
  test(`${input.name}: a custom range begins with the range whose figures are shown`, async () => {
    const timeZone = "Asia/Kolkata";
    const site = await dashboard().service.makeSite(`Ranged ${input.name}`);
    const visit = await dashboard().visit(`/dashboard/sites/${site.siteKey}`, {
      as: "viewer",
      timezoneId: timeZone,
    });
    const { page } = visit;
    await page.getByText("No visits in this period").waitFor();
    const answered = page.waitForResponse((response) => response.url().includes("/outcome?from="));
    await input.press(page.getByRole("radio", { name: "Custom" }));
    const shown: OutcomeData = (await (await answered).json()).data;
    for (const [name, ms] of [
      ["From", shown.fromMs],
      ["To", shown.toMs],
    ] as const) {
      assert.equal(
        await page.getByLabel(name, { exact: true }).inputValue(),
        toLocalInput(ms, timeZone),
      );
    }
    await visit.close();
  });
}

function testDecisions(dashboard: () => DashboardFixture, input: InputMethod): void {
  test(`${input.name}: a decision is explained, and its label is kept and can be removed`, async () => {
    const site = await dashboard().service.makeSite(`Scored ${input.name}`);
    await dashboard().advance(MINUTE_MS);
    await mintToken(dashboard(), site);
    await dashboard().fixture.store.decisions.flush();
    const visit = await dashboard().visit(`/dashboard/sites/${site.siteKey}/decisions`, {
      as: "developer",
    });
    const { page, ask } = visit;
    const labels = async (): Promise<unknown[]> => {
      const { data } = (await ask(`sites/${site.siteKey}/decisions`)).body as unknown as {
        data: {
          decisions: { label: unknown; contributions: { flag: string }[]; requestId: string }[];
        };
      };
      const [decision] = data.decisions;
      assert.ok(decision !== undefined && data.decisions.length === 1);
      assert.ok((await page.getByText(decision.requestId).count()) <= 1);
      assert.equal(await page.locator(".reasons li").count(), decision.contributions.length);
      return [decision.label];
    };
    await input.press(page.getByRole("button", { name: /Token issued/ }));
    await page.getByText(/^The score was 0\.\d\d on a scale/).waitFor();
    await input.press(button(page, "Bot"));
    await page.getByText("Labelled as a bot.").waitFor();
    assert.deepEqual(await labels(), ["bot"]);
    await input.press(button(page, "Undo"));
    await page.getByText("Label removed.").waitFor();
    assert.deepEqual(await labels(), [null]);
    await visit.close();
  });
}

/** Tests the figures of what a site's visitors did and how they were scored. */
export function testReadingFigures(dashboard: () => DashboardFixture, input: InputMethod): void {
  testList(dashboard, input);
  testStatistics(dashboard, input);
  testCustomRange(dashboard, input);
  testDecisions(dashboard, input);
}
