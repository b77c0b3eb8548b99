import assert from "node:assert/strict";
import { test } from "node:test";
import { CHROME_VISITOR } from "@stile/testkit/visits/find-visitor";
import type { RiskEvidence } from "../evidence.ts";
import { lowEvidence, signalsWithheld } from "./completeness.ts";

test("signals_withheld: raised by either part that is absent or malformed (D9)", () => {
  assert.ok(signalsWithheld({ ...CHROME_VISITOR, environment: "withheld" }));
  assert.ok(signalsWithheld({ ...CHROME_VISITOR, behaviour: "withheld" }));
});

test("signals_withheld: silent where the caller cannot have signals (D7)", () => {
  assert.ok(!signalsWithheld({ userAgent: CHROME_VISITOR.userAgent }));
  assert.ok(!signalsWithheld({ ...CHROME_VISITOR, behaviour: { ...CHROME_VISITOR.behaviour, pointer: [] } }));
});

test("low_evidence: raised when nothing is known, a busy network or not (D7)", () => {
  assert.ok(lowEvidence({}));
  assert.ok(lowEvidence({ headers: {}, velocity: { perMinute: 90, siteRatio: 9 } }));
  assert.ok(lowEvidence({ history: { isTokenInvalid: false, isSignalsReplayed: false } }));
});

test("low_evidence: silent as soon as one thing is known (D7)", () => {
  const { userAgent, headers, environment, behaviour, solve } = CHROME_VISITOR;
  const single: readonly RiskEvidence[] = [
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
  for (const evidence of single) assert.ok(!lowEvidence(evidence), Object.keys(evidence).join());
});
