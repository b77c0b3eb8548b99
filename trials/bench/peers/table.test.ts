import assert from "node:assert/strict";
import { test } from "node:test";
import type { Contestant } from "./contestant.ts";
import { plotPeers } from "./plot.ts";
import { toLine, toNotes, toRows } from "./table.ts";

const step = (samples: number) => ({
  samples,
  contains: samples === 0 ? "It has none." : "All of it.",
});

function named(name: string, redeems: number): Contestant {
  return {
    name,
    version: "1.2.3",
    puzzle: "a puzzle",
    keeps: "Nothing.",
    steps: { issue: step(10), check: step(10), redeem: step(redeems) },
    prepare: async () => [],
    prepareRefused: async () => [],
    close: async () => {},
  };
}

const own = {
  contestant: named("Stile", 10),
  rounds: [
    { issue: 10, check: 100, redeem: 40 },
    { issue: 20, check: 200, redeem: 80 },
    { issue: 10, check: 150, redeem: 40 },
  ],
};
const other = {
  contestant: named("Other", 0),
  rounds: [
    { issue: 20, check: 1000, redeem: undefined },
    { issue: 20, check: 4000, redeem: undefined },
    { issue: 30, check: 1500, redeem: undefined },
  ],
};
const rows = toRows([own, other], own);

test("shows costs as medians with their range, and a life as the sum of a round's steps", () => {
  assert.deepEqual(rows[0]?.cpu_us.check, { middle: 150, range: [100, 200] });
  assert.deepEqual(rows[0]?.cpu_us.life, { middle: 200, range: [150, 300] });
  assert.deepEqual(rows[1]?.cpu_us.life, { middle: 1530, range: [1020, 4020] });
});

test("computes ratios against Stile in the same round, not against its median", () => {
  assert.deepEqual(rows[0]?.ratio.life, { middle: 1, range: [1, 1] });
  assert.deepEqual(rows[1]?.ratio.check, { middle: 10, range: [10, 20] });
  assert.deepEqual(rows[1]?.ratio.issue, { middle: 2, range: [1, 3] });
});

test("shows neither figure nor ratio for a step that a contestant lacks, and says so in the notes", () => {
  assert.equal(rows[1]?.cpu_us.redeem, null);
  assert.equal(rows[1]?.ratio.redeem, null);
  const [, second] = rows;
  assert.ok(second);
  assert.equal(toLine(second)["redeem, us"], "none");
  assert.equal(toLine(second)["check, us"], "1500 (1000..4000) x10");
  assert.ok(toNotes(second).includes("  redeem: It has none."));
  assert.ok(toNotes(second).includes("  check (10 calls a round): All of it."));
});

test("plots a bar for each figure, none for a missing one, and no invalid number", () => {
  const plot = plotPeers(rows);
  assert.equal(plot.match(/height="16"/g)?.length, 2 * 4 - 1);
  assert.equal(plot.match(/>none</g)?.length, 1);
  assert.equal(/NaN|undefined|Infinity/.test(plot), false);
  assert.match(plot, /^<svg [^>]*role="img"/);
});

test("plots on a logarithmic scale: ten times the cost is equally far everywhere", () => {
  const widths = [...plotPeers(rows).matchAll(/<rect x="\d+" y="[\d.]+" width="([\d.]+)"/g)].map(
    ([, width]) => Number(width),
  );
  const [issueOwn = 0, issueOther = 0, checkOwn = 0, checkOther = 0] = widths;
  assert.equal(issueOwn, 0, "10 us is where the axis begins");
  assert.ok(
    Math.abs(checkOther - checkOwn - 142.67) < 0.2,
    "1500 against 150, on an axis of three powers of ten",
  );
  assert.ok(Math.abs(issueOther - 142.67 * Math.log10(2)) < 0.2);
});
