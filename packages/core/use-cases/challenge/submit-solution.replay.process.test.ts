import assert from "node:assert/strict";
import { before, test } from "node:test";
import type { BehaviourSignals } from "@stile/protocol/signals";
import type { Segment } from "@stile/risk/trajectory/segment";
import { BY_KEYBOARD, issueTo, solve, visitorAt } from "@stile/testkit/minting/solving";
import { CHROME_VISITOR } from "@stile/testkit/visits/find-visitor";
import { decoded } from "@stile/testkit/visits/handed-in";
import { handPath, toPointer } from "@stile/testkit/visits/pointer-paths";
import {
  createWorld,
  type OwnedSite,
  type World,
  type WorldNode,
} from "@stile/testkit/world/world";
import type { Submission } from "../../services/challenge/check-work.ts";
import { browserScope } from "../../services/visitor/browser-scope.ts";
import { submitSolution } from "./submit-solution.ts";

/** A hand that draws as most people do, but is no real recording. */
const handOf = (seed: number): Segment =>
  handPath({ from: [120 + 9 * seed, 640 - 5 * seed], to: [470, 362] }, seed);
const HAND = handOf(52);
const behaviourOf = (...paths: Segment[]): BehaviourSignals => ({
  ...CHROME_VISITOR.behaviour,
  pointer: toPointer(paths),
});

let world: World;
let owned: OwnedSite;
before(async () => {
  world = await createWorld({ challenge: 10_000 });
});

const PLAYED = "trajectory_replayed";

async function submitFrom(
  ip: string,
  behaviour: BehaviourSignals,
  change: Partial<Submission> = {},
  at: WorldNode = world.node,
) {
  const visitor = visitorAt(ip);
  const issued = await issueTo(world, owned.site, visitor);
  const submission = {
    ...(await solve(world, owned.site, issued, { behaviour })),
    visitor,
    ...change,
  };
  return { submission, answer: await submitSolution(at, submission) };
}

const playedSoFar = (): Promise<number> => world.countOf(owned.site, `flag:${PLAYED}`);

/** A new site on which a recorded user at 192.0.2.7 has submitted HAND. */
async function withRecordedPath(): Promise<void> {
  owned = await world.createSite();
  const { answer } = await submitFrom("192.0.2.7", behaviourOf(HAND));
  assert.equal(answer.kind, "issued");
  assert.equal(await playedSoFar(), 0);
}

test("a recording played unchanged from another network is blocked, since times and path repeat", async () => {
  await withRecordedPath();
  const { answer } = await submitFrom("203.0.113.9", behaviourOf(HAND));
  assert.equal(answer.kind, "blocked");
  assert.equal(await playedSoFar(), 1);
});

test("a recorded path played from another network asks for a press: moved, enlarged or slowed", async () => {
  const copies: Segment[] = [
    HAND.map(([ms, x, y, kind]) => [ms, x + 40, y - 90, kind]),
    HAND.map(([ms, x, y, kind]) => [ms, 1.3 * x, 1.3 * y, kind]),
    HAND.map(([ms, x, y, kind]) => [1.2 * ms, x, y, kind]),
  ];
  for (const copy of copies) {
    await withRecordedPath();
    const { answer } = await submitFrom("203.0.113.9", behaviourOf(copy));
    assert.equal(answer.kind, "step_up");
    assert.equal(await playedSoFar(), 1);
  }
});

test("recognises all but the first of many replays from different networks at once, as if they came in turn", async () => {
  owned = await world.createSite();
  const submissions = [];
  for (let network = 0; network < 20; network++) {
    const visitor = visitorAt(`203.0.${network}.9`);
    const issued = await issueTo(world, owned.site, visitor);
    submissions.push({
      ...(await solve(world, owned.site, issued, { behaviour: behaviourOf(HAND) })),
      visitor,
    });
  }
  const answers = await Promise.all(
    submissions.map((submission) => submitSolution(world.node, submission)),
  );
  const kinds = answers.map(({ kind }) => kind);
  assert.deepEqual([kinds[0], new Set(kinds.slice(1))], ["issued", new Set(["blocked"])]);
  assert.deepEqual(
    [await playedSoFar(), await world.countOf(owned.site, "flag:behaviour_repeated")],
    [19, 19],
  );
});

