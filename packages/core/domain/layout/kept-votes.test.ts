import assert from "node:assert/strict";
import { test } from "node:test";
import type { ReleaseVotes } from "./agreement.ts";
import { addToVotes, type KeptVotes, weighVotes } from "./kept-votes.ts";

const DAY_MS = 86_400_000;
const T0 = 20_000 * DAY_MS;
const right = (release: string, near = 1): ReleaseVotes => ({ release, near, nearShare: near, low: 0, lowShare: 0 });

/** Votes in the form that a store keeps them. */
function createKept(rows: readonly KeptVotes[] = []) {
  const kept = new Map(rows.map((one) => [one.release, one]));
  return {
    rows: () => [...kept.values()],
    vote: (nowMs: number, ...votes: readonly ReleaseVotes[]) => {
      const { put, forget } = addToVotes([...kept.values()], votes, nowMs);
      for (const release of forget) kept.delete(release);
      for (const one of put) kept.set(one.release, one);
    },
    countOf: (release: string, nowMs: number) =>
      weighVotes([...kept.values()], nowMs).find((one) => one.release === release)?.near ?? 0,
  };
}

test("whoever makes up releases day after day neither keeps a new one out nor pushes one out that has visitors", () => {
  const kept = createKept();
  kept.vote(T0, right("Chromium 156", 300), right("Firefox 153", 40));
  let madeUp = 7000;
  for (let day = 0; day < 120; day++) {
    const nowMs = T0 + day * DAY_MS;
    // 300 votes a day, three each under names that nobody else has, all of them between two honest ones.
    for (let at = 0; at < 100; at++) kept.vote(nowMs, right(`Chromium ${madeUp++}`, 3));
    kept.vote(nowMs, right("Chromium 156", 8), right("Firefox 153", 4));
    if (day >= 30) kept.vote(nowMs, right("Chromium 157", 4));
    // It is kept from its first day on.
    if (day >= 30) assert.ok(kept.countOf("Chromium 157", nowMs) >= 4 * 2 ** -1);
    assert.ok(kept.rows().length <= 100);
  }
  const nowMs = T0 + 120 * DAY_MS;
  assert.ok(kept.countOf("Chromium 157", nowMs) > 100);
  assert.ok(kept.countOf("Chromium 156", nowMs) > 200);
  assert.ok(kept.countOf("Firefox 153", nowMs) > 100);
});

test("100 made-up releases with many votes are gone when nobody votes for them any more", () => {
  const kept = createKept();
  kept.vote(T0, ...Array.from({ length: 100 }, (_, at) => right(`Chromium ${7000 + at}`, 20)));
  const later = T0 + 180 * DAY_MS;
  kept.vote(later, right("Chromium 160"));
  assert.deepEqual(
    kept.rows().map(({ release }) => release),
    ["Chromium 160"],
  );
});

test("a vote weighs the same whatever else was written, and when", () => {
  const often = createKept();
  const once = createKept();
  for (let day = 0; day <= 90; day++) often.vote(T0 + day * DAY_MS, right("Chromium 156"), right("Firefox 153", day));
  for (const day of [0, 1, 90]) once.vote(T0 + day * DAY_MS, right("Chromium 156", 8));
  const sum = Array.from({ length: 91 }, (_, day) => 2 ** ((day - 90) / 30)).reduce((total, one) => total + one, 0);
  const nowMs = T0 + 90 * DAY_MS;
  assert.ok(Math.abs(often.countOf("Chromium 156", nowMs) - sum) < 1e-9);
  assert.ok(Math.abs(once.countOf("Chromium 156", nowMs) - 8 * (1 + 2 ** (-89 / 30) + 2 ** -3)) < 1e-9);
});

test("votes of a version that knew no ranks have that of their number", () => {
  const old: KeptVotes = { ...right("Chromium 156", 50), rank: 0, day: 20_000 };
  const others = Array.from({ length: 99 }, (_, at) => ({ ...right(`Firefox ${at}`, 2), rank: 2, day: 20_000 }));
  const kept = createKept([old, ...others]);
  kept.vote(T0, right("Chromium 157"));
  assert.equal(kept.countOf("Chromium 156", T0), 50);
  assert.equal(kept.countOf("Chromium 157", T0), 1);
});
