import assert from "node:assert/strict";
import { test } from "node:test";
import { createWaveMemory } from "./wave-memory.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/**
 * A site with 400 known visits, each from another network, with one class that says much and one
 * that says little.
 */
function siteOfTwoClasses() {
  const memory = createWaveMemory({ maxSites: 1 });
  let nowMs = 0;
  let visits = 0;
  let digests = 0;
  const newDigest = (): number => Math.imul(++digests, 0x9e3779b1) >>> 0;
  const visit = (everyMs: number, telling = newDigest(), vague = newDigest()): void => {
    nowMs += everyMs;
    const classes = [telling, vague].map((digest) => ({ now: digest, usual: digest }));
    memory.record("pk_1", { era: 1, network: visits++, classes, crowds: [] }, nowMs);
  };
  for (let i = 0; i < 400; i++) visit(20 * SECOND);
  return { memory, visit, nowMs: () => nowMs, waves: () => memory.list("pk_1", nowMs).waves };
}

test("counts only a wave's own visits, and all visits and networks for the vaguer wave around it", () => {
  const { visit, waves } = siteOfTwoClasses();
  for (let i = 0; i < 40; i++) visit(SECOND, 9, 7);
  for (let i = 0; i < 100; i++) visit(SECOND, undefined, 7);
  for (let i = 0; i < 20; i++) visit(SECOND, 9, 7);
  const [vague, telling, ...others] = waves();
  assert.deepEqual(others, []);
  assert.deepEqual([telling?.peak.visits, vague?.peak.visits], [60, 140]);
  for (const wave of [telling, vague]) {
    const { visits = 0, networks = 0 } = wave?.peak ?? {};
    assert.ok(Math.abs(networks - visits) < 0.2 * visits, `${networks} networks of ${visits}`);
    assert.ok((wave?.visits ?? 0) >= visits, `${wave?.visits} in all, ${visits} at the peak`);
  }
});

test("merges a wave that was blocked and unblocked into a more specific wave of the same visits", () => {
  const { memory, visit, nowMs, waves } = siteOfTwoClasses();
  const shown = () => waves().map(({ waveId }) => waveId);
  for (let i = 0; i < 40; i++) visit(SECOND, undefined, 7);
  const [vague = ""] = shown();
  memory.refuse("pk_1", vague, nowMs() + HOUR);
  memory.refuse("pk_1", vague, nowMs());
  for (let i = 0; i < 400; i++) visit(MINUTE);
  assert.deepEqual(shown(), [vague]);
  for (let i = 0; i < 40; i++) visit(SECOND, 9, 7);
  const [telling, ...others] = shown();
  assert.deepEqual([telling === vague, others], [false, []]);
});
