import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { promisify } from "node:util";
import { build } from "vite";
import { interpretedHash, seedNumber, VECTORS } from "../hashwx/fixtures/vectors.ts";
import { hashwxAlgorithm } from "./hashwx.ts";

const wordsOf = (value: bigint) => ({
  high: Number(value >> 32n),
  low: Number(value & 0xffff_ffffn),
});
const EVERYTHING = wordsOf(2n ** 64n - 1n);
const NOTHING = wordsOf(0n);

const original = globalThis.WebAssembly;

/** Replaces the global for the rest of a test. */
function withWebAssembly(context: TestContext, replacement: unknown): void {
  const install = (value: unknown) =>
    Object.defineProperty(globalThis, "WebAssembly", { value, configurable: true, writable: true });
  install(replacement);
  context.after(() => install(original));
}

/** Counts the modules compiled until the end of the test. */
function countCompilations(context: TestContext): () => number {
  let compiled = 0;
  class CountingModule extends original.Module {
    constructor(bytes: BufferSource) {
      super(bytes);
      compiled += 1;
    }
  }
  withWebAssembly(context, {
    Instance: original.Instance,
    Memory: original.Memory,
    Module: CountingModule,
  });
  return () => compiled;
}

function hitsOf(seed: Uint8Array, target: { high: number; low: number }, to: number): number[] {
  const { search } = hashwxAlgorithm.createFunction(seed);
  const hits: number[] = [];
  for (let from = 0; from < to; ) {
    const hit = search(from, to, target);
    if (hit < to) hits.push(hit);
    from = hit + 1;
  }
  return hits;
}

test("the checker computes the published vectors that a puzzle's inputs reach", () => {
  for (const { seed, nonce, hash } of VECTORS.filter(({ nonce }) => nonce < 2n ** 32n)) {
    const { isBelow } = hashwxAlgorithm.createFunction(seed);
    assert.equal(isBelow(Number(nonce), wordsOf(hash)), false);
    assert.equal(isBelow(Number(nonce), wordsOf(hash + 1n)), true);
  }
});

test("the checker agrees with the interpreter to the last bit", () => {
  for (let number = 0; number < 500; number++) {
    const hash = interpretedHash(seedNumber(number));
    const { isBelow } = hashwxAlgorithm.createFunction(seedNumber(number));
    for (const input of [0, number, 65_535]) {
      assert.equal(isBelow(input, wordsOf(hash(BigInt(input)))), false);
      assert.equal(isBelow(input, wordsOf(hash(BigInt(input)) + 1n)), true);
    }
  }
});

test("a search over batches finds exactly what the interpreter finds, at the seams too", () => {
  const seed = seedNumber(1);
  const hash = interpretedHash(seed);
  const target = 2n ** 60n;
  const expected = Array.from({ length: 3000 }, (_, input) => input).filter(
    (input) => hash(BigInt(input)) < target,
  );
  assert.deepEqual(hitsOf(seed, wordsOf(target), 3000), expected);
  const { search } = hashwxAlgorithm.createFunction(seed);
  for (const from of [0, 1, 255, 256, 257, 511, 65_535]) {
    assert.equal(search(from, 65_536, EVERYTHING), from);
    assert.equal(search(from, Math.min(65_536, from + 700), NOTHING), Math.min(65_536, from + 700));
  }
  assert.equal(search(9, 9, EVERYTHING), 9);
});

test("keeps functions apart that are alive at once, though they share a memory", () => {
  const seeds = [seedNumber(1), seedNumber(2)] as const;
  const [a, b] = [
    hashwxAlgorithm.createFunction(seeds[0]),
    hashwxAlgorithm.createFunction(seeds[1]),
  ];
  const [hashA, hashB] = [interpretedHash(seeds[0]), interpretedHash(seeds[1])];
  for (let input = 0; input < 100; input++) {
    assert.equal(a.isBelow(input, wordsOf(hashA(BigInt(input)) + 1n)), true);
    assert.equal(b.search(input, input + 1, wordsOf(hashB(BigInt(input)) + 1n)), input);
    assert.equal(b.isBelow(input, wordsOf(hashB(BigInt(input)))), false);
    assert.equal(a.search(input, input + 1, wordsOf(hashA(BigInt(input)))), input + 1);
  }
});

test("compiles a function once, however its search is sliced, and not at all for a check", (context) => {
  const { isBelow } = hashwxAlgorithm.createFunction(seedNumber(1));
  isBelow(0, EVERYTHING);
  const compilations = countCompilations(context);
  for (let number = 0; number < 20; number++) {
    hashwxAlgorithm.createFunction(seedNumber(number)).isBelow(number, EVERYTHING);
  }
  assert.equal(compilations(), 0);
  const { search } = hashwxAlgorithm.createFunction(seedNumber(2));
  assert.equal(compilations(), 0);
  for (let from = 0; from < 1000; from += 10) search(from, from + 10, NOTHING);
  assert.equal(compilations(), 1);
});

test("searches with the interpreter if WebAssembly is missing, and finds the same", (context) => {
  const target = wordsOf(2n ** 59n);
  const expected = hitsOf(seedNumber(3), target, 1500);
  assert.ok(expected.length > 10);
  withWebAssembly(context, undefined);
  assert.deepEqual(hitsOf(seedNumber(3), target, 1500), expected);
});

test("solves and checks the vectors in an engine without WebAssembly and without JIT", async (context) => {
  const outDir = mkdtempSync(join(tmpdir(), "stile-jitless-"));
  context.after(() => rmSync(outDir, { recursive: true }));
  await build({
    configFile: false,
    root: import.meta.dirname,
    logLevel: "error",
    build: {
      outDir,
      lib: { entry: "hashwx.ts", formats: ["es"], fileName: () => "hashwx.mjs" },
    },
  });
  const script = `
    import { hashwxAlgorithm } from ${JSON.stringify(join(outDir, "hashwx.mjs"))};
    const seed = new Uint8Array(32);
    seed.set(new TextEncoder().encode("This is a test seed for hashwx"));
    const { isBelow, search } = hashwxAlgorithm.createFunction(seed);
    const above = { high: 0xb4489a88, low: 0x2aac21d4 };
    const at = { high: 0xb4489a88, low: 0x2aac21d3 };
    console.log(JSON.stringify([
      typeof WebAssembly,
      isBelow(123456, above), isBelow(123456, at),
      search(123456, 123457, above), search(123456, 123457, at),
    ]));`;
  const { stdout } = await promisify(execFile)(process.execPath, [
    "--jitless",
    "--input-type=module",
    "--eval",
    script,
  ]);
  assert.deepEqual(JSON.parse(stdout), ["undefined", true, false, 123_456, 123_457]);
});

test("throws for a seed that is not 32 bytes", () => {
  for (const length of [0, 31, 33])
    assert.throws(() => hashwxAlgorithm.createFunction(new Uint8Array(length)), RangeError);
});
