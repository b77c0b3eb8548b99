import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeBehaviour } from "@stile/protocol/decode-signals";
import type { ObservedBehaviour } from "@stile/protocol/observed-signals";
import { POINTER_KINDS, type PointerSample, SIGNALS_VERSION } from "@stile/protocol/signals";
import { INTERACTIONS, type Interaction, type SiteMode } from "@stile/protocol/site-settings";
import type { Site } from "../site/site.ts";
import { DEFAULT_SETTINGS } from "../site/site-settings.ts";
import { decideSubmission, hasClick } from "./decide-submission.ts";

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
const decisions = (mode: SiteMode, asked: Interaction, hasClicked: boolean): string[] =>
  SCORES.map((score) => decideSubmission(siteOf(mode), score, asked, hasClicked));

test("managed asks for a click only at risk and blocks at high risk, clicked or not (D9)", () => {
  assert.deepEqual(decisions("managed", "none", false), ["issue", "step_up", "step_up", "block"]);
  assert.deepEqual(decisions("managed", "click", true), ["issue", "issue", "issue", "block"]);
});

test("a click that was asked for is due, whatever the score (D9)", () => {
  assert.deepEqual(decisions("managed", "click", false), ["step_up", "step_up", "step_up", "block"]);
});

test("a click that was not asked for does not count (D9)", () => {
  assert.deepEqual(decisions("managed", "none", true), ["issue", "step_up", "step_up", "block"]);
  assert.deepEqual(decisions("interactive", "none", true), ["step_up", "step_up", "step_up", "block"]);
});

test("interactive always asks for a click (D9)", () => {
  assert.deepEqual(decisions("interactive", "click", false), ["step_up", "step_up", "step_up", "block"]);
  assert.deepEqual(decisions("interactive", "click", true), ["issue", "issue", "issue", "block"]);
});

test("non_interactive and invisible always issue a token, at any score (D9)", () => {
  for (const mode of ["non_interactive", "invisible"] as const) {
    for (const asked of INTERACTIONS) {
      assert.deepEqual(decisions(mode, asked, false), ["issue", "issue", "issue", "issue"]);
    }
  }
});

test("a click of any device counts, other pointer events and withheld behaviour don't (D9)", () => {
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
  assert.equal(hasClick(behaviourOf(withoutClick)), false);
  assert.equal(hasClick(behaviourOf([0, POINTER_KINDS.indexOf("click")])), true);
  assert.equal(hasClick(behaviourOf([])), false);
  assert.equal(hasClick("withheld"), false);
});
