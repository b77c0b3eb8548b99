// `npm run bench -- pow`: the cost of the puzzle for a visitor, an attacker and the server, all in
// one run.

import { hash, randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CHALLENGE_BYTES } from "@stile/pow/challenge";
import { seedFor } from "@stile/pow/puzzle";
import { sha256 } from "@stile/pow/sha256";
import { pinToOneCore } from "../pin-to-one-core.ts";
import { openBenchBrowser } from "./browser.ts";
import type { Solve } from "./browser-worker.ts";
import { measureCheckCosts } from "./check-costs.ts";
import {
  CHUNKS_PER_ROUND,
  type Contestant,
  createCommonContestants,
  HASHWX_CHUNK,
  HASHWX_NAME,
  measureRound,
  perNonce,
} from "./contestants.ts";
import { buildNative, findCompiler, type NativeFunction } from "./native.ts";
import { toRatePuzzle } from "./puzzles.ts";
import { quantile } from "./quantile.ts";
import { type PowResults, printTables, type Rates, toFigures, type Where } from "./report.ts";
import { createBenchCryptography, signChallenge } from "./signed-challenges.ts";

/** The functions that browser and attacker search, the same for both: no two are equally fast. */
const FUNCTIONS = 8;
const ROUNDS = 3 * FUNCTIONS;
const CHALLENGES = 200;
const SOLVE_PASSES = 3;
const WARM_UP = 5;

function say(message: string): void {
  process.stderr.write(`bench: ${message}\n`);
}

const randomChallenge = (): string => randomBytes(CHALLENGE_BYTES).toString("base64url");

/** The builds of the first function of each challenge; none without a compiler. */
function buildAttackers(
  challengeTexts: readonly string[],
  directory: string,
): readonly NativeFunction[][] {
  const compiler = findCompiler();
  if (compiler === undefined) {
    say("no C compiler (gcc, clang or cc): the native attacker is left out");
    return [];
  }
  const built = challengeTexts.map((text, i) => {
    const { challengeBytes, environmentDigest } = toRatePuzzle(text);
    return buildNative(
      compiler,
      seedFor(sha256, challengeBytes, environmentDigest, 0),
      directory,
      `function-${i}`,
    );
  });
  const compileMs = quantile(
    built.flat().map((native) => native.compileMs),
    0.5,
  );
  say(
    `${compiler} takes ${compileMs.toFixed(0)} ms for a function, which covers 65,536 nonces; the rate leaves it out`,
  );
  return built;
}

const nodeContestant: Contestant = perNonce("SHA-256, node:crypto one-shot", 2048, (message) =>
  hash("sha256", message, "buffer"),
);

/** The rates of all rounds, by contestant. */
function createRateList() {
  const rates = new Map<string, { name: string; where: Where; rounds: number[] }>();
  const add = (where: Where, name: string, khs: number): void => {
    const key = `${where}: ${name}`;
    const known = rates.get(key) ?? { name, where, rounds: [] };
    rates.set(key, known);
    known.rounds.push(khs);
  };
  return { add, all: (): readonly Rates[] => [...rates.values()] };
}

/**
 * Browser, Node and attacker in turn, round by round, so that a drifting machine affects all alike.
 */
async function measureRates(directory: string): Promise<readonly Rates[]> {
  const texts = Array.from({ length: FUNCTIONS }, randomChallenge);
  const attackers = buildAttackers(texts, directory);
  const inNode = [...(await createCommonContestants()), nodeContestant];
  const rates = createRateList();
  const browser = await openBenchBrowser();
  say(`Chromium ${browser.version}, Node ${process.versions.node}`);
  try {
    for (let round = 0; round < ROUNDS; round++) {
      if (round % FUNCTIONS === 0)
        say(`hash rates, rounds ${round + 1} to ${round + FUNCTIONS} of ${ROUNDS}`);
      const text = texts[round % FUNCTIONS] as string;
      for (const { name, khs } of await browser.measure(text)) rates.add("browser", name, khs);
      for (const { name, khs } of await measureRound(inNode, toRatePuzzle(text)))
        rates.add("node", name, khs);
      const builds = attackers[round % FUNCTIONS] ?? [];
      const native = builds.map((build) => build.measure(HASHWX_CHUNK, CHUNKS_PER_ROUND));
      if (native.length > 0) rates.add("native", HASHWX_NAME, Math.max(...native));
    }
  } finally {
    await browser.close();
  }
  return rates.all();
}

/**
 * Solves every challenge once in each of a few browsers, and takes the fastest: disturbances only
 * slow it down. A fresh browser each time, because one that has compiled a function before may
 * still have it.
 */
async function solveInBrowsers(challengeTexts: readonly string[]): Promise<Solve[]> {
  const best: Solve[] = [];
  for (let pass = 0; pass < SOLVE_PASSES; pass++) {
    say(`solving ${challengeTexts.length} challenges, pass ${pass + 1} of ${SOLVE_PASSES}`);
    const browser = await openBenchBrowser();
    try {
      for (let i = 0; i < WARM_UP; i++) await browser.solve(randomChallenge());
      for (const [i, text] of challengeTexts.entries()) {
        const solve = await browser.solve(text);
        const known = best[i];
        if (known === undefined || solve.ms < known.ms) best[i] = solve;
      }
    } finally {
      await browser.close();
    }
  }
  return best;
}

async function measureAll(directory: string): Promise<PowResults> {
  const rates = await measureRates(directory);
  const cryptography = createBenchCryptography();
  const texts = Array.from({ length: CHALLENGES }, () => signChallenge(cryptography, Date.now()));
  const solves = await solveInBrowsers(texts);
  say("what a check costs");
  const solved = solves.map(({ nonces }, i) => ({ challengeText: texts[i] as string, nonces }));
  return { rates, solves, costs: measureCheckCosts(cryptography, solved) };
}

/**
 * Measures, and prints the figures as one line of JSON or as tables; progress goes to standard
 * error.
 */
export async function benchPow(isJson: boolean): Promise<void> {
  const core = pinToOneCore();
  // Keeps browser and attacker on the same core.
  say(
    core === undefined
      ? "taskset is missing: cores are the system's choice"
      : `everything runs on core ${core}, in turn`,
  );
  const directory = mkdtempSync(join(tmpdir(), "stile-bench-"));
  try {
    const results = await measureAll(directory);
    if (isJson) process.stdout.write(`${JSON.stringify(toFigures(results))}\n`);
    else printTables(results);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
