import assert from "node:assert/strict";
import { test } from "node:test";
import {
  countOf,
  formatDuration,
  formatNumber,
  formatPercent,
  formatRelative,
  formatRemaining,
  formatScore,
  NO_VALUE,
} from "./format.ts";

/** With plain spaces instead of no-break ones. */
const plain = (text: string) => text.replaceAll("\u00a0", " ");

test("never shows a share between all and nothing as 100 or 0", () => {
  assert.deepEqual(
    [0, 0.00004, 0.0123, 0.5, 0.994, 0.99996, 1].map((ratio) => plain(formatPercent(ratio))),
    ["0%", "<0.1%", "1.2%", "50%", "99.4%", ">99.9%", "100%"],
  );
  for (let some = 1; some < 100_000; some += 7) {
    assert.doesNotMatch(plain(formatPercent(some / 100_000)), /^(0|100) %$/, String(some));
  }
});

test("shows an unknown value as a dash, not as a number", () => {
  assert.equal(formatPercent(null), NO_VALUE);
  assert.equal(formatPercent(Number.NaN), NO_VALUE);
  assert.equal(formatPercent(1.5), NO_VALUE);
  assert.equal(formatDuration(null), NO_VALUE);
});

test("formats durations with two significant digits, and switches units in time", () => {
  const cases: [number, string][] = [
    [0, "0 ms"],
    [480.4, "480 ms"],
    [1000, "1 s"],
    [1249, "1.2 s"],
    [59_400, "59 s"],
    [59_950, "1 min"],
    [60_000, "1 min"],
    [7_200_000, "2 h"],
    [3 * 86_400_000, "3 days"],
  ];
  for (const [ms, text] of cases) assert.equal(plain(formatDuration(ms)), text);
});

test("shows relative times as past or future, never on the wrong side of now", () => {
  const now = Date.UTC(2026, 5, 3, 12);
  assert.equal(formatRelative(now - 5_000, now), "just now");
  assert.equal(formatRelative(now + 5_000, now), "in less than a minute");
  assert.equal(formatRelative(now - 3 * 60_000, now), "3 minutes ago");
  assert.equal(formatRelative(now + 2 * 3_600_000, now), "in 2 hours");
  assert.equal(formatRelative(now - 40 * 86_400_000, now), "Apr 24, 2026");
});

test("counts the remaining time down to nothing and not below", () => {
  assert.equal(formatRemaining(86_400_000 - 1), "24 h");
  assert.equal(formatRemaining(245_000), "4:05");
  assert.equal(formatRemaining(1), "0:01");
  assert.equal(formatRemaining(0), "0:00");
  assert.equal(formatRemaining(-5_000), "0:00");
});

test("formats numbers, nouns and scores", () => {
  assert.equal(formatNumber(1204), "1,204");
  assert.equal(countOf(1, "call"), "1 call");
  assert.equal(countOf(0, "call"), "0 calls");
  assert.equal(formatScore(0.3), "0.30");
});
