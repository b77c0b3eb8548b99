import assert from "node:assert/strict";
import { test } from "node:test";
import { createTokenUsage } from "./token-usage.ts";

const WINDOW_MS = 900_000;
/** The start of a window. */
const START_MS = 2_000_000 * WINDOW_MS;
const SETTLED_MS = START_MS + 2 * WINDOW_MS;
const BOUNDS = { maxNetworks: 100, maxSites: 10 };
const NONE = { earned: 0, redeemed: 0, traced: 0, moved: 0 };

type Windows = ReturnType<typeof createTokenUsage>;

function earn(entries: Windows, network: string, count: number, nowMs = START_MS): void {
  for (let i = 0; i < count; i++) entries.recordEarned("pk_1", network, nowMs);
}

type Redeemed = { readonly hasMoved?: boolean; readonly earnedAtMs?: number };

function redeem(entries: Windows, network: string, count: number, redeemed: Redeemed = {}): void {
  const { hasMoved, earnedAtMs = START_MS } = redeemed;
  const nowMs = earnedAtMs + 60_000;
  const use = { siteKey: "pk_1", network, earnedAtMs, nowMs, hasMoved };
  for (let i = 0; i < count; i++) entries.recordRedeemed(use);
}

test("separates a network's tokens from those of the site's other networks, with their use", () => {
  const entries = createTokenUsage(BOUNDS);
  earn(entries, "farm", 20);
  earn(entries, "home", 3);
  earn(entries, "office", 5);
  redeem(entries, "farm", 2, { hasMoved: true });
  redeem(entries, "home", 3, { hasMoved: false });
  redeem(entries, "office", 1);
  assert.deepEqual(entries.find("pk_1", "farm", SETTLED_MS), {
    network: { earned: 20, redeemed: 2, traced: 2, moved: 2 },
    others: { earned: 8, redeemed: 4, traced: 3, moved: 0 },
  });
});

test("returns what a network earned on one site in the last 45 to 60 minutes", () => {
  const entries = createTokenUsage(BOUNDS);
  for (const at of [0, 1, 2, 3]) earn(entries, "home", 1 + at, START_MS + at * WINDOW_MS);
  earn(entries, "office", 50);
  const earnedAt = (at: number) => entries.earnedLately("pk_1", "home", START_MS + at * WINDOW_MS);
  assert.deepEqual([3, 3.9, 5, 6, 7].map(earnedAt), [10, 10, 7, 4, 0]);
  assert.equal(entries.earnedLately("pk_2", "home", START_MS), 0);
  assert.equal(entries.earnedLately("pk_1", "nobody", START_MS), 0);
});

test("returns how many tokens of the network's hour were redeemed (D10, limits)", () => {
  const entries = createTokenUsage(BOUNDS);
  earn(entries, "home", 9);
  const redeemAt = (earnedAtMs: number, nowMs: number): number =>
    entries.recordRedeemed({
      siteKey: "pk_1",
      network: "home",
      earnedAtMs,
      nowMs,
      hasMoved: undefined,
    });
  assert.deepEqual([redeemAt(START_MS, START_MS), redeemAt(START_MS, START_MS + 1)], [1, 2]);
  const laterMs = START_MS + 3 * WINDOW_MS;
  assert.equal(redeemAt(laterMs, laterMs), 3);
  assert.equal(
    redeemAt(laterMs + WINDOW_MS, laterMs + WINDOW_MS),
    2,
    "the first two are an hour old",
  );
});

test("counts redeemed tokens as earned, too", () => {
  const entries = createTokenUsage(BOUNDS);
  earn(entries, "home", 5);
  redeem(entries, "home", 5);
  assert.equal(entries.earnedLately("pk_1", "home", START_MS + 60_000), 5);
});

test("returns nothing for tokens that may still be redeemed, whenever they were earned", () => {
  for (const afterMs of [0, 1, WINDOW_MS / 2, WINDOW_MS - 1]) {
    const entries = createTokenUsage(BOUNDS);
    earn(entries, "home", 40, START_MS + afterMs);
    const lastMs = START_MS + afterMs + WINDOW_MS - 1;
    assert.equal(entries.find("pk_1", "home", lastMs), undefined, `earned after ${afterMs} ms`);
    assert.equal(entries.find("pk_1", "home", SETTLED_MS)?.network.earned, 40);
  }
});

