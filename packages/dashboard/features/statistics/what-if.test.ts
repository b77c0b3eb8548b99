import assert from "node:assert/strict";
import { test } from "node:test";
import { countZones, describeScores, describeWhatIf, moveThreshold, whatIf } from "./what-if.ts";

const DEFAULTS = { challenge: 0.3, block: 0.6 };

/** 101 counts, all zero except these. */
function counts(some: Readonly<Record<number, number>>): number[] {
  return Array.from({ length: 101 }, (_, score) => some[score] ?? 0);
}

test("counts a score equal to a threshold in the range above it (D6, scores)", () => {
  const scored = counts({ 29: 1, 30: 10, 59: 100, 60: 1000, 100: 10_000 });
  assert.deepEqual(countZones(scored, DEFAULTS), { allowed: 1, challenged: 110, blocked: 11_000 });
});

test("meets hundredths exactly that floating point cannot represent", () => {
  for (let hundredths = 1; hundredths <= 100; hundredths++) {
    const scored = counts({ [hundredths]: 1 });
    const block = hundredths / 100;
    assert.equal(countZones(scored, { challenge: 0.01, block }).blocked, 1, `at ${block}`);
    assert.equal(
      countZones(scored, { challenge: 0.01, block: 0.1 + 0.2 }).blocked,
      hundredths >= 30 ? 1 : 0,
    );
  }
});

test("says how many more a lower block threshold stops, and how many of them the customer's server let in", () => {
  const scored = counts({ 10: 500, 49: 7, 50: 300, 59: 12, 60: 40 });
  const verified = counts({ 10: 480, 49: 5, 50: 8, 59: 1, 60: 3 });
  const tried = { challenge: 0.3, block: 0.5 };
  const result = whatIf(scored, verified, DEFAULTS, tried);
  assert.deepEqual(result, { blockedMore: 312, challengedMore: -312, verifiedAmong: 9 });
  assert.equal(
    describeWhatIf(result, tried, true),
    "At 0.50 you would have blocked 312 more visits; 9 of them had a token that your server verified. You would have challenged 312 fewer.",
  );
  assert.doesNotMatch(describeWhatIf(result, tried, false), /verified/, "unknown is not zero");
});

test("says how many fewer a higher block threshold stops", () => {
  const result = whatIf(counts({ 65: 40 }), counts({}), DEFAULTS, { challenge: 0.3, block: 0.7 });
  assert.deepEqual(result, { blockedMore: -40, challengedMore: 40, verifiedAmong: 0 });
  assert.match(
    describeWhatIf(result, { challenge: 0.3, block: 0.7 }, true),
    /0\.70 .* 40 fewer visits\. You would have challenged 40 more\./,
  );
});

test("finds no change for the same thresholds", () => {
  const result = whatIf(counts({ 10: 5, 90: 5 }), counts({ 10: 5 }), DEFAULTS, DEFAULTS);
  assert.deepEqual(result, { blockedMore: 0, challengedMore: 0, verifiedAmong: 0 });
  assert.match(describeWhatIf(result, DEFAULTS, true), /the same number/);
});

test("lets no slider put challenge above block, or a threshold out of range", () => {
  for (let value = -20; value <= 120; value++) {
    for (const which of ["challenge", "block"] as const) {
      const { challenge, block } = moveThreshold(DEFAULTS, which, value / 100);
      assert.ok(challenge > 0 && challenge <= block && block <= 1, `${which} ${value}`);
    }
  }
  assert.deepEqual(moveThreshold(DEFAULTS, "block", 0.2), { challenge: 0.2, block: 0.2 });
  assert.deepEqual(moveThreshold(DEFAULTS, "challenge", 0.8), { challenge: 0.8, block: 0.8 });
});

test("names all three ranges in the summary, and says if there is nothing", () => {
  assert.equal(
    describeScores(counts({ 5: 960, 40: 30, 80: 10 }), DEFAULTS).replaceAll("\u00a0", " "),
    "1,000 visits scored: 960 (96%) allowed, 30 (3%) challenged, 10 (1%) blocked.",
  );
  assert.equal(describeScores(counts({}), DEFAULTS), "No visits were scored in this period.");
});
