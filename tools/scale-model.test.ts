import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { costsOf, type Figures, hotSiteWait, MEASURED, needsOf, SCALING, withScaleTables } from "./scale-model.ts";

const document = readFileSync(SCALING, "utf8");

test("the tables of the document are what the model makes of the figures (node tools/scale-model.ts)", () => {
  assert.equal(document, withScaleTables(document));
  assert.throws(() => withScaleTables("no place"), /no place for the table needs/);
});

test("the document names the figures that the model takes", () => {
  const { nodeMicros, visitMicros, smallBatch, largeBatch, smallLeased, largeLeased, countsMs, tokenBytes } = MEASURED;
  const { engine, endMs } = costsOf(MEASURED);
  for (const figure of [
    `at ${nodeMicros} microseconds`,
    `cost ${visitMicros},`,
    `${smallBatch.engineMicros} microseconds in batches of ${smallBatch.size}, ${largeBatch.engineMicros} in`,
    `${smallLeased.engineMicros} and ${largeLeased.engineMicros} at a node that leases`,
    `${smallBatch.logBytes} and ${largeBatch.logBytes} bytes`,
    `the counts ${countsMs} ms`,
    `${tokenBytes} bytes each`,
    `${(engine.fixed / 1000).toFixed(2)} ms by itself`,
    `${(engine.each / 1000).toFixed(2)} ms for each`,
    `their last ${endMs.toFixed(1)} ms`,
  ]) {
    assert.ok(document.replaceAll(/\s+/g, " ").includes(figure), figure);
  }
});

test("what the document says of the engine's limit and of one primary follows from the model", () => {
  const { engine } = costsOf(MEASURED);
  const planned = engine.fixed / needsOf(MEASURED, 100_000).batch + engine.each;
  assert.equal(Math.floor(planned / (engine.fixed / 1000 + engine.each)), 8);
  assert.deepEqual(
    [100_000, 120_000].map((rate) => needsOf(MEASURED, rate).primaries),
    [1, 2],
  );
});

/** Numbers that can be computed by hand: a batch costs the engine 1 ms, plus 0.01 ms for each redemption in it. */
const PLAIN: Figures = {
  nodeMicros: 100,
  visitMicros: 1000,
  smallBatch: { size: 10, engineMicros: 110, logBytes: 300 },
  largeBatch: { size: 100, engineMicros: 20, logBytes: 210 },
  smallLeased: { size: 10, engineMicros: 220, logBytes: 300 },
  largeLeased: { size: 100, engineMicros: 40, logBytes: 210 },
  commitMs: 1,
  countsMs: 0.5,
  tokenBytes: 100,
};

test("costs are the straight line through what batches of two sizes cost", () => {
  const { engine, log, batchMs, leasedMs, endMs } = costsOf(PLAIN);
  assert.deepEqual(
    [engine, log],
    [
      { each: 10, fixed: 1000 },
      { each: 200, fixed: 1000 },
    ],
  );
  assert.deepEqual([batchMs, leasedMs, endMs], [{ fixed: 2, each: 0.01 }, { fixed: 3, each: 0.02 }, 1.5]);
});

test("a batch holds what comes while one is away", () => {
  // 5,000 a second at one node: 10 per batch of 2 ms, and a few more, since each redemption takes time too.
  const { nodes, batch, connections, tokenBytesKept } = needsOf(PLAIN, 5000);
  assert.deepEqual([nodes, connections, tokenBytesKept], [1, 9, 5000 * 1260 * 100]);
  assert.equal(batch, 10 / 0.95);
  assert.ok(Math.abs(batch - 5 * (2 + 0.01 * batch)) < 1e-9);
  assert.equal(needsOf(PLAIN, 10).batch, 1);
});

test("the needs grow with the rate, and two primaries come when one has no core left to plan with", () => {
  const rates = [10, 100, 1000, 10_000, 100_000, 1_000_000];
  const needs = rates.map((rate) => needsOf(PLAIN, rate));
  for (const [at, { nodes, engineCores, primaries }] of needs.entries()) {
    const before = needs[at - 1];
    assert.ok(nodes >= (before?.nodes ?? 0) && engineCores > (before?.engineCores ?? 0));
    assert.equal(primaries, Math.ceil(engineCores / 16));
  }
});

test("at one hot site all batches take turns without leases, and only their ends with them", () => {
  // Two nodes, 2 ms per batch and 0.1 ms per millisecond for its redemptions: each node's turn comes after 4 ms / 0.9.
  assert.ok(Math.abs((hotSiteWait(PLAIN, 10_000, false) ?? 0) - (1.5 * 4) / (1 - 0.1)) < 1e-9);
  assert.equal(hotSiteWait(PLAIN, 10_000, true), 1.5 * Math.max(3 / (1 - 0.1), 2 * 1.5));
  // A single node waits for nobody, and would only pay for leases.
  assert.ok((hotSiteWait(PLAIN, 1000, false) ?? 0) < (hotSiteWait(PLAIN, 1000, true) ?? 0));
});

test("there is a rate at one site that no number of nodes carries without leases", () => {
  assert.equal(hotSiteWait(PLAIN, 100_000, false), undefined);
  assert.ok((hotSiteWait(PLAIN, 100_000, true) ?? 0) > 0);
  assert.equal(hotSiteWait(PLAIN, 1_000_000, true), undefined);
});
