import assert from "node:assert/strict";
import { test } from "node:test";
import type { OutcomeData, OutcomePoint } from "@stile/protocol/dashboard-statistics";
import {
  bucketLabel,
  describeCourse,
  describeFunnel,
  describeNames,
  describeRefusals,
  describeSolveTimes,
  toCountries,
  toFunnel,
  toSolveBars,
} from "./outcome-words.ts";

/** With plain spaces instead of no-break ones. */
const plain = (text: string) => text.replaceAll("\u00a0", " ");
const HOUR = 3_600_000;
const START = Date.UTC(2026, 5, 2, 12);
const NONE = {
  issued: 0,
  solved: 0,
  failed: 0,
  steppedUp: 0,
  priced: 0,
  blocked: 0,
  tokens: 0,
  verified: 0,
  refused: 0,
};

function outcome(sums: Partial<OutcomeData["sums"]>, issued: readonly number[] = []): OutcomeData {
  const points: OutcomePoint[] = issued.map((count, at) => ({
    ...NONE,
    startMs: START + at * HOUR,
    issued: count,
  }));
  return {
    fromMs: START,
    toMs: START + issued.length * HOUR,
    resolution: "hour",
    timeZone: "UTC",
    points,
    sums: { ...NONE, ...sums },
    refusedByReason: {},
    refusedAtDoor: { domain_mismatch: 0, site_disabled: 0, rate_limited: 0, solution_rejected: 0 },
    refusedHosts: [],
    scoreRequests: 0,
    passRate: null,
    blockRate: null,
    isNeverVerified: false,
    isLastOpen: true,
    solveTimes: { p50Ms: null, p95Ms: null, buckets: [] },
    devices: [],
    countries: [],
    hosts: [],
  };
}

test("names the sum, the share and the peak of the course in the reader's zone", () => {
  const data = outcome({ issued: 1204, solved: 1156 }, [1, 1000, 203]);
  assert.equal(
    plain(describeCourse(data)),
    "1,204 challenges issued, 96% solved; most on Tuesday at 13:00.",
  );
  assert.match(
    describeCourse({ ...data, timeZone: "Pacific/Auckland" }),
    /most on Wednesday at 01:00/,
  );
});

test("describes empty data as nothing, never as NaN or 0 of 0", () => {
  const data = outcome({});
  for (const text of [
    describeCourse(data),
    describeFunnel(data),
    describeSolveTimes(data.solveTimes),
  ]) {
    assert.match(text, /^(No|Nobody|Nothing) /);
  }
  assert.deepEqual(toSolveBars(data.solveTimes), []);
  for (const { note } of toFunnel(data)) assert.doesNotMatch(note, /NaN|-\d/);
});

test("says where the visitors missing from the funnel went", () => {
  const steps = toFunnel(
    outcome({
      issued: 100,
      solved: 80,
      failed: 3,
      steppedUp: 9,
      priced: 0,
      blocked: 1,
      tokens: 70,
      verified: 60,
      refused: 1,
    }),
  );
  assert.deepEqual(
    steps.map(({ count, note }) => [count, note]),
    [
      [100, "20 not solved"],
      [80, "9 challenged with a click, 1 blocked, 3 wrong solutions (not counted)"],
      [70, "10 not verified by your server"],
      [60, "1 call from your server refused"],
    ],
  );
});

test("counts no loss for a step that exceeds the one before: visits end in a later period than they began", () => {
  for (const { note } of toFunnel(outcome({ issued: 5, solved: 8, tokens: 8, verified: 12 }))) {
    assert.doesNotMatch(note, /-/);
  }
});

test("counts challenges solved in the range but issued before it, says that they are older, and gives no share", () => {
  const more = outcome({ issued: 5, solved: 8, tokens: 8, verified: 12 }, [2, 3]);
  assert.equal(
    plain(describeCourse(more)),
    "5 challenges issued, 8 solved, some were issued earlier; most on Tuesday at 13:00.",
  );
  assert.equal(
    plain(describeFunnel(more)),
    "5 challenges issued, 8 solved, 12 verified by your server; some were issued earlier.",
  );
  const late = outcome({ issued: 5, solved: 4, tokens: 4, verified: 6 });
  assert.match(plain(describeCourse(late)), /5 challenges issued, 80% solved/);
  assert.match(describeFunnel(late), /4 solved, 6 verified by your server; some/);
  const none = outcome({ solved: 1, tokens: 1, verified: 1 });
  assert.equal(describeCourse(none), "0 challenges issued, 1 solved, some were issued earlier.");
  assert.match(describeFunnel(none), /^0 challenges issued, 1 solved, 1 verified/);
});

test("names buckets by their bounds, from the first to the last that is not empty", () => {
  assert.equal(plain(bucketLabel(0, 100)), "under 100 ms");
  assert.equal(plain(bucketLabel(200, 300)), "200 to 300 ms");
  assert.equal(plain(bucketLabel(700, 1000)), "700 ms to 1 s");
  assert.equal(plain(bucketLabel(1000, 1400)), "1 to 1.4 s");
  assert.equal(plain(bucketLabel(120_000, null)), "2 min or more");
  const bars = toSolveBars({
    p50Ms: 1,
    p95Ms: 1,
    buckets: [
      { belowMs: 100, count: 0 },
      { belowMs: 200, count: 4 },
      { belowMs: 300, count: 0 },
      { belowMs: 400, count: 2 },
      { belowMs: null, count: 0 },
    ],
  });
  assert.deepEqual(
    bars.map((bar) => ({ ...bar, label: plain(bar.label) })),
    [
      { label: "100 to 200 ms", count: 4 },
      { label: "200 to 300 ms", count: 0 },
      { label: "300 to 400 ms", count: 2 },
    ],
  );
});

test("says the most frequent reason of refusal and the most frequent name of a list", () => {
  assert.match(describeRefusals(outcome({})), /^No calls /);
  const data = {
    ...outcome({ refused: 7 }),
    refusedByReason: { token_expired: 2, invalid_secret: 5 },
  };
  assert.equal(describeRefusals(data), "7 calls refused, most often as invalid_secret.");
  assert.equal(
    plain(
      describeNames([
        { name: "mobile", count: 3 },
        { name: "desktop", count: 1 },
      ]),
    ),
    "Mostly mobile (75% of 4).",
  );
  assert.match(describeNames([]), /^No visits /);
});

test("shows country codes as countries, an unknown code as itself, and the rest of a long list as one sum", () => {
  const codes = ["NZ", "DE", "XX"].map((name, at) => ({ name, count: 9 - at }));
  const named = ["New Zealand", "Germany", "XX"].map((name, at) => ({ name, count: 9 - at }));
  assert.deepEqual(toCountries(codes), named);
  assert.deepEqual(toCountries([]), []);
  const letters = Array.from({ length: 20 }, (_, at) => ({
    name: `X${String.fromCharCode(65 + at)}`,
    count: 100 - at,
  }));
  const shown = toCountries(letters);
  assert.deepEqual(
    [shown.length, shown.at(-1)],
    [16, { name: "All others", count: 85 + 84 + 83 + 82 + 81 }],
  );
  assert.equal(toCountries(letters.slice(0, 15)).length, 15);
});
