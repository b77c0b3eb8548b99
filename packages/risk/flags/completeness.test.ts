import assert from "node:assert/strict";
import { test } from "node:test";
import { CHROME_VISITOR } from "@stile/testkit/visits/find-visitor";
import type { HandedIn } from "@stile/testkit/visits/handed-in";
import { raises } from "@stile/testkit/visits/raises";
import { lowEvidence } from "./low-evidence.ts";
import { signalsWithheld } from "./signals-withheld.ts";

test("signals_withheld: raised by either part that is absent or malformed (D9)", () => {
  assert.ok(raises(signalsWithheld, { ...CHROME_VISITOR, environment: "withheld" }));
  assert.ok(raises(signalsWithheld, { ...CHROME_VISITOR, behaviour: "withheld" }));
});

test("signals_withheld: silent where the caller cannot have signals (D7)", () => {
  assert.ok(!raises(signalsWithheld, { userAgent: CHROME_VISITOR.userAgent }));
  assert.ok(!raises(signalsWithheld, { ...CHROME_VISITOR, behaviour: { ...CHROME_VISITOR.behaviour, pointer: [] } }));
});

test("low_evidence: raised when nothing is known, a busy network or not (D7)", () => {
  assert.ok(raises(lowEvidence, {}));
  assert.ok(raises(lowEvidence, { headers: {}, velocity: { perMinute: 90, siteRatio: 9 } }));
  assert.ok(raises(lowEvidence, { history: { isTokenInvalid: false, isSignalsReplayed: false } }));
});

test("low_evidence: silent as soon as one thing is known (D7)", () => {
  const { userAgent, headers, environment, behaviour, solve } = CHROME_VISITOR;
  const single: readonly HandedIn[] = [
    { userAgent },
    { headers },
    { environment },
    { environment: "withheld" },
    { behaviour },
    { solve },
    { tokenScore: 0.05 },
    { history: { isTokenInvalid: true } },
    { history: { isAddressChanged: true } },
  ];
  for (const evidence of single) assert.ok(!raises(lowEvidence, evidence), Object.keys(evidence).join());
});
