import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeBehaviour } from "@stile/protocol/decode-signals";
import type { ObservedBehaviour } from "@stile/protocol/observed-signals";
import { POINTER_KINDS, type PointerSample, SIGNALS_VERSION } from "@stile/protocol/signals";
import type { SiteMode } from "@stile/protocol/site-settings";
import type { Site } from "../site/site.ts";
import { DEFAULT_SETTINGS } from "../site/site-settings.ts";
import { type Click, clickOf, decideSubmission } from "./decide-submission.ts";

function siteOf(mode: SiteMode): Site {
  return {
    ...DEFAULT_SETTINGS,
    mode,
    name: "Shop",
    domains: ["example.org"],
    siteKey: "pk_0123456789ABCDEFabcdef",
    accountId: "acc",
    createdAtMs: 0,
    deletedAtMs: null,
    secretKeys: [],
    revision: 1,
  };
}

const SCORES = [0.29, 0.3, 0.59, 0.6];
/** The decisions for visitors who lack nothing but the click. */
const decisions = (mode: SiteMode, click: Click): string[] =>
  SCORES.map((score) =>
    decideSubmission(siteOf(mode), {
      score,
      otherwise: 0.05,
      click,
      mayPay: false,
      stage: "first",
    }),
  );

test("managed lets a visitor of whom only keys were seen pay instead of pressing (D9, submission)", () => {
  const decide = (mode: SiteMode, click: Click, otherwise = 0.05, score = 0.3) =>
    decideSubmission(siteOf(mode), { score, otherwise, click, mayPay: true, stage: "first" });
  assert.equal(decide("managed", "not_asked"), "price");
  assert.equal(decide("managed", "not_asked", 0.05, 0.05), "issue");
  assert.equal(decide("managed", "not_asked", 0.3, 0.37), "step_up", "another doubt");
  assert.equal(decide("managed", "due"), "step_up", "a press that was asked for is due");
  assert.equal(decide("interactive", "not_asked"), "step_up");
  assert.equal(decide("managed", "not_asked", 0.6, 0.7), "block");
});

test("managed asks for a click only at risk and blocks at high risk, clicked or not (D9, submission)", () => {
  assert.deepEqual(decisions("managed", "not_asked"), ["issue", "step_up", "step_up", "block"]);
  assert.deepEqual(decisions("managed", "made"), ["issue", "issue", "issue", "block"]);
});

test("a requested click is due, whatever the score (D9, submission)", () => {
  assert.deepEqual(decisions("managed", "due"), ["step_up", "step_up", "step_up", "block"]);
});

test("interactive always asks for a click (D9, submission)", () => {
  for (const click of ["not_asked", "due"] as const) {
    assert.deepEqual(decisions("interactive", click), ["step_up", "step_up", "step_up", "block"]);
  }
  assert.deepEqual(decisions("interactive", "made"), ["issue", "issue", "issue", "block"]);
});

test("a press resolves only low evidence: other doubts cost one harder challenge (D9, submission)", () => {
  const decide = (mode: SiteMode, click: Click, otherwise: number) =>
    decideSubmission(siteOf(mode), {
      score: 0.45,
      otherwise,
      click,
      mayPay: true,
      stage: "stepped_up",
    });
  for (const mode of ["managed", "interactive"] as const) {
    assert.equal(decide(mode, "made", 0.29), "issue", mode);
    assert.equal(decide(mode, "made", 0.3), "price", mode);
    assert.equal(decide(mode, "due", 0.3), "step_up", mode);
  }
  assert.equal(decide("invisible", "made", 0.3), "issue");
});

test("a visitor who has paid gets a token, unless doubts remain that no press resolves (D9, submission)", () => {
  for (const mode of ["managed", "interactive"] as const) {
    const decide = (score: number, otherwise: number) =>
      decideSubmission(siteOf(mode), {
        score,
        otherwise,
        click: "not_asked",
        mayPay: false,
        stage: "priced",
      });
    assert.deepEqual(
      [decide(0.05, 0.05), decide(0.59, 0.45), decide(0.61, 0.59)],
      ["issue", "issue", "issue"],
      mode,
    );
    assert.equal(decide(0.97, 0.97), "block", mode);
  }
});

test("non_interactive and invisible always issue a token, at any score (D9, submission)", () => {
  for (const mode of ["non_interactive", "invisible"] as const) {
    for (const click of ["not_asked", "due", "made"] as const) {
      assert.deepEqual(decisions(mode, click), ["issue", "issue", "issue", "issue"]);
    }
  }
});

test("a click by any device counts; other pointer events and withheld behaviour do not (D9, submission)", () => {
  const behaviourOf = (kinds: readonly number[]): ObservedBehaviour =>
    decodeBehaviour({
      v: SIGNALS_VERSION,
      durationMs: 1,
      solveMs: null,
      pointer: kinds.map((kind): PointerSample => [1, 2, 3, kind, 0, 0, 1]),
      keys: [],
      focus: [],
      visibility: [],
      scroll: [],
      box: null,
      callers: [],
    });
  const withoutClick = POINTER_KINDS.flatMap((kind, index) => (kind === "click" ? [] : [index]));
  const withClick = behaviourOf([0, POINTER_KINDS.indexOf("click")]);
  assert.equal(clickOf("click", withClick), "made");
  for (const behaviour of [behaviourOf(withoutClick), behaviourOf([]), "withheld"] as const) {
    assert.equal(clickOf("click", behaviour), "due");
  }
  assert.equal(
    clickOf("none", withClick),
    "not_asked",
    "a click that was not asked for does not count",
  );
});
