import assert from "node:assert/strict";
import { test } from "node:test";
import { type CpuProfile, findCostliest } from "./costliest-functions.ts";

const frame = (functionName: string, url = `file:///root/${functionName}.ts`) => ({
  functionName,
  url,
  lineNumber: 4,
});

/** A profile in which these stacks, outermost function first, took this long, microseconds. */
function profileOf(
  stacks: readonly (readonly [frames: readonly ReturnType<typeof frame>[], micros: number])[],
): CpuProfile {
  const nodes: { id: number; callFrame: ReturnType<typeof frame>; children: number[] }[] = [];
  const add = (callFrame: ReturnType<typeof frame>): number =>
    nodes.push({ id: nodes.length + 1, callFrame, children: [] });
  add(frame("(root)", ""));
  const samples: number[] = [];
  const timeDeltas: number[] = [];
  for (const [frames, micros] of stacks) {
    let at = 1;
    for (const callFrame of frames) {
      const child = add(callFrame);
      nodes[at - 1]?.children.push(child);
      at = child;
    }
    samples.push(at);
    timeDeltas.push(micros);
  }
  return { nodes, samples, timeDeltas };
}

const [outer, inner] = [frame("outer"), frame("inner")];

test("counts with a function all that it calls, once if it calls itself", () => {
  const profile = profileOf([
    [[outer], 100],
    [[outer, inner, inner], 300],
  ]);
  const { byInclusive } = findCostliest([{ profile, cpuMicros: 7 }], "/root", 10);
  assert.deepEqual(byInclusive, [
    { name: "outer", place: "outer.ts:5", inclusive: 1, self: 0.25 },
    { name: "inner", place: "inner.ts:5", inclusive: 0.75, self: 0.75 },
  ]);
});

test("computes shares of the CPU of all threads, which neither idleness nor a wait increases", () => {
  const main = profileOf([
    [[outer], 100],
    [[frame("(idle)", "")], 900],
  ]);
  const waiting = profileOf([[[inner], 1000]]);
  const threads = [
    { profile: main, cpuMicros: 90 },
    { profile: waiting, cpuMicros: 30 },
  ];
  const { byInclusive } = findCostliest(threads, "/root", 10);
  assert.deepEqual(
    byInclusive.map(({ name, inclusive }) => [name, inclusive]),
    [
      ["outer", 0.75],
      ["inner", 0.25],
    ],
  );
});

test("lists only the own work of Node and the engine, and none of the profiler", () => {
  const profile = profileOf([
    [[frame("parse", "node:http"), outer, frame("exec", "")], 300],
    [[frame("parse", "node:http")], 100],
    [[frame("start", "file:///root/bench/cpu-profiler.ts"), frame("post", "node:inspector")], 5000],
  ]);
  const { byInclusive, bySelf } = findCostliest([{ profile, cpuMicros: 7 }], "/root", 2);
  assert.deepEqual(
    byInclusive.map(({ name, inclusive }) => [name, inclusive]),
    [["outer", 0.75]],
  );
  assert.deepEqual(
    bySelf.map(({ name, place, self }) => [name, place, self]),
    [
      ["exec", "", 0.75],
      ["parse", "node:http:5", 0.25],
    ],
  );
});
