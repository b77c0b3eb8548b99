import assert from "node:assert/strict";
import { test } from "node:test";
import { createChosenNames } from "./chosen-names.ts";

/** Names over rows that the test writes itself; `reads` counts how often they were looked up. */
function underTest() {
  const rows = new Map<string, Set<string>>();
  const seen = { reads: 0 };
  const names = createChosenNames((siteKey, kind, dayStartMs) => {
    seen.reads += 1;
    return rows.get(`${siteKey} ${kind} ${dayStartMs}`) ?? [];
  });
  const count = (siteKey: string, host: string, dayStartMs = 0): string => {
    const { name } = names.settle(siteKey, `host:${host}`, dayStartMs);
    const key = `${siteKey} host ${dayStartMs}`;
    rows.set(key, (rows.get(key) ?? new Set()).add(name));
    return name;
  };
  return { names, count, seen };
}

test("a flood of names costs no look-up each once the places are taken, nor does a known name", () => {
  const { count, seen } = underTest();
  for (let number = 0; number < 10_000; number++) count("pk_1", `h${number}`);
  for (let number = 0; number < 1_000; number++) count("pk_1", `h${number % 20}`);
  assert.ok(seen.reads <= 21, `${seen.reads} look-ups`);
});

test("what is remembered is bounded, and what was forgotten is found again in the rows", () => {
  const { names, count, seen } = underTest();
  for (let site = 0; site < 6_000; site++)
    for (let number = 0; number < 20; number++) count(`pk_${site}`, `h${number}`);
  names.tidy();
  seen.reads = 0;
  assert.equal(count("pk_5999", "h7"), "h7");
  assert.equal(seen.reads, 0, "the youngest are remembered");
  assert.equal(count("pk_0", "h7"), "h7");
  assert.equal(count("pk_1", "late"), "other");
  assert.equal(seen.reads, 2, "the oldest were forgotten");
});

test("names that are settled before any of them is written stay within the limit", () => {
  const names = createChosenNames(() => []);
  const settled = Array.from({ length: 100 }, (_, number) => names.settle("pk_1", `host:h${number}`, 0).name);
  assert.deepEqual([new Set(settled).size, settled.filter((name) => name === "other").length], [21, 80]);
});
