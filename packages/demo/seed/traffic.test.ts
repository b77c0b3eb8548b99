import assert from "node:assert/strict";
import { test } from "node:test";
import type { SiteSum } from "@stile/core/domain/statistics/metrics";
import { DEMO_SITES } from "./demo-sites.ts";
import { createTraffic } from "./traffic.ts";

const TO_MS = Date.UTC(2026, 5, 15, 12, 30);
const FROM_MS = TO_MS - 60 * 86_400_000;

function sumOf(sums: readonly SiteSum[], prefix: string): number {
  return sums.reduce(
    (sum, { metric, count }) => (metric.startsWith(prefix) ? sum + count : sum),
    0,
  );
}

for (const { settings, traffic } of DEMO_SITES) {
  const sums = [...createTraffic("pk_x", traffic, FROM_MS, TO_MS)].flat();

  test(`${settings.name}: seeded counts add up as the service's own do`, () => {
    const solved = sumOf(sums, "challenge_solved");
    assert.ok(solved > 0);
    for (const kind of ["score:", "solve:", "device:", "host:"])
      assert.equal(sumOf(sums, kind), solved, kind);
    const outcomes = ["token_issued", "challenge_stepped_up", "challenge_blocked"].map((metric) =>
      sumOf(sums, metric),
    );
    assert.equal(
      outcomes.reduce((a, b) => a + b, 0),
      solved,
    );
    assert.equal(sumOf(sums, "verified_score:"), sumOf(sums, "token_redeemed"));
    assert.ok(sumOf(sums, "token_redeemed") <= sumOf(sums, "token_issued"));
    assert.ok(sumOf(sums, "challenge_issued") >= solved);
  });

  test(`${settings.name}: every count is a positive integer in its period, and only the last two days have counts by minute`, () => {
    for (const { count, atMs } of sums) {
      assert.ok(Number.isInteger(count) && count > 0);
      assert.ok(atMs >= FROM_MS && atMs < TO_MS);
      if (atMs < TO_MS - 49 * 3_600_000) assert.equal(atMs % 3_600_000, 0);
    }
  });

  test(`${settings.name}: the same seed gives the same data`, () => {
    assert.deepEqual([...createTraffic("pk_x", traffic, FROM_MS, TO_MS)].flat(), sums);
  });
}

test("leaves one demo site without verification, so that its warning shows", () => {
  assert.equal(DEMO_SITES.filter(({ traffic }) => traffic.redeemedShare === 0).length, 1);
});
