import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { Metric, SiteSum } from "@stile/core/domain/statistics/metrics";
import type { SitesData } from "@stile/protocol/dashboard-api";
import {
  type NamedCount,
  type OutcomeData,
  RANGES,
  type ScoresData,
} from "@stile/protocol/dashboard-statistics";
import {
  callDashboard,
  newAccount,
  newSession,
  type TestAccount,
} from "@stile/testkit/contract/dashboard";
import {
  SQLITE,
  startInProcess,
  type TimedFixture,
} from "@stile/testkit/contract/service-fixtures";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * Moments at which to look: in between, and at the edges of hours, of local days and of clock
 * changes.
 */
const LOOKS: Readonly<Record<string, readonly number[]>> = {
  UTC: [Date.UTC(2026, 5, 15, 14, 23, 31, 500), Date.UTC(2026, 5, 15), Date.UTC(2026, 5, 15) - 1],
  // 18:30 UTC is midnight in Kolkata, 18:15 in Kathmandu.
  "Asia/Kolkata": [18, 18.4, 18.5, 18.9, 19].map((hour) => Date.UTC(2026, 5, 15) + hour * HOUR),
  "Asia/Kathmandu": [18, 18.2, 18.25, 18.9].map((hour) => Date.UTC(2026, 5, 15) + hour * HOUR),
  "Europe/Berlin": [Date.UTC(2026, 2, 29, 1), Date.UTC(2026, 9, 25, 1)].flatMap((change) => [
    change - 1,
    change,
    change + 21 * HOUR - 1,
    change + 23 * HOUR,
    change + 3 * DAY + 1234,
  ]),
  "Australia/Lord_Howe": [Date.UTC(2026, 3, 4, 15), Date.UTC(2026, 9, 3, 15, 30)].flatMap(
    (change) => [change - 1, change, change + 22 * HOUR, change + 3 * DAY + 1234],
  ),
};

const sum = (counts: readonly number[]): number => counts.reduce((all, count) => all + count, 0);
const sumOfNames = (names: readonly NamedCount[]): number => sum(names.map(({ count }) => count));

/** The counts of one scored visitor whose token is redeemed. */
const VISITOR: readonly Metric[] = [
  "challenge_issued",
  "challenge_solved",
  "token_issued",
  "token_redeemed",
  "score:login:05",
  "verified_score:05",
  "solve:3",
  "device:desktop",
  "host:shop.example",
];

/**
 * Moments around every edge that a range can have: of minutes, hours, UTC and local days, and of
 * retention.
 */
function eventsBefore(nowMs: number): number[] {
  const ages = [
    0,
    MINUTE,
    59 * MINUTE,
    HOUR,
    23 * HOUR,
    DAY,
    25 * HOUR,
    2 * DAY,
    7 * DAY,
    29 * DAY,
    30 * DAY,
    31 * DAY,
  ];
  const far = [89 * DAY, 90 * DAY, 91 * DAY, 395 * DAY, 396 * DAY];
  const edges = [...ages, ...far].flatMap((age) =>
    [MINUTE, HOUR, DAY, HOUR / 2, HOUR / 4].map(
      (period) => Math.floor((nowMs - age) / period) * period,
    ),
  );
  const around = [...edges, ...[...ages, ...far].map((age) => nowMs - age)].flatMap((at) => [
    at - 1,
    at,
    at + 1,
  ]);
  return around.filter((atMs) => atMs <= nowMs);
}

async function read<Data>(fixture: TimedFixture, cookie: string, path: string): Promise<Data> {
  const answer = await callDashboard(fixture, { path, cookie });
  assert.equal(answer.status, 200, path);
  return answer.body.data as unknown as Data;
}