test("a path that one node saw is known on another once they have exchanged, from another network", async () => {
  await withRecordedPath();
  const other = await world.createNode();
  await other.exchange();
  await withRecordedPath();
  const early = await submitFrom("203.0.113.9", behaviourOf(HAND), {}, other);
  assert.equal(early.answer.kind, "issued", "it has not heard of it yet");
  await withRecordedPath();
  await world.node.exchange();
  await other.exchange();
  const late = await submitFrom("203.0.113.9", behaviourOf(HAND), {}, other);
  assert.equal(late.answer.kind, "blocked");
  assert.equal(await playedSoFar(), 1);
});

test("a recorded path is found among fresh ones around it", async () => {
  await withRecordedPath();
  const { answer } = await submitFrom("203.0.113.9", behaviourOf(handOf(39), HAND, handOf(53)));
  assert.equal(answer.kind, "step_up");
});

/** A path of `moves` moves with these gaps in space and time; each seed bends it differently. */
const wayOf = (moves: number, stepPx: number, gapMs: number, seed: number): Segment => {
  const drawn = Array.from({ length: moves }, (_, at): Segment[number] => {
    const off = (12 + 9 * seed) * Math.sin((Math.PI * at) / (moves - 1)) * (at / moves) ** seed;
    return [gapMs * at, 300 + stepPx * at, 300 + Math.round(off), "m"];
  });
  const [ms = 0, x = 0, y = 0] = drawn.at(-1) ?? [];
  return [...drawn, [ms + 150, x, y, "d"], [ms + 230 + 7 * seed, x, y, "u"]];
};

for (const [what, moves, stepPx, gapMs] of [
  ["paths too short to be recognised", 6, 8, 17],
  ["slow ways, which the model of paths leaves out", 14, 24, 95],
] as const) {
  test(`a recorded path is found before any number of presses: ${what}`, async () => {
    await withRecordedPath();
    const behind = [0, 1, 2, 3, 4, 5].map((seed) => wayOf(moves, stepPx, gapMs, seed));
    const behaviour = { ...behaviourOf(HAND, ...behind), durationMs: 60_000 };
    const { answer } = await submitFrom("203.0.113.9", behaviour);
    assert.equal(await playedSoFar(), 1);
    assert.equal(answer.kind, "blocked");
  });
}

test("a replay that calls its pointer a finger is found on a device without touch", async () => {
  await withRecordedPath();
  const fingers = { ...CHROME_VISITOR.behaviour, pointer: toPointer([HAND], 1) };
  const { answer } = await submitFrom("203.0.113.9", fingers);
  assert.equal(await playedSoFar(), 1);
  assert.equal(answer.kind, "blocked");
});

test("a visitor who hides their network with a header, as private peers can, cannot replay from another network", async () => {
  owned = await world.createSite();
  const hiddenAt = (ip: string) => ({ ...visitorAt(ip), bindingAddress: undefined });
  const submitHidden = async (ip: string) => {
    const visitor = hiddenAt(ip);
    const issued = await issueTo(world, owned.site, visitor);
    const submission = {
      ...(await solve(world, owned.site, issued, { behaviour: behaviourOf(HAND) })),
      visitor,
    };
    return (await submitSolution(world.node, submission)).kind;
  };
  assert.equal(await submitHidden("10.1.0.5"), "issued");
  assert.equal(await submitHidden("10.1.0.9"), "issued", "their own network");
  assert.equal(await submitHidden("10.2.0.5"), "blocked");
  assert.equal(await playedSoFar(), 1);
});

