import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeBehaviour } from "@stile/protocol/decode-signals";
import { readBatch } from "@stile/protocol/read-batch";
import { behaviourSignalsSchema, environmentSignalsSchema } from "@stile/protocol/schemas/signals";
import { createRandom } from "@stile/risk/seeded-random";
import { isTrueToBatch } from "@stile/risk/witness";
import { claimsOfForger, FORGERS } from "./forgers.ts";

const read = (text: string | undefined): unknown =>
  JSON.parse(Buffer.from(text ?? "", "base64url").toString());
const ROUND = { isAsked: false, visitMs: 700, sinceChallengeMs: 400, solveMs: 380 };

/** A forger's submissions on two visits, decoded. */
const visitsOf = (name: string, round = ROUND) =>
  [1, 2].map((seed) => {
    const { environment, behaviour } = claimsOfForger(name, createRandom(seed));
    assert.ok(typeof behaviour === "function");
    return {
      environment: environmentSignalsSchema.parse(read(environment)),
      behaviour: behaviourSignalsSchema.parse(read(behaviour(round))),
    };
  });

test("a forger's submission is one that the service reads, and another visit each time", () => {
  for (const { name } of FORGERS) {
    const [first, second] = visitsOf(name);
    assert.notDeepEqual(first, second, name);
  }
});

test("a deaf forger presses nothing when it is asked; the others press once, after they were asked", () => {
  for (const { name } of FORGERS) {
    const clicksOf = (isAsked: boolean): number =>
      visitsOf(name, { ...ROUND, isAsked })[0]?.behaviour.pointer.filter(
        ([, , , kind]) => kind === 4,
      ).length ?? 0;
    assert.equal(clicksOf(true) - clicksOf(false), /-(clicks|hasty)/.test(name) ? 1 : 0, name);
  }
});

test("no forger reports input before its visit or after its end", () => {
  for (const { name } of FORGERS) {
    for (const { behaviour } of visitsOf(name, { ...ROUND, isAsked: true })) {
      const times = [...behaviour.pointer, ...behaviour.keys].map(([ms]) => ms);
      assert.ok(Math.min(0, ...times) === 0 && Math.max(0, ...times) <= behaviour.durationMs, name);
    }
  }
});

test("forgers that keep to the clock report their observations before they ask, and the same afterwards (D9, submission)", () => {
  for (const { name } of FORGERS) {
    const { batch, behaviour } = claimsOfForger(name, createRandom(3));
    assert.equal(batch === undefined, name.endsWith("-hasty"), name);
    if (batch === undefined) continue;
    const told = readBatch(batch({ ...ROUND, visitMs: 0 })) ?? assert.fail("no batch");
    assert.ok(typeof behaviour === "function");
    const after = decodeBehaviour(
      behaviourSignalsSchema.parse(read(behaviour({ ...ROUND, isAsked: true, visitMs: 2_000 }))),
    );
    assert.ok(isTrueToBatch(told, after), name);
  }
});
