import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { interpretedHashes } from "../native.ts";
import { toCudaSource } from "./cuda-source.ts";
import type { Manner } from "./device-source.ts";

/** Thousand hashes a second of the whole card, and how many blocks of how many threads reached them. */
export type CardRate = {
  readonly khs: number;
  readonly blocks: number;
  readonly threads: number;
  readonly card: string;
};

/** One build of a function for the card of this machine. */
export type CardFunction = {
  /** Time for writing, compiling and linking it once, ms, which no rate includes. */
  readonly compileMs: number;
  /** Searches on the card until the fastest division into blocks and threads is found. */
  readonly measure: () => CardRate;
};

/** Where the scratchpads can be; which is faster depends on the card, so an attacker tries both. */
const FLAGS: { readonly [manner in Manner]: readonly (readonly string[])[] } = {
  compiled: [[], ["-DPAD_IS_SHARED"]],
  interpreted: [[], ["-DPAD_IS_SHARED"]],
  sha256: [[]],
};
/** Nonces on which every build must agree with the solver: many at once, so that threads take different branches. */
const PROBES = Array.from({ length: 1024 }, (_, i) => BigInt(64 * i + (i % 64)));

/** Whether CUDA's compiler is installed. */
export const hasNvcc = (): boolean => spawnSync("nvcc", ["--version"]).status === 0;

/** The first 8 bytes, little endian, of the digests of seed and nonce: algorithm 2. */
function sha256Hashes(seed: Uint8Array, nonces: readonly bigint[]): bigint[] {
  const nonceBytes = Buffer.alloc(4);
  return nonces.map((nonce) => {
    nonceBytes.writeUInt32LE(Number(nonce));
    return createHash("sha256").update(seed).update(nonceBytes).digest().readBigUInt64LE();
  });
}

function build(manner: Manner, seed: Uint8Array, flags: readonly string[], path: string) {
  const startMs = performance.now();
  writeFileSync(`${path}.cu`, toCudaSource(manner, seed));
  execFileSync("nvcc", ["-O3", "-arch=native", ...flags, "-o", path, `${path}.cu`]);
  const compileMs = performance.now() - startMs;
  const run = (...args: string[]): string => {
    const { status, stdout, stderr } = spawnSync(path, args, { encoding: "utf8" });
    if (status !== 0) throw new Error(`the card's program failed: ${stderr.trim()}`);
    return stdout.trim();
  };
  const hashes = (nonces: readonly bigint[]): bigint[] =>
    run("hash", ...nonces.map(String))
      .split("\n")
      .map((line) => BigInt(`0x${line}`));
  const measure = (): CardRate => {
    const [khs, blocks, threads, ...card] = run("search").split(" ");
    return { khs: Number(khs), blocks: Number(blocks), threads: Number(threads), card: card.join(" ") };
  };
  return { compileMs, hashes, measure };
}

/**
 * Builds the function of a seed in every way that suits the manner, into `directory` under `name`. Throws if a build
 * computes other hashes than the solver: it would be invalid.
 */
export function buildForCard(manner: Manner, seed: Uint8Array, directory: string, name: string): CardFunction[] {
  const expected = manner === "sha256" ? sha256Hashes(seed, PROBES) : interpretedHashes(seed, PROBES);
  return FLAGS[manner].map((flags, i) => {
    const { hashes, ...built } = build(manner, seed, flags, join(directory, `${name}-${manner}-${i}`));
    const computed = hashes(PROBES);
    if (computed.some((hash, probe) => hash !== expected[probe])) throw new Error("nvcc built another function");
    return built;
  });
}
