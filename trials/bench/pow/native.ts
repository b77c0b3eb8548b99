import { execFileSync, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterpreter } from "@stile/pow/hashwx/interpreter";
import { generatePrograms } from "@stile/pow/hashwx/program";
import { seedWordsOf, toU64 } from "@stile/pow/hashwx/seed-words";
import { toCSource } from "./c-source.ts";

/** The attacker's build of one function. */
export type NativeFunction = {
  /** Time for writing, compiling and linking it once, ms, which no rate includes. */
  readonly compileMs: number;
  /** Hashes of u64 nonces. */
  readonly hashes: (nonces: readonly bigint[]) => readonly bigint[];
  /** kH/s of the best of `chunks` chunks, searched from nonce 0 on. */
  readonly measure: (chunk: number, chunks: number) => number;
};

const COMPILERS = ["gcc", "clang", "cc"];
/** Which is faster depends on compiler and machine; an attacker tries both. */
const FLAGS = [["-O3", "-march=native"], ["-O3"]];
/** Nonces on which every build must agree with the interpreter. */
const PROBES = [0n, 1n, 2n, 3n, 4095n, 4096n, 40_000n, 65_535n];

/** The first C compiler that runs, or undefined. */
export function findCompiler(): string | undefined {
  return COMPILERS.find((compiler) => spawnSync(compiler, ["--version"]).status === 0);
}

/** The hashes of nonces, by the interpreter of the solver. */
function interpretedHashes(seed: Uint8Array, nonces: readonly bigint[]): bigint[] {
  const words = seedWordsOf(seed);
  const { run, result } = createInterpreter(words, generatePrograms(words));
  return nonces.map((nonce) => {
    run(Number(nonce & 0xffff_ffffn), Number(nonce >> 32n));
    return toU64(result[0] as number, result[1] as number);
  });
}

/** Makes a program from a C source, at the path. */
export type Compile = (
  compiler: string,
  flags: readonly string[],
  source: string,
  path: string,
) => void;

/** Compiles from scratch, with the source next to the program. */
export const compileFresh: Compile = (compiler, flags, source, path) => {
  writeFileSync(`${path}.c`, source);
  execFileSync(compiler, [...flags, "-o", path, `${path}.c`]);
};

function toNative(build: () => void, path: string): NativeFunction {
  const startMs = performance.now();
  build();
  const run = (...args: string[]): string => execFileSync(path, args, { encoding: "utf8" });
  return {
    compileMs: performance.now() - startMs,
    hashes: (nonces) =>
      run("hash", ...nonces.map(String))
        .trim()
        .split("\n")
        .map((line) => BigInt(`0x${line}`)),
    measure: (chunk, chunks) => {
      const [bestNs] = run("search", String(chunk), String(chunks), "1").split(" ");
      return (chunk * 1e6) / Number(bestNs);
    },
  };
}

/**
 * Compiles the function of a seed in every way an attacker would, into `directory` under `name`.
 * Throws if a build computes other hashes than the interpreter: it would be invalid.
 */
export function buildNative(
  compiler: string,
  seed: Uint8Array,
  directory: string,
  name: string,
  compile = compileFresh,
): NativeFunction[] {
  const expected = interpretedHashes(seed, PROBES);
  return FLAGS.map((flags, i) => {
    const path = join(directory, `${name}-${i}`);
    const built = toNative(() => compile(compiler, flags, toCSource(seed), path), path);
    const hashes = built.hashes(PROBES);
    if (hashes.some((hash, probe) => hash !== expected[probe]))
      throw new Error(`${compiler} built another function`);
    return built;
  });
}