test("forgets a window one window after it was scored, and keeps nothing of an idle network", () => {
  const entries = createTokenUsage(BOUNDS);
  earn(entries, "home", 40);
  assert.equal(entries.find("pk_1", "home", SETTLED_MS + WINDOW_MS - 1)?.network.earned, 40);
  assert.equal(entries.find("pk_1", "home", SETTLED_MS + WINDOW_MS), undefined);
  assert.equal(entries.find("pk_1", "home", SETTLED_MS + 50 * WINDOW_MS), undefined);
});

test("counts a redemption in the window in which its token was earned", () => {
  const entries = createTokenUsage(BOUNDS);
  const lateMs = START_MS + WINDOW_MS - 1;
  earn(entries, "home", 10, lateMs);
  earn(entries, "home", 4, lateMs + 30_000);
  redeem(entries, "home", 7, { hasMoved: false, earnedAtMs: lateMs });
  assert.deepEqual(entries.find("pk_1", "home", SETTLED_MS)?.network, {
    earned: 10,
    redeemed: 7,
    traced: 7,
    moved: 0,
  });
  assert.deepEqual(entries.find("pk_1", "home", SETTLED_MS + WINDOW_MS)?.network, {
    ...NONE,
    earned: 4,
  });
});

test("separates sites, and ignores tokens of an earlier process", () => {
  const entries = createTokenUsage(BOUNDS);
  earn(entries, "home", 2);
  redeem(entries, "home", 9, { hasMoved: true });
  redeem(entries, "unknown", 9, { hasMoved: true });
  assert.equal(entries.find("pk_2", "home", SETTLED_MS), undefined);
  assert.deepEqual(entries.find("pk_1", "home", SETTLED_MS), {
    network: { earned: 2, redeemed: 2, traced: 2, moved: 2 },
    others: NONE,
  });
});

test("counts a redemption that another node reports before the earning of its token", () => {
  const entries = createTokenUsage(BOUNDS);
  redeem(entries, "home", 1, { hasMoved: false });
  earn(entries, "home", 2);
  redeem(entries, "home", 1, { hasMoved: true });
  const home = { earned: 2, redeemed: 2, traced: 2, moved: 1 };
  assert.deepEqual(entries.find("pk_1", "home", SETTLED_MS), { network: home, others: NONE });
});

test("keeps memory bounded: forgets the network that earned nothing for longest, and keeps an active one", () => {
  const entries = createTokenUsage(BOUNDS);
  earn(entries, "first", 1);
  for (let i = 0; i < 1000; i++) {
    earn(entries, `flood-${i}`, 1);
    if (i % 50 === 0) earn(entries, "active", 1);
  }
  assert.equal(entries.find("pk_1", "first", SETTLED_MS), undefined);
  assert.equal(entries.find("pk_1", "active", SETTLED_MS)?.network.earned, 20);
  const kept = Array.from({ length: 1000 }, (_, i) =>
    entries.find("pk_1", `flood-${i}`, SETTLED_MS),
  );
  assert.equal(kept.filter((it) => it !== undefined).length, 99);
  for (let i = 0; i < 50; i++) entries.recordEarned(`pk_flood_${i}`, "home", START_MS);
  assert.equal(entries.find("pk_1", "active", SETTLED_MS), undefined, "its site was evicted");
});

test("neither loses nor invents tokens when the clock goes back", () => {
  const entries = createTokenUsage(BOUNDS);
  earn(entries, "home", 3);
  earn(entries, "home", 2, START_MS + WINDOW_MS);
  earn(entries, "home", 1, START_MS);
  assert.equal(entries.find("pk_1", "home", START_MS - 5 * WINDOW_MS), undefined);
  assert.equal(entries.find("pk_1", "home", SETTLED_MS)?.network.earned, 4);
});

test("counts the networks of one site that recently earned at least so many tokens", () => {
  const entries = createTokenUsage(BOUNDS);
  earn(entries, "farm", 20);
  earn(entries, "home", 3, START_MS + WINDOW_MS);
  for (let i = 0; i < 50; i++) entries.recordEarned("pk_10", "farm", START_MS);
  const countAt = (least: number, windows = 1) =>
    entries.countEarners("pk_1", (tokens) => tokens >= least, START_MS + windows * WINDOW_MS);
  assert.deepEqual([countAt(1), countAt(3), countAt(4), countAt(21)], [2, 2, 1, 0]);
  // Tokens earned an hour ago no longer count.
  assert.deepEqual([countAt(1, 4), countAt(1, 5)], [1, 0]);
});
