import assert from "node:assert/strict";
import { test } from "node:test";
import { planRounds } from "./beside.ts";

test("where there is no way back each round is an upgrade of both servers, with one restart more while they are of two versions", () => {
  const rounds = planRounds(20, false);
  assert.deepEqual(
    rounds.map((turns) => turns.length),
    Array.from({ length: 7 }, () => 3),
  );
  assert.deepEqual(
    rounds[0]?.map(({ node, version }) => `${node} ${version}`),
    ["0 after", "0 after", "1 after"],
  );
});

test("where there is one, one database is upgraded and put back in turn", () => {
  const [turns, ...others] = planRounds(18, true);
  assert.equal(others.length, 0);
  assert.equal(turns?.length, 20);
  const last = turns.slice(-4).map(({ node, version }) => `${node} ${version}`);
  assert.deepEqual(last, ["0 after", "1 after", "0 before", "1 before"]);
});
