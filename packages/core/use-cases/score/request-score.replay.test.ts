import assert from "node:assert/strict";
import { test } from "node:test";
import type { BehaviourSignals } from "@stile/protocol/signals";
import { BY_KEYBOARD, issueTo, solve, visitorAt } from "@stile/testkit/minting/solving";
import { CHROME_VISITOR } from "@stile/testkit/visits/find-visitor";
import { decoded } from "@stile/testkit/visits/handed-in";
import { handPath, toPointer } from "@stile/testkit/visits/pointer-paths";
import { NO_SCORE_FIELDS } from "@stile/testkit/visits/score-fields";
import { createWorld } from "@stile/testkit/world/world";
import { submitSolution } from "../challenge/submit-solution.ts";
import { requestScore } from "./request-score.ts";

/** A hand that draws as most people do, but is no real recording. */
const byMouse = (seed: number): BehaviourSignals => ({
  ...CHROME_VISITOR.behaviour,
  pointer: toPointer([handPath({ from: [120 + 9 * seed, 640], to: [470, 362] }, seed)]),
});

async function shop() {
  const world = await createWorld();
  const { site, secretKey } = await world.createSite();
  const { userAgent, headers } = CHROME_VISITOR;
  /**
   * The flags of a visit whose challenge was drawn at `drawnAt`, at `ip` according to the
   * customer's server (or nowhere).
   */
  const flagsOf = async (
    behaviour: BehaviourSignals,
    drawnAt: string,
    ip: string | "not told" = drawnAt,
  ) => {
    const { text: challenge } = await issueTo(world, site, visitorAt(drawnAt));
    const observed = {
      environment: decoded(CHROME_VISITOR.environment),
      behaviour: decoded(behaviour),
    };
    const signals = { challenge, observe: () => observed };
    const remoteIp = ip === "not told" ? undefined : ip;
    const fields = { ...NO_SCORE_FIELDS, signals, userAgent, headers, remoteIp };
    const answer = await requestScore(
      world.node,
      { secretKey, address: undefined },
      async () => fields,
    );
    assert.ok(answer.kind === "scored");
    return answer.flags;
  };
  return { world, site, secretKey, flagsOf };
}

test("a recording collected again in another network is known, as when it is submitted with work (D7, score request)", async () => {
  const { flagsOf } = await shop();
  for (const [behaviour, flags] of [
    [byMouse(52), ["trajectory_replayed", "behaviour_repeated"]],
    [BY_KEYBOARD, ["behaviour_repeated"]],
  ] as const) {
    assert.deepEqual(await flagsOf(behaviour, "192.0.2.7"), []);
    assert.deepEqual(await flagsOf(behaviour, "192.0.2.9"), [], "their own network");
    assert.deepEqual(await flagsOf(behaviour, "203.0.113.9"), flags);
    assert.deepEqual(
      await flagsOf(behaviour, "198.18.5.9", "not told"),
      flags,
      "by the network that drew the challenge",
    );
  }
  assert.deepEqual(await flagsOf(byMouse(53), "203.0.113.9"), [], "another hand");
});

test("challenges drawn where a recording was made do not make it the caller's own: the server names their network (D7, score request)", async () => {
  const { flagsOf } = await shop();
  await flagsOf(byMouse(52), "192.0.2.7");
  for (const ip of ["203.0.1.9", "203.0.2.9"]) {
    assert.ok((await flagsOf(byMouse(52), "192.0.2.7", ip)).includes("trajectory_replayed"), ip);
  }
});

test("without an address, a page open over midnight (UTC) is nobody's replay, and others' replays are found (D7, score request)", async () => {
  for (const behaviour of [byMouse(52), BY_KEYBOARD]) {
    const { world, flagsOf } = await shop();
    for (const [hour, minute] of [
      [22, 20],
      [24, 10],
    ] as const) {
      world.clock.setTo(Date.UTC(2026, 5, 15, hour, minute));
      assert.deepEqual(await flagsOf(behaviour, "192.0.2.7", "not told"), [], `${hour}:${minute}`);
    }
    assert.ok((await flagsOf(behaviour, "203.0.113.9", "not told")).includes("behaviour_repeated"));
    assert.ok((await flagsOf(behaviour, "198.18.5.9")).includes("behaviour_repeated"));
  }
});

test("a repeated call is reported as such, and as no other network's (D7, score request)", async () => {
  const { world, site, secretKey } = await shop();
  const { text: challenge } = await issueTo(world, site);
  const observed = {
    environment: decoded(CHROME_VISITOR.environment),
    behaviour: decoded(byMouse(52)),
  };
  const fields = { ...NO_SCORE_FIELDS, signals: { challenge, observe: () => observed } };
  const caller = { secretKey, address: undefined };
  for (const [remoteIp, flags] of [
    ["192.0.2.7", []],
    [undefined, ["signals_replayed"]],
    ["192.0.2.7", ["signals_replayed"]],
    ["203.0.113.9", ["signals_replayed", "ip_changed"]],
  ] as const) {
    const answer = await requestScore(world.node, caller, async () => ({ ...fields, remoteIp }));
    assert.ok(answer.kind === "scored");
    assert.deepEqual(new Set(answer.flags), new Set(flags), remoteIp ?? "no address");
  }
});

test("collected signals cost no work, and count against nobody who did the work", async () => {
  const { world, site, flagsOf } = await shop();
  await flagsOf(byMouse(52), "192.0.2.7");
  const visitor = visitorAt("203.0.113.9");
  const solved = await solve(world, site, await issueTo(world, site, visitor), {
    behaviour: byMouse(52),
  });
  assert.equal((await submitSolution(world.node, { ...solved, visitor })).kind, "issued");
  assert.equal(await world.countOf(site, "flag:trajectory_replayed"), 0);
});

test("a flood of collected signals, from everywhere, evicts no visit that did the work", async () => {
  const { world, site, flagsOf } = await shop();
  const handInAt = async (ip: string) => {
    const visitor = visitorAt(ip);
    const solved = await solve(world, site, await issueTo(world, site, visitor), {
      behaviour: BY_KEYBOARD,
    });
    return (await submitSolution(world.node, { ...solved, visitor })).kind;
  };
  assert.equal(await handInAt("192.0.2.7"), "issued");
  // More than a node of this world remembers.
  for (let i = 0; i < 1100; i++) {
    const keys: BehaviourSignals["keys"] = BY_KEYBOARD.keys.map(([ms, isOn]) => [ms - 1 - i, isOn]);
    await flagsOf({ ...BY_KEYBOARD, keys }, `198.${18 + (i >> 8)}.${i & 255}.9`);
    world.clock.advance(200);
  }
  assert.equal(await handInAt("203.0.113.9"), "blocked");
  assert.equal(await world.countOf(site, "flag:behaviour_repeated"), 1);
});
