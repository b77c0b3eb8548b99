import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import type { BehaviourSignals, PointerSample, ToggleSample } from "@stile/protocol/signals";
import { issueTo, solve, visitorAt } from "@stile/testkit/minting/solving";
import { CHROME_VISITOR } from "@stile/testkit/visits/find-visitor";
import { createWorld, type OwnedSite, type World } from "@stile/testkit/world/world";
import { submitSolution } from "./submit-solution.ts";

/** A visitor without a mouse, whose keys only leave times. The last one presses the widget. */
const typedAt = (...times: number[]): BehaviourSignals => ({
  ...CHROME_VISITOR.behaviour,
  pointer: times.slice(-1).map((ms): PointerSample => [ms + 71.4, 0, 0, 4, 3, 0, 1, -470, -362.5]),
  keys: times.flatMap((ms): ToggleSample[] => [
    [ms, 1],
    [ms + 71.3, 0],
  ]),
});
const TYPED = typedAt(312.4, 498.1, 730.9, 861.2, 1102.8);

let world: World;
let owned: OwnedSite;
beforeEach(async () => {
  world = await createWorld({ challenge: 10_000 });
  owned = await world.createSite();
});

async function submitFrom(
  ip: string,
  behaviour: BehaviourSignals,
  at: OwnedSite = owned,
): Promise<string> {
  const visitor = visitorAt(ip);
  const issued = await issueTo(world, at.site, visitor);
  const submission = { ...(await solve(world, at.site, issued, { behaviour })), visitor };
  return (await submitSolution(world.node, submission)).kind;
}

test("one network's behaviour, submitted by another, is blocked, however often", async () => {
  assert.equal(await submitFrom("192.0.2.7", TYPED), "issued");
  assert.equal(await submitFrom("203.0.113.9", TYPED), "blocked");
  assert.equal(await submitFrom("198.51.100.4", TYPED), "blocked");
  assert.equal(await world.countOf(owned.site, "flag:behaviour_repeated"), 2);
});

test("a shifted start of the clock makes nothing new", async () => {
  assert.equal(await submitFrom("192.0.2.7", TYPED), "issued");
  const later = TYPED.keys.map(([ms, isDown]): ToggleSample => [ms + 5000, isDown]);
  const pointer = TYPED.pointer.map(([ms, ...rest]): PointerSample => [ms + 5000, ...rest]);
  assert.equal(
    await submitFrom("203.0.113.9", { ...TYPED, durationMs: 9000, keys: later, pointer }),
    "blocked",
  );
});

test("a page that submits the same again, and neighbours in its network, pass", async () => {
  for (const ip of ["192.0.2.7", "192.0.2.7", "192.0.2.200"])
    assert.equal(await submitFrom(ip, TYPED), "issued", ip);
});

test("a visitor who typed differently by a tenth of a millisecond is another person", async () => {
  assert.equal(await submitFrom("192.0.2.7", TYPED), "issued");
  assert.equal(
    await submitFrom("203.0.113.9", typedAt(312.4, 498.1, 730.9, 861.2, 1102.9)),
    "issued",
  );
});

test("one key is recognised by the duration of visit and work, and nothing at all never is", async () => {
  const tabbed = { ...typedAt(312.4), durationMs: 2088.7, solveMs: 205.3 };
  assert.equal(await submitFrom("192.0.2.7", tabbed), "issued");
  assert.equal(await submitFrom("203.0.113.9", { ...tabbed, solveMs: 205.4 }), "issued");
  assert.equal(await submitFrom("203.0.113.9", tabbed), "blocked");
  for (const ip of ["192.0.2.7", "198.51.100.4"])
    assert.equal(await submitFrom(ip, typedAt()), "step_up", ip);
});

test("with a blurred clock, few keys identify nobody, and neither do many in an even rhythm", async () => {
  const FRAME_MS = 1000 / 60;
  const blurred = (keys: number): BehaviourSignals => {
    const onFrame = (frames: number): number => Math.round(1000 * frames * FRAME_MS) / 1000;
    const strokes = Array.from(
      { length: keys },
      (_, at): ToggleSample => [onFrame(40 + at * at), at % 2 === 0 ? 1 : 0],
    );
    return { ...typedAt(), keys: strokes, durationMs: 2100, solveMs: 300 };
  };
  for (const ip of ["192.0.2.7", "203.0.113.9"])
    assert.equal(await submitFrom(ip, blurred(8)), "price", ip);
  assert.equal(await submitFrom("192.0.2.7", blurred(24)), "step_up");
  assert.equal(await submitFrom("203.0.113.9", blurred(24)), "blocked");
});

test("another site, and the day after, know nothing of it", async () => {
  assert.equal(await submitFrom("192.0.2.7", TYPED), "issued");
  assert.equal(await submitFrom("203.0.113.9", TYPED, await world.createSite()), "issued");
  world.clock.advance(86_400_000);
  assert.equal(await submitFrom("203.0.113.9", TYPED), "issued");
});
