import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import type { BehaviourSignals } from "@stile/protocol/signals";
import { BY_KEYBOARD, issueTo, solve, visitorAt } from "@stile/testkit/minting/solving";
import { CHROME_VISITOR } from "@stile/testkit/visits/find-visitor";
import { handPath, toPointer } from "@stile/testkit/visits/pointer-paths";
import {
  createWorld,
  type OwnedSite,
  type World,
  type WorldNode,
} from "@stile/testkit/world/world";
import type { Submission } from "../../services/challenge/check-work.ts";
import { submitSolution } from "./submit-solution.ts";

/**
 * A recording of each kind: by the mouse, which leaves a path, and by keys, which leave times only.
 */
const RECORDINGS = {
  "by mouse": {
    ...CHROME_VISITOR.behaviour,
    pointer: toPointer([handPath({ from: [588, 380], to: [470, 362] }, 52)]),
  },
  "by keys": BY_KEYBOARD,
} as const satisfies Readonly<Record<string, BehaviourSignals>>;

/** A moment of 15 June 2026, UTC; the 24th hour is the first of the day after. */
const at = (hour: number, minute: number): number => Date.UTC(2026, 5, 15, hour, minute);

let world: World;
let owned: OwnedSite;
beforeEach(async () => {
  world = await createWorld({ challenge: 10_000 });
  world.clock.setTo(at(20, 0));
  owned = await world.createSite();
});

async function prepareAt(ip: string, behaviour: BehaviourSignals): Promise<Submission> {
  const visitor = visitorAt(ip);
  return {
    ...(await solve(world, owned.site, await issueTo(world, owned.site, visitor), { behaviour })),
    visitor,
  };
}

async function submitFrom(
  ip: string,
  behaviour: BehaviourSignals,
  { from = ip, node = world.node }: { readonly from?: string; readonly node?: WorldNode } = {},
): Promise<string> {
  const submission = { ...(await prepareAt(ip, behaviour)), visitor: visitorAt(from) };
  return (await submitSolution(node, submission)).kind;
}

for (const [how, recording] of Object.entries(RECORDINGS)) {
  test(`a page that stays open over midnight (UTC) is nobody's replay, and its earlier submissions stay known: ${how}`, async () => {
    const kindsAt = async (hour: number, minute: number, ...ips: string[]): Promise<string[]> => {
      world.clock.setTo(at(hour, minute));
      const kinds = [];
      for (const ip of ips) kinds.push(await submitFrom(ip, recording));
      return kinds;
    };
    assert.deepEqual(await kindsAt(22, 20, "192.0.2.7"), ["issued"]);
    assert.deepEqual(await kindsAt(23, 50, "192.0.2.7"), ["issued"]);
    assert.deepEqual(await kindsAt(24, 10, "192.0.2.7", "192.0.2.200"), ["issued", "issued"]);
    assert.deepEqual(await kindsAt(24, 20, "203.0.113.9", "198.18.5.9"), ["blocked", "blocked"]);
    assert.deepEqual(await kindsAt(46, 0, "203.0.113.9"), ["blocked"], "within a day");
  });

  test(`a visitor who plays a recording does not become its author, on either side of midnight (UTC): ${how}`, async () => {
    world.clock.setTo(at(23, 50));
    assert.equal(await submitFrom("192.0.2.7", recording), "issued");
    for (const minute of [52, 64, 70]) {
      world.clock.setTo(at(23, minute));
      assert.equal(await submitFrom("203.0.113.9", recording), "blocked");
      assert.equal(
        await submitFrom("192.0.2.7", recording),
        "issued",
        `their own page at 23:${minute}`,
      );
    }
    assert.equal(
      await submitFrom("192.0.2.7", recording, { from: "2001:db8::7" }),
      "issued",
      "over the other family",
    );
  });

  test(`a dual-stack visitor who continues over the other family just after midnight (UTC) is no replay either: ${how}`, async () => {
    world.clock.setTo(at(23, 55));
    assert.equal(await submitFrom("2001:db8::7", recording), "issued");
    world.clock.setTo(at(24, 5));
    assert.equal(await submitFrom("2001:db8::7", recording, { from: "192.0.2.7" }), "issued");
    assert.equal(await submitFrom("192.0.2.7", recording, { from: "2001:db8::7" }), "issued");
  });

  test(`a recording of the last hour before midnight (UTC) is known in the first hour after it, at the other node too: ${how}`, async () => {
    const node = await world.createNode();
    await node.exchange();
    world.clock.setTo(at(23, 50));
    assert.equal(await submitFrom("192.0.2.7", recording), "issued");
    await world.node.exchange();
    await node.exchange();
    world.clock.setTo(at(24, 5));
    assert.equal(await submitFrom("203.0.113.9", recording), "blocked");
    assert.equal(await submitFrom("198.18.5.9", recording, { node }), "blocked");
  });

  test(`challenges drawn before and after midnight do not turn one recording into two: ${how}`, async () => {
    world.clock.setTo(at(23, 59));
    const early = await prepareAt("192.0.2.7", recording);
    world.clock.setTo(at(24, 1));
    const late = await prepareAt("203.0.113.9", recording);
    const atOnce = await Promise.all(
      [early, late].map((submission) => submitSolution(world.node, submission)),
    );
    assert.deepEqual(
      atOnce.map(({ kind }) => kind),
      ["issued", "blocked"],
    );
  });

  test(`the challenge's day does not matter: a recording under the new one is known to the old one: ${how}`, async () => {
    world.clock.setTo(at(23, 59));
    const early = await prepareAt("192.0.2.7", recording);
    world.clock.setTo(at(24, 1));
    assert.equal(await submitFrom("203.0.113.9", recording), "issued");
    assert.equal((await submitSolution(world.node, early)).kind, "blocked");
  });
}
