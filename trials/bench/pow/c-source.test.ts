import assert from "node:assert/strict";
import { test } from "node:test";
import { seedNumber } from "@stile/pow/hashwx/fixtures/vectors";
import { toCSource } from "./c-source.ts";

test("unrolls both phases into 64 programs, each with its own branch, and one store for each register after the first 32", () => {
  const source = toCSource(seedNumber(1));
  assert.equal(source.match(/goto /g)?.length, 64);
  assert.equal(source.match(/rotr\(r\d \* r[89], \d+\);/g)?.length, 64);
  assert.equal(source.match(/PAD\(\d+\) = r\d;/g)?.length, 256);
});

test("reads the scratchpad only in the second phase, in all its instructions but the first of a program", () => {
  const [first = "", second = ""] = toCSource(seedNumber(2)).split("second_0:");
  assert.equal(first.includes(">> 3 & 255"), false);
  assert.equal(second.match(/PAD\(r\d >> 3 & 255\)/g)?.length, 32 * 7);
});

test("generates a separate program for every seed, and always the same", () => {
  const sources = Array.from({ length: 20 }, (_, number) => toCSource(seedNumber(number)));
  assert.equal(new Set(sources).size, 20);
  assert.equal(toCSource(seedNumber(3)), sources[3]);
});

test("refuses a seed of another length", () => {
  assert.throws(() => toCSource(new Uint8Array(31)), RangeError);
});
