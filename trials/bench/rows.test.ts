import assert from "node:assert/strict";
import { test } from "node:test";
import type { Round } from "./round.ts";
import { median, toLine, toRows } from "./rows.ts";

const roundOf = (cpuMicrosPerRequest: number, requestsPerSecond: number): Round => ({
  requestsPerSecond,
  cpuMicrosPerRequest,
  p50Ms: 1,
  p99Ms: 2,
  rssBytes: 100 * 2 ** 20,
  profiles: [],
});

test("computes ratios of each round, not of the medians: a machine that slows down slows both", () => {
  const pairs = [
    { service: roundOf(40, 1000), control: roundOf(10, 4000) },
    { service: roundOf(90, 400), control: roundOf(30, 1200) },
    { service: roundOf(50, 900), control: roundOf(10, 4500) },
  ];
  const [row, control] = toRows("redeem", pairs);
  assert.deepEqual([row.cpu_us, row.cpu_us_range], [50, [40, 90]]);
  assert.deepEqual([row.cpu_ratio, row.cpu_ratio_range], [4, [3, 5]]);
  assert.deepEqual([row.ratio, row.ratio_range], [0.25, [0.2, 0.33]]);
  assert.deepEqual([row.rounds, row.rss_mb], [3, 100]);
  assert.deepEqual([control.name, control.cpu_us, control.cpu_ratio], ["redeem control", 10, 1]);
});

test("shows the range next to the median in a line of the table", () => {
  const pairs = [1, 2, 3].map((factor) => ({
    service: roundOf(40 * factor, 1000),
    control: roundOf(10, 4000),
  }));
  const line = toLine(toRows("issue", pairs)[0]);
  assert.equal(line["CPU us"], "80 (40..120)");
  assert.equal(line["CPU ratio"], "8 (4..12)");
});

test("computes the median of an even number of values between the middle two", () => {
  assert.equal(median([4, 1, 3, 2]), 2.5);
  assert.equal(median([9, 1, 5]), 5);
});
