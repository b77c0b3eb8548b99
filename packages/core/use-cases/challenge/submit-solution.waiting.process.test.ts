import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { solveFresh } from "@stile/testkit/minting/solving";
import { createWorld } from "@stile/testkit/world/world";
import type { ChallengeLedger } from "../../ports/challenge/challenge-ledger.ts";
import { submitSolution } from "./submit-solution.ts";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;
const world = await createWorld();
const { site } = await world.createSite();

test("the page's observations are freed while its challenge is spent, since many visitors wait for the disk at a time", async () => {
  const submission = await solveFresh(world, site);
  let observed: WeakRef<object> | undefined;
  const observe: typeof submission.observe = () => {
    const observations = { ...submission.observe() };
    observed = new WeakRef(observations);
    return observations;
  };
  const slow: ChallengeLedger = {
    spend: async (spend) => {
      const outcome = await world.node.challenges.spend(spend);
      // A weak reference keeps its target alive until the present turn is over.
      await nextTurn();
      collect();
      assert.equal(observed?.deref(), undefined);
      return outcome;
    },
  };
  const answer = await submitSolution(
    { ...world.node, challenges: slow },
    { ...submission, observe },
  );
  assert.equal(answer.kind, "issued");
  assert.ok(observed !== undefined);
});
