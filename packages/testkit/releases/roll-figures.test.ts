import assert from "node:assert/strict";
import { test } from "node:test";
import { holds } from "../trials/trial.ts";
import type { RollReport } from "./roll.ts";
import { toRollFigures } from "./roll-figures.ts";

const RACES = {
  tokens: 20,
  kills: 0,
  breaks: 0,
  calls: 90,
  cut: 3,
  cutStanding: 0,
  unavailable: 0,
  successes: 20,
  lost: 0,
  unknown: 0,
  expired: 0,
  wronglyExpired: 0,
  burned: 0,
  doubles: 0,
  forgotten: 0,
  repeatsRefused: 0,
};
const VISITS = {
  solved: 2,
  easy: 8,
  challenges: 2,
  wrong: 0,
  firstWrong: "",
  lost: 0,
  reset: 0,
  refused: 0,
};
const GOOD: RollReport = {
  restarts: 3,
  races: RACES,
  visits: VISITS,
  earned: 10,
  redeemedAgain: 0,
  refusedStart: "",
  changes: [{ what: "a site is made", holds: true, told: "" }],
  counted: new Map([
    ["challenge_issued", 2],
    ["token_issued", 10],
    ["token_redeemed", 30],
  ]),
};

const brokenOf = (report: RollReport): string[] =>
  toRollFigures([report], 3)
    .filter((figure) => !holds(figure))
    .map(({ name }) => name);

test("a roll without faults breaks no bound", () => assert.deepEqual(brokenOf(GOOD), []));

const HARMS: readonly [RegExp, Partial<RollReport>][] = [
  [/^restarts/, { restarts: 2 }],
  [/503/, { races: { ...RACES, unavailable: 1 } }],
  [/^races: calls cut off, over a connection that stood/, { races: { ...RACES, cutStanding: 1 } }],
  [/^races: tokens redeemed twice/, { races: { ...RACES, doubles: 1 } }],
  [/verified for a later call/, { races: { ...RACES, forgotten: 1 } }],
  [/nobody can have spent/, { races: { ...RACES, burned: 1 } }],
  [/nobody can have spent/, { races: { ...RACES, expired: 1 } }],
  [/exact repeats/, { races: { ...RACES, repeatsRefused: 1 } }],
  [/solved and redeemed/, { visits: { ...VISITS, solved: 0 } }],
  [/otherwise than they had to be/, { visits: { ...VISITS, wrong: 1 } }],
  [/^visits: calls cut off, over a connection that stood/, { visits: { ...VISITS, lost: 1 } }],
  [/both servers refused/, { visits: { ...VISITS, refused: 1 } }],
  [/once more at the end/, { redeemedAgain: 1 }],
  [/did not hold/, { changes: [{ what: "a key is rotated", holds: false, told: "500" }] }],
  [/challenge_issued/, { counted: new Map([...GOOD.counted, ["challenge_issued", 3]]) }],
  [/token_issued/, { counted: new Map([...GOOD.counted, ["token_issued", 9]]) }],
  [/token_redeemed/, { counted: new Map([...GOOD.counted, ["token_redeemed", 29]]) }],
];

for (const [index, [name, harm]] of HARMS.entries()) {
  test(`a fault in a roll is found, and nothing else: ${name.source} (${index})`, () => {
    const broken = brokenOf({ ...GOOD, ...harm });
    assert.equal(broken.length, 1, broken.join());
    assert.match(broken[0] ?? "", name);
  });
}
