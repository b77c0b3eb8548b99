import assert from "node:assert/strict";
import { test } from "node:test";
import { FEATURE_COUNT } from "@stile/risk/trajectory/features";
import type { Segment } from "@stile/risk/trajectory/segment";
import { handPath, steppedPath } from "@stile/testkit/visits/pointer-paths";
import { SLOW_REGIMES } from "./device-copies.ts";
import { type Example, SCORED_ONLY, toPaths } from "./examples.ts";
import { createFolds } from "./folds.ts";
import type { Recording } from "./read-examples.ts";

const course = (i: number) =>
  ({ from: [100 + 7 * i, 600 - 3 * i], to: [900, 362 + (i % 50)] }) as const;
const PEOPLE = Array.from({ length: 100 }, (_, i): Recording => {
  return {
    source: "test",
    subject: `p${i % 5}`,
    kind: "human",
    generator: "human",
    events: handPath(course(i), i),
  };
});
const BOTS = Array.from({ length: 20 }, (_, i): Recording => {
  return {
    source: "test",
    subject: `${i}`,
    kind: "bot",
    generator: "steps",
    events: steppedPath(course(i), 12 + i),
  };
});
const seldom: Segment = handPath(course(1), 1).map(([ms, ...rest]) => [8 * ms, ...rest]);
const SELDOM: Recording = {
  source: "test",
  subject: "p1",
  kind: "human",
  generator: "human",
  events: seldom,
};
const ALL = [...PEOPLE, ...BOTS, SELDOM];
const FOLDS = createFolds(ALL);
const { examples, abstained } = toPaths(ALL, FOLDS);
const isSlow = ({ device }: Example): boolean =>
  SLOW_REGIMES.some((regime) => device?.regimes.includes(regime));
const isUsual = (it: Example): boolean => it.device !== undefined && !isSlow(it);
const isMadeUp = ({ source }: { source: string }): boolean => source === "made-up";

test("makes each recording an example as it is, with up to two copies of each rate for people's, and one for programs'", () => {
  const ofPeople = examples.filter(({ isBot }) => !isBot);
  assert.equal(ofPeople.filter(({ device }) => device === undefined).length, PEOPLE.length);
  const ofBots = examples.filter((it) => it.isBot && !isMadeUp(it));
  const rates = [
    { isOfRate: isUsual, people: 1.7, bots: 0.7 },
    { isOfRate: isSlow, people: 1.5, bots: 0 },
  ];
  for (const { isOfRate, people, bots } of rates) {
    const [copies = 0, botCopies = 0] = [ofPeople, ofBots].map(
      (some) => some.filter(isOfRate).length,
    );
    assert.ok(copies > people * PEOPLE.length && copies <= 2 * PEOPLE.length + 2, String(copies));
    assert.ok(botCopies > bots * BOTS.length && botCopies <= BOTS.length, String(botCopies));
  }
  assert.ok(examples.every(({ features }) => features.length === FEATURE_COUNT));
});

test("makes no example outside the support, and reports the reason", () => {
  const [why] = abstained.filter((it) => !isMadeUp(it));
  assert.deepEqual([why?.why, why?.subject, why?.isBot], ["seldom_moves", "p1", false]);
});

test("gives a dozen paths of a person the same device, as in one visit", () => {
  const devices = new Map<string, number>();
  for (const { isBot, device } of examples) {
    if (!isBot && device !== undefined)
      devices.set(device.name, (devices.get(device.name) ?? 0) + 1);
  }
  assert.ok(Math.max(...devices.values()) > 6 && Math.max(...devices.values()) <= 12);
});

test("includes every family of synthetic programs, each borrowing from the people of one fold", () => {
  const families = new Set(examples.filter(isMadeUp).map(({ generator }) => generator));
  assert.equal(families.size, 8);
  for (const name of SCORED_ONLY) assert.ok(families.has(name), name);
  const without = ALL.filter((it) => FOLDS.of(it) !== 2);
  const fewer = toPaths(
    [...without, ...ALL.filter((it) => it.kind === "bot")],
    FOLDS,
  ).examples.filter(isMadeUp);
  const others = examples.filter((it) => isMadeUp(it) && it.fold !== 2);
  assert.ok(fewer.every(({ fold }) => fold !== 2));
  assert.deepEqual(fewer, others, "people of another fold have no part in them");
});

test("makes the same examples from the same recordings, whatever others are next to them", () => {
  assert.deepEqual(toPaths(ALL, FOLDS), { examples, abstained });
});
