import assert from "node:assert/strict";
import { test } from "node:test";
import { CHROME_VISITOR } from "@stile/testkit/visits/find-visitor";
import { raises } from "@stile/testkit/visits/raises";
import { signalsWithheld } from "./signals-withheld.ts";

test("signals_withheld: raised if either part is absent or malformed (D9, submission)", () => {
  assert.ok(raises(signalsWithheld, { ...CHROME_VISITOR, environment: "withheld" }));
  assert.ok(raises(signalsWithheld, { ...CHROME_VISITOR, behaviour: "withheld" }));
});

test("signals_withheld: silent if the caller cannot have signals (D7, score request)", () => {
  assert.ok(!raises(signalsWithheld, { userAgent: CHROME_VISITOR.userAgent }));
  assert.ok(
    !raises(signalsWithheld, {
      ...CHROME_VISITOR,
      behaviour: { ...CHROME_VISITOR.behaviour, pointer: [] },
    }),
  );
});
