// `npm run bench -- pow`: what the puzzle costs a visitor, an attacker and the server, all in one run.

import { spawnSync } from "node:child_process";
import { hash, randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { seedFor } from "@stile/pow/puzzle";
import { sha256 } from "@stile/pow/sha256";
import { type BenchBrowser, openBenchBrowser } from "./browser.ts";
import type { Solve } from "./browser-worker.ts";
import { measureCheckCosts, type Solved } from "./check-costs.ts";
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
import { printTables, type Rates, toFigures, type Where } from "./report.ts";
import { createBenchCryptography, signChallenge } from "./signed-challenges.ts";

/** Functions that browser and attacker search, the same ones: no two are equally fast. */
const FUNCTIONS = 8;
const ROUNDS = 3 * FUNCTIONS;
const CHALLENGES = 200;
const WARM_UP = 5;
const CHALLENGE_BYTES = 99;

function say(message: string): void {
  process.stderr.write(`bench: ${message}\n`);
}

/** Holds this process and what it starts to the last core, so that browser and attacker run on the same one. */
function pinToOneCore(): void {
  const core = String(availableParallelism() - 1);
  const { status } = spawnSync("taskset", ["-a", "-p", "-c", core, String(process.pid)]);
  say(status === 0 ? `everything runs on core ${core}, in turn` : "taskset is missing: cores are the system's choice");
}

/** The builds of the first function of each challenge; none without a compiler. */
function buildAttackers(challengeTexts: readonly string[], directory: string): readonly NativeFunction[][] {
  const compiler = findCompiler();
  if (compiler === undefined) {
    say("no C compiler (gcc, clang or cc): the native attacker is left out");
    return [];
  }
  const built = challengeTexts.map((text, i) => {
    const { challengeBytes, environmentDigest } = toRatePuzzle(text);
    return buildNative(compiler, seedFor(sha256, challengeBytes, environmentDigest, 0), directory, `function-${i}`);
  });
  const compileMs = quantile(
    built.flat().map((native) => native.compileMs),
    0.5,
  );
  say(
    `${compiler} takes ${compileMs.toFixed(0)} ms for a function, each good for 65,536 nonces; the rate leaves it out`,
  );
  return built;
}

const nodeContestant: Contestant = perNonce("SHA-256, node:crypto one-shot", 2048, (message) =>
  hash("sha256", message, "buffer"),
);

/** Browser, Node and attacker in turn, round by round, so that a drifting machine meets all alike. */
async function measureRates(browser: BenchBrowser, directory: string): Promise<readonly Rates[]> {
  const texts = Array.from({ length: FUNCTIONS }, () => randomBytes(CHALLENGE_BYTES).toString("base64url"));
  const attackers = buildAttackers(texts, directory);
  const inNode = [...(await createCommonContestants()), nodeContestant];
  const rates = new Map<string, { name: string; where: Where; rounds: number[] }>();
  const add = (where: Where, name: string, khs: number): void => {
    const key = `${where}: ${name}`;
    const known = rates.get(key) ?? { name, where, rounds: [] };
    rates.set(key, known);
    known.rounds.push(khs);
  };
  for (let round = 0; round < ROUNDS; round++) {
    if (round % FUNCTIONS === 0) say(`hash rates, rounds ${round + 1} to ${round + FUNCTIONS} of ${ROUNDS}`);
    const text = texts[round % FUNCTIONS] as string;
    for (const { name, khs } of await browser.measure(text)) add("browser", name, khs);
    for (const { name, khs } of await measureRound(inNode, toRatePuzzle(text))) add("node", name, khs);
    const builds = attackers[round % FUNCTIONS] ?? [];
    const native = builds.map((build) => build.measure(HASHWX_CHUNK, CHUNKS_PER_ROUND));
    if (native.length > 0) add("native", HASHWX_NAME, Math.max(...native));
  }
  return [...rates.values()];
}

async function solveInBrowser(browser: BenchBrowser, challengeTexts: readonly string[]): Promise<Solve[]> {
  const solves: Solve[] = [];
  for (const text of challengeTexts) {
    if (solves.length % 50 === 0) say(`solving, ${solves.length} of ${challengeTexts.length}`);
    solves.push(await browser.solve(text));
  }
  return solves;
}

/** Measures, and prints the figures as one line of JSON or as tables; progress goes to standard error. */
export async function benchPow(isJson: boolean): Promise<void> {
  pinToOneCore();
  const directory = mkdtempSync(join(tmpdir(), "stile-bench-"));
  const browser = await openBenchBrowser();
  say(`Chromium ${browser.version}, Node ${process.versions.node}`);
  try {
    const rates = await measureRates(browser, directory);
    const cryptography = createBenchCryptography();
    const texts = Array.from({ length: WARM_UP + CHALLENGES }, () => signChallenge(cryptography, Date.now()));
    const solves = await solveInBrowser(browser, texts);
    const solved: Solved[] = solves.map(({ nonces }, i) => ({ challengeText: texts[i] as string, nonces }));
    say("check costs");
    const costs = measureCheckCosts(cryptography, solved);
    const results = { rates, solves: solves.slice(WARM_UP), costs };
    if (isJson) process.stdout.write(`${JSON.stringify(toFigures(results))}\n`);
    else printTables(results);
  } finally {
    await browser.close();
    rmSync(directory, { recursive: true, force: true });
  }
}
