import assert from "node:assert/strict";
import { before, test } from "node:test";
import type {
  ObservedBehaviour,
  ObservedPointer,
  ObservedToggle,
} from "@stile/protocol/observed-signals";
import { createRandom, type Random } from "@stile/risk/seeded-random";
import { createBehaviourMemory } from "@stile/stores/process/behaviours/behaviour-memory";
import { CHROME_VISITOR } from "@stile/testkit/visits/find-visitor";
import { decoded } from "@stile/testkit/visits/handed-in";
import { createWorld, type World } from "@stile/testkit/world/world";
import { compareBehaviour } from "./compare-behaviour.ts";

const PEOPLE = 20_000;

/**
 * The precision of a page's clock: tenths of a millisecond, whole ones, or less, against
 * fingerprinting.
 */
const CLOCKS = {
  "a tenth of a ms": 0.1,
  "a ms": 1,
  "a frame": 1000 / 60,
  "a tenth of a second": 100,
} as const;
type Clock = keyof typeof CLOCKS;

/** Normally distributed, by a sum of twelve. */
function about(random: Random, mean: number, deviation: number): number {
  let sum = 0;
  for (let drawn = 0; drawn < 12; drawn++) sum += random();
  return mean + deviation * (sum - 6);
}

/** Keys that go down and up again, as practised hands press them. */
function pressKeys(random: Random, count: number): Pick<ObservedBehaviour, "pointer" | "keys"> {
  const keys: ObservedToggle[] = [];
  let atMs = about(random, 1_500, 300);
  for (let left = count; left > 0; left--, atMs += Math.max(60, about(random, 190, 50))) {
    keys.push(
      { atMs, isOn: true },
      { atMs: atMs + Math.max(30, about(random, 90, 18)), isOn: false },
    );
  }
  return { pointer: [], keys: keys.sort((one, other) => one.atMs - other.atMs) };
}

/** Taps on the same two fields, a while apart. */
function tap(random: Random, count: number): Pick<ObservedBehaviour, "pointer" | "keys"> {
  const [base] = decoded(CHROME_VISITOR.behaviour).pointer;
  assert.ok(base);
  const pointer = Array.from({ length: count }, (_, at): ObservedPointer[] => {
    const downMs = about(random, 900, 150) + 1_500 * at;
    const atMs = downMs + Math.max(30, about(random, 85, 18));
    const [x, y] = [Math.round(about(random, 180, 30)), Math.round(about(random, 340, 6))];
    const finger = { ...base, type: "touch", x, y } as const;
    return [
      { ...finger, atMs: downMs, kind: "down" },
      { ...finger, atMs, kind: "up" },
      { ...finger, atMs, kind: "click" },
    ];
  }).flat();
  return { pointer, keys: [] };
}

const ACTIONS = {
  Enter: (random: Random) => pressKeys(random, 1),
  "Tab and Enter": (random: Random) => pressKeys(random, 2),
  "a password of eight and Enter": (random: Random) => pressKeys(random, 9),
  "one tap": (random: Random) => tap(random, 1),
  "two taps": (random: Random) => tap(random, 2),
} as const;
type Action = keyof typeof ACTIONS;

function visitOf(action: Action, clock: Clock, random: Random): ObservedBehaviour {
  const byClock = (ms: number): number =>
    Math.round(1000 * CLOCKS[clock] * Math.floor(ms / CLOCKS[clock])) / 1000;
  const withClock = <Sample extends { readonly atMs: number }>(sample: Sample): Sample => {
    return { ...sample, atMs: byClock(sample.atMs) };
  };
  const { pointer, keys } = ACTIONS[action](random);
  const solveMs = byClock(Math.max(60, about(random, 140, 40)));
  const durationMs = byClock(3_000 + 6_000 * random());
  const empty = decoded(CHROME_VISITOR.behaviour);
  return {
    ...empty,
    pointer: pointer.map(withClock),
    keys: keys.map(withClock),
    durationMs,
    solveMs,
  };
}

let world: World;
before(async () => {
  world = await createWorld();
});

function siteOfMany() {
  const behaviours = createBehaviourMemory({ maxEntries: PEOPLE });
  const ports = { ...world.node, visitMemory: { ...world.node.visitMemory, behaviours } };
  return {
    submit: (behaviour: ObservedBehaviour, network: number): boolean => {
      const compared = compareBehaviour(ports, "pk_1", behaviour, {
        networks: [network],
        era: 1,
        nowMs: 0,
      });
      compared.record();
      return compared.isRepeated;
    },
  };
}

for (const [action, clock] of [
  ["Enter", "a ms"],
  ["one tap", "a ms"],
  ["two taps", "a ms"],
  ["Tab and Enter", "a tenth of a ms"],
  ["Tab and Enter", "a ms"],
  ["Tab and Enter", "a frame"],
  ["a password of eight and Enter", "a frame"],
  ["a password of eight and Enter", "a tenth of a second"],
] as const) {
  test(`20,000 people who do the same are never mistaken for each other: ${action}, by a clock of ${clock}`, (t) => {
    const site = siteOfMany();
    const random = createRandom(7);
    let taken = 0;
    for (let person = 0; person < PEOPLE; person++)
      if (site.submit(visitOf(action, clock, random), person)) taken++;
    t.diagnostic(`${taken} of ${PEOPLE} were taken for another`);
    assert.equal(taken, 0);
  });
}

for (const [action, clock] of [
  ["Tab and Enter", "a tenth of a ms"],
  ["two taps", "a ms"],
  ["a password of eight and Enter", "a ms"],
  ["a password of eight and Enter", "a frame"],
] as const) {
  test(`distinctive behaviour is recognised in another network: ${action}, by a clock of ${clock}`, () => {
    const site = siteOfMany();
    const visits = Array.from({ length: 50 }, (_, seed) =>
      visitOf(action, clock, createRandom(seed)),
    );
    const known = visits.map((visit, at) =>
      [1000 + at, 2000 + at].map((network) => site.submit(visit, network)),
    );
    assert.deepEqual(
      known,
      visits.map(() => [false, true]),
    );
  });
}
