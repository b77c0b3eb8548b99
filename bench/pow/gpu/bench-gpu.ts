// `npm run bench -- pow-gpu`: what a graphics card gains over a browser, on a machine that has one and CUDA's compiler.
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CHALLENGE_BYTES } from "@stile/pow/challenge";
import { seedFor } from "@stile/pow/puzzle";
import { sha256 } from "@stile/pow/sha256";
import {
  CHUNKS_PER_ROUND,
  createCommonContestants,
  HASHWX_CHUNK,
  HASHWX_NAME,
  measureRound,
  SHA256_NAME,
} from "../contestants.ts";
import { buildNative, findCompiler } from "../native.ts";
import { toRatePuzzle } from "../puzzles.ts";
import { buildForCard, hasNvcc } from "./card-function.ts";
import type { Manner } from "./device-source.ts";
import { type GpuSample, printGpuTable, toGpuFigures } from "./gpu-report.ts";

/** The functions that all search, the same for all: no two are equally fast. */
const FUNCTIONS = 4;
const ROUNDS = 3;
const NAMES: { readonly [manner in Manner]: string } = {
  compiled: HASHWX_NAME,
  interpreted: HASHWX_NAME,
  sha256: SHA256_NAME,
};

function say(message: string): void {
  process.stderr.write(`bench: ${message}\n`);
}

/** One thread of V8, Chromium's engine, and one of the same processor without it. */
async function measureProcessor(text: string, directory: string, i: number): Promise<GpuSample[]> {
  const ours = (await createCommonContestants()).filter(({ name }) => name === HASHWX_NAME || name === SHA256_NAME);
  const samples: GpuSample[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    for (const measured of await measureRound(ours, toRatePuzzle(text))) samples.push({ ...measured, where: "V8" });
  }
  const compiler = findCompiler();
  if (compiler === undefined) return samples;
  for (const native of buildNative(compiler, seedOf(text), directory, `native-${i}`)) {
    const khs = native.measure(HASHWX_CHUNK, ROUNDS * CHUNKS_PER_ROUND);
    samples.push({ name: HASHWX_NAME, where: "C", khs, compileMs: native.compileMs });
  }
  return samples;
}

function measureCard(text: string, directory: string, i: number): GpuSample[] {
  return (["compiled", "interpreted", "sha256"] as const).flatMap((manner) =>
    buildForCard(manner, seedOf(text), directory, `card-${i}`).map(({ compileMs, measure }) => {
      const { khs, blocks, threads, card } = measure();
      say(`${manner}: ${Math.round(khs)} kH/s in ${blocks} blocks of ${threads} threads on ${card}`);
      return { name: NAMES[manner], where: `card, ${manner}`, khs, compileMs };
    }),
  );
}

function seedOf(text: string): Uint8Array {
  const { challengeBytes, environmentDigest } = toRatePuzzle(text);
  return seedFor(sha256, challengeBytes, environmentDigest, 0);
}

/** Measures, and prints the figures as one line of JSON or as a table. Returns false where there is nothing to measure. */
export async function benchGpu(isJson: boolean): Promise<boolean> {
  if (!hasNvcc()) {
    say("nvcc is missing: run this on a machine with an NVIDIA card and the CUDA toolkit, with nvcc in the PATH.");
    return false;
  }
  const directory = mkdtempSync(join(tmpdir(), "stile-bench-"));
  try {
    const functions: GpuSample[][] = [];
    for (let i = 0; i < FUNCTIONS; i++) {
      say(`function ${i + 1} of ${FUNCTIONS}`);
      const text = randomBytes(CHALLENGE_BYTES).toString("base64url");
      functions.push([...(await measureProcessor(text, directory, i)), ...measureCard(text, directory, i)]);
    }
    const figures = toGpuFigures(functions);
    if (isJson) process.stdout.write(`${JSON.stringify(figures)}\n`);
    else printGpuTable(figures);
    return true;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
