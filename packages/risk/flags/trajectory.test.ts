import assert from "node:assert/strict";
import { test } from "node:test";
import type { PointerSample } from "@stile/protocol/signals";
import { CHROME_VISITOR, withEnvironment, withPointer } from "@stile/testkit/visits/find-visitor";
import { assessVisit, type HandedIn } from "@stile/testkit/visits/handed-in";
import { HONEST_VISITORS } from "@stile/testkit/visits/honest-visitors";
import { handPath, steppedPath, toPointer } from "@stile/testkit/visits/pointer-paths";
import { gradeIn, raises } from "@stile/testkit/visits/raises";
import { GRADES } from "../trajectory/grading.ts";
import { COMMON_NETWORKS, SHAPE_REACH } from "../trajectory/path-shape.ts";
import type { Segment } from "../trajectory/segment.ts";
import { FLAG_WEIGHTS, GROUP_CAPS } from "../weights.ts";
import { trajectoryBot } from "./trajectory-bot.ts";
import { CLOSE, trajectoryReplayed } from "./trajectory-replayed.ts";

const COURSE = { from: [120, 640], to: [470, 362] } as const;
const STEPPED = toPointer([steppedPath(COURSE)]);
/** Hands that draw as most people do; the shipped model was not trained on them. */
const HANDS = [2, 8, 13, 18, 59].map((seed) =>
  handPath({ from: [120 + 9 * seed, 640 - 5 * seed], to: [470, 362] }, seed),
);

const withPaths = (pointer: readonly PointerSample[]): HandedIn =>
  withPointer(CHROME_VISITOR, pointer);
const withDistance = (nearestPathDistance: number | undefined): HandedIn => ({
  ...CHROME_VISITOR,
  history: { nearestPathDistance },
});
const weightOf = (evidence: HandedIn, flag: string): number =>
  assessVisit(evidence).contributions.find((it) => it.flag === flag)?.weight ?? 0;

test("trajectory_bot: raised by the straight, even steps of an automation tool, trusted or dispatched", () => {
  assert.ok(raises(trajectoryBot, withPaths(STEPPED)));
  assert.ok(raises(trajectoryBot, withPaths(toPointer([steppedPath(COURSE)], 0, 0))));
  assert.ok(
    raises(trajectoryBot, withPaths(toPointer([1, 2, 3].map((i) => steppedPath(COURSE, 10 * i))))),
  );
});

test("trajectory_bot: asks for a challenge for a program's path and never blocks alone, however certain the model is", () => {
  const { score, flags, contributions } = assessVisit(withPaths(STEPPED));
  assert.ok(flags.includes("trajectory_bot"));
  assert.equal(
    contributions.find(({ flag }) => flag === "trajectory_bot")?.weight,
    FLAG_WEIGHTS.trajectory_bot,
  );
  assert.ok(FLAG_WEIGHTS.trajectory_bot <= GROUP_CAPS.trajectory);
  const alone = assessVisit({
    behaviour: { ...CHROME_VISITOR.behaviour, pointer: STEPPED },
    userAgent: CHROME_VISITOR.userAgent,
  });
  for (const it of [score, alone.score]) assert.ok(it >= 0.3 && it < 0.6, `score ${it}`);
});

test("trajectory_bot: adds more weight the more rarely people draw such a path", () => {
  const mixed = [0, 1, 2, 3].map((hands) => {
    return weightOf(
      withPaths(toPointer([...HANDS.slice(0, hands), steppedPath(COURSE)])),
      "trajectory_bot",
    );
  });
  assert.ok(
    mixed.every((weight, i) => weight >= 0 && (i === 0 || weight <= (mixed[i - 1] ?? 0))),
    String(mixed),
  );
  const grades = Array.from({ length: 60 }, (_, visit) => {
    const hands = [0, 1, 2].map((at) => handPath(COURSE, 3 * visit + at));
    return gradeIn(trajectoryBot, withPaths(toPointer([...hands, steppedPath(COURSE)])));
  });
  assert.ok(
    grades.some((grade) => grade > 0 && grade < 1),
    "between nothing and everything there is something",
  );
  assert.ok(
    grades.every((grade) => GRADES.some((step) => step === grade)),
    "steps, and nothing between them",
  );
});

test("trajectory_bot: silent on hands that draw as most people do", () => {
  for (const hand of HANDS) assert.equal(gradeIn(trajectoryBot, withPaths(toPointer([hand]))), 0);
  assert.ok(!raises(trajectoryBot, withPaths(toPointer(HANDS))));
});

test("trajectory_bot: silent on moves that are too rare to score, but still counts another path of the visit", () => {
  const seldom = steppedPath(COURSE).map(([ms, ...rest]): Segment[number] => [5 * ms, ...rest]);
  assert.equal(gradeIn(trajectoryBot, withPaths(toPointer([seldom]))), 0);
  assert.equal(
    gradeIn(trajectoryBot, withPaths(toPointer([seldom, steppedPath(COURSE), seldom]))),
    1,
  );
});

