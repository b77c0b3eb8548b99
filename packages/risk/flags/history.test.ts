import assert from "node:assert/strict";
import { test } from "node:test";
import { CHROME_VISITOR } from "@stile/testkit/visits/find-visitor";
import { raises } from "@stile/testkit/visits/raises";
import type { HistoryEvidence } from "../evidence.ts";
import type { FlagRow } from "../flag-row.ts";
import { behaviourRepeated } from "./behaviour-repeated.ts";
import { ipChanged } from "./ip-changed.ts";
import { ipHidden } from "./ip-hidden.ts";
import { signalsReplayed } from "./signals-replayed.ts";
import { tokenInvalid } from "./token-invalid.ts";
import { uaChanged } from "./ua-changed.ts";

const FACTS: readonly (readonly [keyof HistoryEvidence, FlagRow])[] = [
  ["isAddressChanged", ipChanged],
  ["isAddressHidden", ipHidden],
  ["isUserAgentChanged", uaChanged],
  ["isSignalsReplayed", signalsReplayed],
  ["isTokenInvalid", tokenInvalid],
];

test("ip_changed: raised by another network (D5, binding)", () => {
  assert.ok(raises(ipChanged, { history: { isAddressChanged: true } }));
});

test("ip_hidden: raised by an address that a proxy hid (D5, binding)", () => {
  assert.ok(raises(ipHidden, { history: { isAddressHidden: true } }));
});

test("ua_changed: raised by another user agent at redemption (D5, binding)", () => {
  assert.ok(raises(uaChanged, { history: { isUserAgentChanged: true } }));
});

test("signals_replayed: raised by observations that were submitted twice (D7, score request)", () => {
  assert.ok(raises(signalsReplayed, { history: { isSignalsReplayed: true } }));
});

test("token_invalid: raised by a forged, foreign, expired or spent token (D7, score request)", () => {
  assert.ok(raises(tokenInvalid, { history: { isTokenInvalid: true } }));
});

test("history flags: each fact raises only its own flag, and without history none is raised", () => {
  for (const [fact, own] of FACTS) {
    for (const [, row] of FACTS) {
      assert.equal(raises(row, { history: { [fact]: true } }), row === own, fact);
      assert.ok(!raises(row, { history: { [fact]: false } }), fact);
    }
  }
  for (const [, row] of FACTS) assert.ok(!raises(row, CHROME_VISITOR) && !raises(row, {}));
});

test("behaviour_repeated: raised if the service remembers the same behaviour, and absent otherwise", () => {
  assert.equal(raises(behaviourRepeated, { history: { isBehaviourRepeated: true } }), true);
  assert.equal(raises(behaviourRepeated, { history: { isBehaviourRepeated: false } }), false);
  assert.equal(raises(behaviourRepeated, {}), false);
});