test("a straight path that people draw alike passes, and needs a click if three other networks drew about the same", async () => {
  owned = await world.createSite();
  const straight = (at: number): Segment =>
    handPath({ from: [120, 400], to: [470, 400] }, 52).map(([ms, x, y, kind]) => {
      return [(1 + 0.05 * at) * ms, x + 11 * at, 400 + 0.1 * (y - 400), kind];
    });
  for (const network of [1, 2, 3]) {
    const { answer } = await submitFrom(`203.0.${network}.9`, behaviourOf(straight(network)));
    assert.equal(answer.kind, "issued", `network ${network}`);
  }
  assert.equal(await playedSoFar(), 0);
  assert.equal(
    (await submitFrom("203.0.3.77", behaviourOf(straight(4)))).answer.kind,
    "issued",
    "their own network",
  );
  assert.equal((await submitFrom("203.0.113.9", behaviourOf(straight(5)))).answer.kind, "step_up");
  assert.equal(await playedSoFar(), 1);
});

test("a person who submits again from one page, and their neighbours in the network, pass", async () => {
  await withRecordedPath();
  for (const ip of ["192.0.2.7", "192.0.2.200"]) {
    const { answer } = await submitFrom(ip, behaviourOf(HAND, handOf(53)));
    assert.equal(answer.kind, "issued", ip);
  }
  assert.equal(await playedSoFar(), 0);
});

test("a dual-stack visitor who continues over the other family is no replay of themselves", async () => {
  owned = await world.createSite();
  const first = await submitFrom("192.0.2.7", behaviourOf(HAND), {
    visitor: visitorAt("2001:db8::7"),
  });
  assert.equal(first.answer.kind, "issued");
  const again = await submitFrom("2001:db8::7", behaviourOf(HAND), {
    visitor: visitorAt("192.0.2.7"),
  });
  assert.equal(again.answer.kind, "issued");
  assert.equal(await playedSoFar(), 0);
});

test("a recording without a path cannot be played from everywhere with challenges drawn where it was made", async () => {
  owned = await world.createSite();
  const home = visitorAt("192.0.2.7");
  const playAt = async (ip: string) => {
    const visitor = visitorAt(ip);
    const issued = await issueTo(world, owned.site, home);
    const solved = await solve(world, owned.site, issued, { behaviour: BY_KEYBOARD });
    return (await submitSolution(world.node, { ...solved, visitor })).kind;
  };
  assert.equal(await playAt("192.0.2.7"), "issued");
  const { visitorMemory, cryptography } = world.node;
  visitorMemory.demandStepUp(
    owned.site.siteKey,
    browserScope(cryptography, home),
    world.clock.nowMs() + 600_000,
  );
  const kinds = [];
  for (const ip of ["203.0.1.9", "203.0.2.9", "203.0.3.9", "2001:db8:4::9"])
    kinds.push(await playAt(ip));
  assert.deepEqual(kinds, ["issued", "blocked", "blocked", "blocked"]);
  assert.deepEqual(
    [await playAt("192.0.2.7"), await playAt("203.0.1.9")],
    ["issued", "issued"],
    "their own page",
  );
});

test("people who draw their own paths pass, however many were there before", async () => {
  owned = await world.createSite();
  for (const [i, seed] of [39, 51, 52, 53, 59].entries()) {
    const { answer } = await submitFrom(`198.51.${i}.1`, behaviourOf(handOf(seed)));
    assert.equal(answer.kind, "issued", String(seed));
  }
  assert.equal(await playedSoFar(), 0);
});

test("a path at one site says nothing at another", async () => {
  await withRecordedPath();
  owned = await world.createSite();
  assert.equal((await submitFrom("203.0.113.9", behaviourOf(HAND))).answer.kind, "issued");
});

test("a visit whose solution is refused is not remembered: a forged or repeated one plants no path", async () => {
  owned = await world.createSite();
  const { submission } = await submitFrom("192.0.2.7", behaviourOf(handOf(53)));
  const planted = {
    ...submission,
    observe: () => ({ ...submission.observe(), behaviour: decoded(behaviourOf(HAND)) }),
  };
  assert.equal((await submitSolution(world.node, planted)).kind, "retry");
  const wrong = {
    ...planted,
    solutionBytes: Uint8Array.from(submission.solutionBytes).fill(0, 60),
  };
  assert.equal((await submitSolution(world.node, wrong)).kind, "retry");
  assert.equal((await submitFrom("203.0.113.9", behaviourOf(HAND))).answer.kind, "issued");
});