/** A path as a slow screen or link shows it: only the last move in each stretch of that many ms. */
const seenEvery = (everyMs: number, path: Segment): Segment => {
  const frameOf = (ms: number): number => Math.floor(ms / everyMs);
  return path.filter(
    ([ms, , , kind], i) =>
      kind !== "m" || path[i + 1]?.[3] !== "m" || frameOf(path[i + 1]?.[0] ?? 0) > frameOf(ms),
  );
};

/**
 * Even steps along a bend, with the pace only in the pauses between them: how programs that send
 * few moves do it.
 */
const paused: Segment = (() => {
  const moves = Array.from({ length: 40 }, (_, i): Segment[number] => {
    const s = i / 39;
    return [
      Math.round(45 * i + 120 * Math.sin(Math.PI * s) - 100 * s),
      100 + 600 * s,
      500 - 90 * Math.sin(Math.PI * s),
      "m",
    ];
  });
  const [ms = 0, x = 0, y = 0] = moves.at(-1) ?? [];
  return [...moves, [ms + 15, x, y, "d"], [ms + 70, x, y, "u"]];
})();

test("trajectory_bot: at 40 ms a move, silent on slow hands and raised by a program's pauses", () => {
  for (const hand of HANDS) {
    const leisurely = hand.map(([ms, ...rest]): Segment[number] => [Math.round(1.5 * ms), ...rest]);
    const slow = seenEvery(40, leisurely);
    assert.ok(slow.length >= 18, `${slow.length} events`);
    assert.equal(gradeIn(trajectoryBot, withPaths(toPointer([slow]))), 0);
  }
  assert.ok(gradeIn(trajectoryBot, withPaths(toPointer([paused]))) >= 0.7);
});

test("trajectory_bot: silent on fingers, keyboards and assistive technology, even if the path is a program's", () => {
  const finger = withPointer(CHROME_VISITOR, toPointer([steppedPath(COURSE)], 1));
  assert.ok(!raises(trajectoryBot, withEnvironment(finger, { touchPoints: 10 })), "touch");
  assert.ok(
    !raises(trajectoryBot, { ...finger, environment: "withheld" }),
    "nothing is known of the device",
  );
  assert.ok(raises(trajectoryBot, finger), "a finger where there is no touch");
  assert.ok(!raises(trajectoryBot, withPaths(toPointer([steppedPath(COURSE)], 3))), "unknown");
  assert.ok(!raises(trajectoryBot, withPaths([])));
  assert.ok(!raises(trajectoryBot, { ...CHROME_VISITOR, behaviour: "withheld" }));
  assert.ok(!raises(trajectoryBot, {}));
  for (const { name, evidence } of HONEST_VISITORS)
    assert.equal(gradeIn(trajectoryBot, evidence), 0, name);
});

test("trajectory_replayed: raised by a path that another network drew before; a near one asks, a close one asks too and scores more", () => {
  assert.ok(
    raises(trajectoryReplayed, withDistance(0)) &&
      raises(trajectoryReplayed, withDistance(SHAPE_REACH)),
  );
  assert.deepEqual(
    [0, CLOSE].map((it) => gradeIn(trajectoryReplayed, withDistance(it))),
    [1, 1],
  );
  const near = assessVisit(withDistance(CLOSE + 1e-6));
  assert.deepEqual(near.flags, ["trajectory_replayed"]);
  assert.ok(near.score >= 0.3 && near.score < 0.6, `score ${near.score}`);
  const close = assessVisit(withDistance(CLOSE)).score;
  assert.ok(close > near.score && close < 0.6, `score ${close}`);
});

test("trajectory_replayed: asks a visitor who drew about the same as three other networks, but not one who matches only two", () => {
  const drawnBy = (networks: number) => ({
    ...withDistance(undefined),
    history: { networksNearPaths: networks },
  });
  assert.ok(!raises(trajectoryReplayed, drawnBy(COMMON_NETWORKS - 1)));
  const { score, flags } = assessVisit(drawnBy(COMMON_NETWORKS));
  assert.deepEqual(flags, ["trajectory_replayed"]);
  assert.ok(score >= 0.3 && score < 0.6, `score ${score}`);
});

test("trajectory_replayed: silent if nothing is near, as for any path of one's own", () => {
  assert.ok(!raises(trajectoryReplayed, withDistance(undefined)));
  assert.ok(!raises(trajectoryReplayed, withDistance(SHAPE_REACH + 1e-6)));
  assert.ok(!raises(trajectoryReplayed, CHROME_VISITOR) && !raises(trajectoryReplayed, {}));
});