/** Compares every figure of one window with the events in it, and with the other figures. */
function assertAddsUp(
  outcome: OutcomeData,
  scores: ScoresData,
  events: readonly number[],
  what: string,
): void {
  const { fromMs, toMs, sums, points } = outcome;
  const expected = events.filter((atMs) => atMs >= fromMs && atMs < toMs).length;
  assert.deepEqual([scores.fromMs, scores.toMs], [fromMs, toMs], what);
  const figures = {
    issued: sums.issued,
    solved: sums.solved,
    verified: sums.verified,
    issuedBars: sum(points.map(({ issued }) => issued)),
    solvedBars: sum(points.map(({ solved }) => solved)),
    verifiedBars: sum(points.map(({ verified }) => verified)),
    scored: sum(scores.scored),
    scoredByAction: sum(scores.byAction.flatMap(({ scored }) => scored)),
    verifiedScores: sum(scores.verified),
    solveTimes: sum(outcome.solveTimes.buckets.map(({ count }) => count)),
    devices: sumOfNames(outcome.devices),
    hosts: sumOfNames(outcome.hosts),
  };
  for (const [name, figure] of Object.entries(figures))
    assert.equal(figure, expected, `${name} of ${what}`);
}

/** Chosen times whose edges are not those of periods, or are those of local days. */
function chosenBefore(nowMs: number): string[] {
  return [
    [2 * HOUR + 1, 1],
    [26 * HOUR, 2 * HOUR],
    [10.5 * DAY, -HOUR],
    [40 * DAY, 20 * DAY - HOUR / 2],
    [95 * DAY, 3 * DAY],
  ].map(([from = 0, to = 0]) => `from=${Math.floor(nowMs - from)}&to=${Math.floor(nowMs - to)}`);
}

/** Writes the events before that moment, and looks at every range in that zone. */
async function look(
  fixture: TimedFixture,
  account: TestAccount,
  timeZone: string,
  nowMs: number,
): Promise<void> {
  fixture.clock.set(nowMs);
  const { siteKey } = account.site;
  const events = eventsBefore(nowMs);
  const batch: SiteSum[] = events.flatMap((atMs) =>
    VISITOR.map((metric) => ({ siteKey, metric, atMs, count: 1 })),
  );
  await fixture.store.statistics.add(batch);
  await fixture.store.statistics.prune(nowMs);
  const { cookie } = await newSession(fixture, account.members.viewer.member);
  const { sites } = await read<SitesData>(fixture, cookie, "sites");
  const listed = sites.find((site) => site.siteKey === siteKey) ?? assert.fail();
  const queries = [...Object.keys(RANGES).map((range) => `range=${range}`), ...chosenBefore(nowMs)];
  for (const query of queries) {
    const asked = `${query}&timeZone=${encodeURIComponent(timeZone)}`;
    const outcome = await read<OutcomeData>(fixture, cookie, `sites/${siteKey}/outcome?${asked}`);
    const scores = await read<ScoresData>(fixture, cookie, `sites/${siteKey}/scores?${asked}`);
    const what = `${query} in ${timeZone} at ${new Date(nowMs).toISOString()}, ${fixture.name}`;
    assertAddsUp(outcome, scores, events, what);
    if (query !== "range=24h") continue;
    const { issued, solved, tokens, verified } = outcome.sums;
    assert.deepEqual(
      [listed.issued, listed.solved, listed.tokens, listed.verified],
      [issued, solved, tokens, verified],
    );
    assert.equal(sum(listed.sparkline), solved, what);
    assert.deepEqual(
      listed.sparkline,
      outcome.points.map((point) => point.solved),
      what,
    );
    assert.deepEqual(
      [listed.solveP50Ms, listed.passRate],
      [outcome.solveTimes.p50Ms, outcome.passRate],
      what,
    );
  }
}

suite("list, outcome, chart and histogram show one number for one range (spec 1, List Sites, View Statistics)", async () => {
  const fixtures = [await startInProcess(), await startInProcess({}, SQLITE)];
  test.after(async () => {
    for (const fixture of fixtures) await fixture.stop();
  });
  for (const fixture of fixtures) {
    for (const [timeZone, looks] of Object.entries(LOOKS)) {
      test(`in ${timeZone} (${fixture.name})`, async () => {
        for (const nowMs of looks) {
          fixture.clock.set(nowMs);
          await look(fixture, await newAccount(fixture), timeZone, nowMs);
        }
      });
    }
  }
});
