import assert from "node:assert/strict";
import { test } from "node:test";
import { behaviourSignalsSchema, environmentSignalsSchema } from "@stile/protocol/schemas/signals";
import { assessVisit } from "@stile/testkit/visits/handed-in";
import { UNLUCKY_VISITORS } from "@stile/testkit/visits/unlucky-visitors";

for (const { name, evidence } of UNLUCKY_VISITORS) {
  test(`lets a person through on whom single flags coincide: ${name} (spec 4.2)`, () => {
    const { score, contributions } = assessVisit(evidence);
    assert.ok(contributions.length > 0, "no flag meets this visitor, who shows nothing then");
    assert.ok(score < 0.3, `${score} from ${JSON.stringify(contributions)}`);
    assert.ok(environmentSignalsSchema.safeParse(evidence.environment).success);
    assert.ok(behaviourSignalsSchema.safeParse(evidence.behaviour).success);
  });
}
