import assert from "node:assert/strict";
import { test } from "node:test";
import { CHROME_VISITOR } from "@stile/testkit/visits/find-visitor";
import type { Detector, HistoryEvidence } from "../evidence.ts";
import { behaviourRepeated, ipChanged, ipHidden, signalsReplayed, tokenInvalid, uaChanged } from "./history.ts";

const FACTS: readonly (readonly [keyof HistoryEvidence, Detector])[] = [
  ["isAddressChanged", ipChanged],
  ["isAddressHidden", ipHidden],
  ["isUserAgentChanged", uaChanged],
  ["isSignalsReplayed", signalsReplayed],
  ["isTokenInvalid", tokenInvalid],
];

test("ip_changed: raised by another network (D5)", () => {
  assert.ok(ipChanged({ history: { isAddressChanged: true } }));
});

test("ip_hidden: raised by an address that a proxy hid (D5)", () => {
  assert.ok(ipHidden({ history: { isAddressHidden: true } }));
});

test("ua_changed: raised by another user agent at redemption (D5)", () => {
  assert.ok(uaChanged({ history: { isUserAgentChanged: true } }));
});

test("signals_replayed: raised by observations handed in twice (D7)", () => {
  assert.ok(signalsReplayed({ history: { isSignalsReplayed: true } }));
});

test("token_invalid: raised by a forged, foreign, expired or spent token (D7)", () => {
  assert.ok(tokenInvalid({ history: { isTokenInvalid: true } }));
});

test("history: each fact raises its own flag only, and none is raised without a past", () => {
  for (const [fact, own] of FACTS) {
    for (const [, detector] of FACTS) {
      assert.equal(detector({ history: { [fact]: true } }), detector === own, fact);
      assert.ok(!detector({ history: { [fact]: false } }), fact);
    }
  }
  for (const [, detector] of FACTS) assert.ok(!detector(CHROME_VISITOR) && !detector({}));
});

test("behaviour_repeated: raised by what the service remembers, and absent otherwise", () => {
  assert.equal(behaviourRepeated({ history: { isBehaviourRepeated: true } }), true);
  assert.equal(behaviourRepeated({ history: { isBehaviourRepeated: false } }), false);
  assert.equal(behaviourRepeated({}), false);
});
