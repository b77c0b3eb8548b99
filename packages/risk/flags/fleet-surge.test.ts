import assert from "node:assert/strict";
import { test } from "node:test";
import { assess } from "@stile/risk/assess";
import { CHROME_VISITOR, withBehaviour } from "@stile/testkit/visits/find-visitor";
import { assessVisit, toEvidence } from "@stile/testkit/visits/handed-in";
import { HONEST_VISITORS } from "@stile/testkit/visits/honest-visitors";
import { raises } from "@stile/testkit/visits/raises";
import { fleetSurge } from "./fleet-surge.ts";

const surging = (networks: number, expected: number) => ({
  history: { surge: { networks, expected } },
});

test("fleet_surge: raised by a class that came from more networks than normal, and silent otherwise", () => {
  assert.ok(raises(fleetSurge, surging(14, 1)));
  assert.ok(!raises(fleetSurge, { history: {} }) && !raises(fleetSurge, {}));
  assert.ok(!raises(fleetSurge, CHROME_VISITOR));
});

test("fleet_surge asks every honest visitor at least for a click, and alone blocks none of them at any strength", () => {
  for (const { name, evidence } of HONEST_VISITORS) {
    for (const [networks, expected] of [[14, 2] as const, [5_000, 3] as const]) {
      const { score } = assessVisit({ ...evidence, ...surging(networks, expected) });
      assert.ok(score >= 0.3 && score < 0.6, `${name}: ${score}`);
    }
  }
});

test("fleet_surge asks a visitor who was not seen either, and does not block: both are history and capped together", () => {
  const nobody = withBehaviour(CHROME_VISITOR, { pointer: [], keys: [] });
  const { score, flags } = assess(toEvidence({ ...nobody, ...surging(5_000, 3) }));
  assert.deepEqual(flags, ["fleet_surge", "low_evidence"]);
  assert.ok(score >= 0.5 && score < 0.6, `${score}`);
});

test("fleet_surge adds more if the surge is clear than if it is likely, and blocks together with a contradiction", () => {
  const scoreOf = (networks: number, expected: number, headers = CHROME_VISITOR.headers) =>
    assessVisit({ ...CHROME_VISITOR, headers, ...surging(networks, expected) }).score;
  assert.ok(scoreOf(60, 3) > scoreOf(60, 4) && scoreOf(60, 3) > scoreOf(59, 1));
  assert.ok(scoreOf(500, 3, { ...CHROME_VISITOR.headers, accept: "text/html" }) >= 0.6);
});
