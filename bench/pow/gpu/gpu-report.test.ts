import assert from "node:assert/strict";
import { test } from "node:test";
import { HASHWX_NAME, SHA256_NAME } from "../contestants.ts";
import { toGpuFigures } from "./gpu-report.ts";

/** A function whose rates are `factor` times those of the first. */
const functionOf = (factor: number) => [
  { name: HASHWX_NAME, where: "V8", khs: 900 * factor },
  { name: HASHWX_NAME, where: "V8", khs: 1000 * factor },
  { name: SHA256_NAME, where: "V8", khs: 2000 * factor },
  { name: HASHWX_NAME, where: "card, compiled", khs: 100_000 * factor, compileMs: 3000 * factor },
  { name: HASHWX_NAME, where: "card, compiled", khs: 131_072 * factor, compileMs: 2000 * factor },
  { name: SHA256_NAME, where: "card, sha256", khs: 10_485_760 * factor, compileMs: 1000 * factor },
];

test("a line is the median over the functions, of the fastest build of each, against V8's fastest of the same algorithm", () => {
  const figures = toGpuFigures([functionOf(1), functionOf(2), functionOf(9)]);
  assert.deepEqual(figures, [
    { name: HASHWX_NAME, where: "V8", khs: 2000, to_browser: 1, solutions: 15.3, compile_ms: null },
    { name: SHA256_NAME, where: "V8", khs: 4000, to_browser: 1, solutions: 7.63, compile_ms: null },
    { name: HASHWX_NAME, where: "card, compiled", khs: 262_144, to_browser: 131, solutions: 2000, compile_ms: 4000 },
    {
      name: SHA256_NAME,
      where: "card, sha256",
      khs: 20_971_520,
      to_browser: 5240,
      solutions: 40_000,
      compile_ms: 2000,
    },
  ]);
});
