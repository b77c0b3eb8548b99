import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  checkHistory,
  type RedeemCall,
  type RedeemOutcome,
  type RepeatRule,
} from "./check-history.ts";

const call = (
  outcome: RedeemOutcome,
  sentAtMs: number,
  endedAtMs: number,
  key?: string,
): RedeemCall => ({
  outcome,
  sentAtMs,
  endedAtMs,
  idempotencyKey: key,
});

const CASES: readonly [string, readonly RedeemCall[], string, readonly string[]][] = [
  ["one of two", [call("verified", 0, 9), call("used", 0, 5)], "told", []],
  ["two of two", [call("verified", 0, 9), call("verified", 0, 5)], "told", ["double"]],
  [
    "one after the other",
    [call("verified", 0, 9), call("verified", 10, 11)],
    "told",
    ["double", "forgotten"],
  ],
  ["a repeat", [call("verified", 0, 9, "k"), call("verified", 10, 11, "k")], "told", []],
  [
    "a repeat of another key",
    [call("verified", 0, 9, "k"), call("verified", 5, 11, "l")],
    "told",
    ["double"],
  ],
  [
    "a repeat too late",
    [call("verified", 0, 9, "k"), call("verified", 70_000, 70_001, "k")],
    "told",
    ["double"],
  ],
  [
    "a repeat refused",
    [call("verified", 0, 9, "k"), call("used", 20, 30, "k")],
    "told",
    ["repeat_refused"],
  ],
  [
    "a repeat refused in its time",
    [call("verified", 0, 9, "k"), call("used", 60_010, 60_020, "k")],
    "told",
    [],
  ],
  [
    "a repeat refused after the shorter time of its call",
    [
      { ...call("verified", 0, 9, "k"), repeatMs: 10_000 },
      { ...call("used", 10_010, 10_020, "k"), repeatMs: 10_000 },
    ],
    "told",
    [],
  ],
  [
    "used before it was sent",
    [call("used", 0, 9), call("verified", 10, 11)],
    "told",
    ["forgotten"],
  ],
  [
    "used, then a repeat of a lost one",
    [call("cut", 0, 1, "k"), call("used", 0, 9), call("verified", 10, 11, "k")],
    "told",
    [],
  ],
  ["used, and nobody spent it", [call("used", 0, 9)], "lost", ["burned"]],
  [
    "used, and a later call was lost",
    [call("used", 0, 9), call("cut", 10, 11)],
    "lost",
    ["burned"],
  ],
  ["spent, and the answer lost", [call("cut", 0, 3), call("used", 0, 9)], "lost", []],
  [
    "spent by a write that outlived its answer",
    [call("unavailable", 0, 3), call("used", 5, 9)],
    "unknown",
    [],
  ],
  ["expired, and nobody spent it", [call("expired", 0, 9)], "expired", []],
  ["expired, and the answer lost", [call("cut", 0, 3), call("expired", 0, 9)], "expired", []],
  ["spent, then expired", [call("verified", 0, 3), call("expired", 5, 9)], "told", []],
  ["expired, then spent", [call("expired", 0, 3), call("verified", 5, 9)], "told", ["forgotten"]],
  [
    "expired, then a repeat",
    [call("cut", 0, 1, "k"), call("expired", 0, 3), call("verified", 5, 9, "k")],
    "told",
    [],
  ],
  [
    "a repeat expired",
    [call("verified", 0, 9, "k"), call("expired", 20, 30, "k")],
    "told",
    ["repeat_refused"],
  ],
  [
    "expired and used, and nobody spent it",
    [call("expired", 0, 3), call("used", 0, 9)],
    "lost",
    ["burned"],
  ],
  ["nothing known", [call("unavailable", 0, 3), call("cut", 5, 9)], "no", []],
];

for (const [name, history, spent, wrong] of CASES) {
  test(`names the fault of this history, if any: ${name} (D2, redemption; D3, single use)`, () => {
    assert.deepEqual(checkHistory(history), { spent, wrong });
  });
}

const TINY: RepeatRule = { repeatMs: 3, slackMs: 0 };
const LAST_MS = 8;

type Spent = { readonly key: string | undefined; readonly atMs: number };

/**
 * The engine's allowed answers now: those of D2 (redemption), and that it only knows the token may
 * have been spent before.
 */
function answersTo(
  next: RedeemCall,
  ms: number,
  spent: Spent | undefined,
  hasExpired: boolean,
): RedeemOutcome[] {
  const isRepeated =
    spent?.key !== undefined &&
    spent.key === next.idempotencyKey &&
    ms - spent.atMs < TINY.repeatMs;
  if (isRepeated) return ["verified"];
  if (spent === undefined) return hasExpired ? ["expired"] : ["verified", "expired"];
  return ["used", "expired"];
}

/**
 * Tries every order and every moment: the first call that comes spends a token, unless it expired;
 * answers follow D2 (redemption).
 */
function hasOrder(
  left: readonly RedeemCall[],
  nowMs: number,
  spent?: Spent,
  hasExpired = false,
): boolean {
  if (left.every(({ outcome }) => outcome === "unavailable" || outcome === "cut")) return true;
  return left.some((next, at) => {
    const rest = left.toSpliced(at, 1);
    const isUnknown = next.outcome === "unavailable" || next.outcome === "cut";
    const lastMs = isUnknown ? LAST_MS : next.endedAtMs;
    for (let ms = Math.max(nowMs, next.sentAtMs); ms <= lastMs; ms++) {
      const answers = answersTo(next, ms, spent, hasExpired);
      for (const answer of isUnknown ? answers : answers.filter((one) => one === next.outcome)) {
        const spentNow =
          answer === "verified" ? (spent ?? { key: next.idempotencyKey, atMs: ms }) : spent;
        if (hasOrder(rest, ms, spentNow, hasExpired || answer === "expired")) return true;
      }
    }
    return false;
  });
}

const CALL = fc
  .tuple(
    fc.constantFrom<RedeemOutcome>("verified", "used", "expired", "cut"),
    fc.nat(5),
    fc.nat(3),
    fc.constantFrom("k", "l", undefined),
  )
  .map(([outcome, sentAtMs, lengthMs, key]) => call(outcome, sentAtMs, sentAtMs + lengthMs, key));

test("finds fault with exactly those histories that no order of the calls explains", () => {
  let [right, wrong] = [0, 0];
  fc.assert(
    fc.property(fc.array(CALL, { minLength: 1, maxLength: 4 }), (history) => {
      const isExplained = hasOrder(history, 0);
      if (isExplained) right++;
      else wrong++;
      assert.equal(
        checkHistory(history, TINY).wrong.length === 0,
        isExplained,
        JSON.stringify(history),
      );
    }),
    { numRuns: 5000 },
  );
  assert.ok(right > 100 && wrong > 100, `${right}, ${wrong}`);
});
