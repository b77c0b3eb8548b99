import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { RISK_FLAGS, type RiskFlag } from "@stile/protocol/risk-flags";
import { HONEST_VISITORS } from "@stile/testkit/visits/honest-visitors";
import { DETECTORS } from "./detectors.ts";

const ALL = Object.keys(RISK_FLAGS) as RiskFlag[];

test("every flag of the vocabulary has its detector, and none has another's (spec 2.2)", () => {
  assert.deepEqual(Object.keys(DETECTORS), ALL);
  assert.equal(new Set(Object.values(DETECTORS)).size, ALL.length);
});

for (const flag of ALL) {
  test(`${flag} is raised by no honest visitor`, () => {
    const accused = HONEST_VISITORS.filter(({ evidence }) => DETECTORS[flag](evidence)).map(({ name }) => name);
    assert.deepEqual(accused, []);
  });
}

test("every flag has a test that names it and raises it by a real cause", () => {
  const folder = join(import.meta.dirname, "flags");
  const texts = globSync("*.test.ts", { cwd: folder }).map((name) => readFileSync(join(folder, name), "utf8"));
  const untested = ALL.filter((flag) => !texts.some((text) => text.includes(`test("${flag}: raised`)));
  assert.deepEqual(untested, []);
});
