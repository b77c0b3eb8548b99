import assert from "node:assert/strict";
import { test } from "node:test";
import { gateOf, isFallen, type ReleaseVotes, sumVotes, voteOf } from "./agreement.ts";

const NONE = (release: string): ReleaseVotes => ({ release, near: 0, nearShare: 0, low: 0, lowShare: 0 });
/** Votes of a release: for each pair, that many visits with that share. */
const votes = (release: string, ...visits: readonly (readonly [count: number, share: number])[]): ReleaseVotes =>
  visits
    .flatMap(([count, share]) => Array.from({ length: count }, () => voteOf(release, share) ?? NONE(release)))
    .reduce(sumVotes, NONE(release));

test("layouts count from two engines and 200 visits on that have 98 of 100 reads as the bank has them", () => {
  const honest = (count: number) => [votes("Chromium 156", [count - 50, 1]), votes("Firefox 153", [50, 0.96])];
  assert.equal(gateOf(2, honest(200)).isOpen, true);
  assert.equal(gateOf(2, honest(199)).isOpen, false);
  assert.equal(gateOf(1, honest(500)).isOpen, false);
  const off = gateOf(2, [votes("Chromium 156", [200, 0.97])]);
  assert.deepEqual([off.isOpen, off.visits, off.fallen, Math.round(100 * off.share)], [false, 200, [], 97]);
  assert.deepEqual(gateOf(0, []), { isOpen: false, engines: 0, visits: 0, share: 1, fallen: [] });
});

test("who guesses has no vote, however many they are", () => {
  assert.equal(voteOf("Chromium 156", 0.11), undefined);
  assert.equal(gateOf(2, [votes("Chromium 156", [200, 1], [5000, 0.11])]).isOpen, true);
});

test("who answers as layout libraries do does not keep it shut while most of that release are browsers", () => {
  const flooded = votes("Chromium 156", [200, 1], [200, 0.65]);
  assert.equal(isFallen(flooded), false);
  assert.equal(gateOf(2, [flooded]).isOpen, true);
});

test("who answers so under releases that they make up does not keep it shut either", () => {
  const madeUp = Array.from({ length: 30 }, (_, at) => votes(`Chromium ${7000 + at}`, [19, 0.65]));
  const { isOpen, visits, share, fallen } = gateOf(2, [votes("Chromium 156", [200, 1]), ...madeUp]);
  assert.deepEqual([isOpen, visits, share, fallen], [true, 200, 1, []]);
});

test("a release that most of its visits say lays out otherwise falls, and the others count without it", () => {
  const fallen = votes("Chromium 157", [19, 0.9], [30, 0.6]);
  const { isOpen, visits, fallen: named } = gateOf(2, [votes("Chromium 156", [200, 1]), fallen]);
  assert.deepEqual([isOpen, visits, named], [true, 200, ["Chromium 157"]]);
  assert.equal(isFallen(votes("Chromium 157", [20, 0.94])), true);
  assert.equal(isFallen(votes("Chromium 157", [20, 0.96])), false);
  // Fewer than 20 visits are not enough.
  assert.equal(isFallen(votes("Chromium 157", [19, 0.5])), false);
});

test("forgers who bring right answers open it, and make nobody fall", () => {
  assert.equal(isFallen(votes("Chromium 156", [400, 1])), false);
  assert.equal(gateOf(2, [votes("Chromium 156", [400, 1])]).isOpen, true);
});
