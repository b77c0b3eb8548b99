import assert from "node:assert/strict";
import { test } from "node:test";
import { createWaveMemory } from "./wave-memory.ts";

const SECOND = 1000;
const HOUR = 3600 * SECOND;

test("keeps sites bounded: the one without a visit for longest must be learnt again", () => {
  const memory = createWaveMemory({ maxSites: 2 });
  const visit = { era: 1, network: 1, classes: [{ now: 1, usual: 1 }], crowds: [] };
  const fill = (siteKey: string, atMs: number): void => {
    for (let i = 0; i < 400; i++)
      memory.record(siteKey, { ...visit, network: i }, atMs + i * 20 * SECOND);
  };
  fill("pk_a", 0);
  fill("pk_b", 0);
  assert.equal(memory.list("pk_a", 3 * HOUR).isLearning, false);
  memory.record("pk_b", visit, 3 * HOUR);
  memory.record("pk_c", visit, 3 * HOUR);
  assert.deepEqual(
    ["pk_a", "pk_b", "pk_c"].map((key) => memory.list(key, 3 * HOUR).isLearning),
    [true, false, true],
  );
});

test("keeps known sites when rarely visited ones arrive, until they had no visit for a day", () => {
  const memory = createWaveMemory({ maxSites: 3 });
  const visit = { era: 1, network: 1, classes: [{ now: 1, usual: 1 }], crowds: [] };
  const isLearning = (siteKey: string, nowMs: number): boolean =>
    memory.list(siteKey, nowMs).isLearning;
  for (let i = 0; i < 400; i++)
    memory.record("pk_known", { ...visit, network: i }, i * 20 * SECOND);
  for (let i = 0; i < 50; i++) memory.record(`pk_${i}`, visit, 3 * HOUR + i * SECOND);
  assert.equal(isLearning("pk_known", 4 * HOUR), false);
  memory.record("pk_known", visit, 4 * HOUR);
  for (let i = 0; i < 50; i++) memory.record(`pk_${i}`, visit, 28 * HOUR + i * SECOND);
  assert.equal(isLearning("pk_known", 29 * HOUR), true);
});

test("learns everything again under a new key, and ignores late visits under the old one", () => {
  const memory = createWaveMemory({ maxSites: 2 });
  const visit = { era: 1, network: 1, classes: [{ now: 1, usual: 1 }], crowds: [] };
  for (let i = 0; i < 400; i++) memory.record("pk_1", { ...visit, network: i }, i * 20 * SECOND);
  assert.equal(memory.list("pk_1", 3 * HOUR).isLearning, false);
  memory.record("pk_1", { ...visit, era: 2 }, 3 * HOUR);
  assert.equal(memory.list("pk_1", 3 * HOUR).isLearning, true);
  memory.record("pk_1", visit, 3 * HOUR);
  for (let i = 0; i < 400; i++)
    memory.record("pk_1", { ...visit, era: 2, network: i }, 3 * HOUR + i * 20 * SECOND);
  assert.equal(memory.list("pk_1", 6 * HOUR).isLearning, false);
});
