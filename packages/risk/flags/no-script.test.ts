import assert from "node:assert/strict";
import { test } from "node:test";
import { assessVisit } from "@stile/testkit/visits/handed-in";
import { raises } from "@stile/testkit/visits/raises";
import { noScript } from "./no-script.ts";

const LYNX = "Lynx/2.9.2 libwww-FM/2.14 SSL-MM/1.4.1 GNUTLS/3.8.9";

test("no_script: raised by a visitor who waited without JavaScript, and by nobody else (D18, no JavaScript)", () => {
  assert.ok(raises(noScript, { isScriptless: true, userAgent: LYNX }));
  assert.ok(!raises(noScript, { isScriptless: false, userAgent: LYNX }));
  assert.ok(!raises(noScript, { userAgent: LYNX, environment: "withheld", behaviour: "withheld" }));
});

test("scores a visitor who waits exactly 0.30, and more only for other known facts (D18, no JavaScript)", () => {
  assert.deepEqual(assessVisit({ isScriptless: true, userAgent: LYNX }), {
    score: 0.3,
    flags: ["no_script"],
    contributions: [{ flag: "no_script", weight: 2.1 }],
  });
  const fromTor = {
    isScriptless: true,
    userAgent: LYNX,
    network: { isDatacenter: false, isTor: true },
  };
  assert.ok(assessVisit(fromTor).score > 0.3);
  assert.ok(assessVisit({ isScriptless: true, userAgent: "curl/8.5.0" }).score >= 0.6);
  assert.ok(assessVisit({ isScriptless: true, tokenScore: 0.05 }).score >= 0.3);
});
