import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { readFileSync } from "node:fs";
import { type Call, type Contestant, expectRight, type Step } from "./contestant.ts";
import type { InstalledPeers } from "./install.ts";

/**
 * Searches `attempts` nonces, starting from the one in the input; the hash is empty if none of them
 * is below the threshold.
 */
type Solver = (
  input: Uint8Array,
  threshold: number,
  attempts?: number,
) => readonly [solved: Uint8Array, hash: Uint8Array];
type Library = {
  readonly getWasmSolver: (module: WebAssembly.Module) => Promise<Solver>;
  readonly difficultyToThreshold: (difficulty: number) => number;
  readonly getPuzzleSolverInputs: (puzzle: Uint8Array, count: number) => Uint8Array[];
};
/** Signature, puzzle and solutions, as a visitor's browser submits them. */
type Payload = string;

/** The offsets of a puzzle's fields, by friendly-pow's README. */
const AT = {
  time: 0,
  account: 4,
  app: 8,
  version: 12,
  expiry: 13,
  solutions: 14,
  difficulty: 15,
  nonce: 24,
} as const;
const PUZZLE_BYTES = 32;
const INPUT_BYTES = 128;
const SOLUTION_BYTES = 8;
const SOLUTION_AT = INPUT_BYTES - SOLUTION_BYTES;
/**
 * The lowest difficulty that friendly-lite-server comes with: 51 solutions of 2^15.25 hashes each.
 */
const DEFAULTS = { version: 1, solutions: 51, difficulty: 122, expiry: 12 } as const;
const SECONDS_PER_EXPIRY = 300;
/**
 * Puzzles solved for a run; the library remembers nothing, so that each can be checked again and
 * again.
 */
const POOL = 12;

const PLAN: Pick<Contestant, "name" | "puzzle" | "keeps" | "steps"> = {
  name: "Friendly Captcha (friendly-pow)",
  puzzle: "51 solutions of difficulty 122 with BLAKE2b-256, the first step of friendly-lite-server",
  keeps: "Nothing: the library has no store, and so no check for replays.",
  steps: {
    issue: {
      samples: 5000,
      contains:
        "32 bytes as its README lays them out and an HMAC by node:crypto; the library offers no function to issue.",
    },
    check: {
      samples: 600,
      contains:
        "HMAC, expiry, count and duplicates by its README, and 51 hashes by the library's WebAssembly; no replay check.",
    },
    redeem: { samples: 0, contains: "The library has no such step." },
  },
};

const nowSeconds = (): number => Math.floor(Date.now() / 1000);

/** The bytes of a fresh puzzle. */
function layOut(): Buffer {
  const puzzle = Buffer.alloc(PUZZLE_BYTES);
  puzzle.writeUInt32BE(nowSeconds(), AT.time);
  puzzle.writeUInt32BE(1, AT.account);
  puzzle.writeUInt32BE(1, AT.app);
  puzzle[AT.version] = DEFAULTS.version;
  puzzle[AT.expiry] = DEFAULTS.expiry;
  puzzle[AT.solutions] = DEFAULTS.solutions;
  puzzle[AT.difficulty] = DEFAULTS.difficulty;
  randomBytes(SOLUTION_BYTES).copy(puzzle, AT.nonce);
  return puzzle;
}

/** Whether a genuine puzzle may still be submitted, and has the right version and owner. */
function isCurrent(puzzle: Buffer): boolean {
  const lifeSeconds = (puzzle[AT.expiry] ?? 0) * SECONDS_PER_EXPIRY;
  const isYoung = nowSeconds() <= puzzle.readUInt32BE(AT.time) + lifeSeconds;
  const isOurs = puzzle.readUInt32BE(AT.account) === 1 && puzzle.readUInt32BE(AT.app) === 1;
  return isYoung && isOurs && puzzle[AT.version] === DEFAULTS.version;
}

async function loadLibrary(peers: InstalledPeers): Promise<Library> {
  const parts = ["api/wasm", "encoding", "puzzle"].map((part) =>
    peers.load(`friendly-pow/node/${part}.js`),
  );
  return Object.assign({}, ...(await Promise.all(parts)));
}

/**
 * friendly-pow, by the format and the verification in its README; node:crypto replaces the parts
 * that its package lacks.
 */
export async function openFriendly(peers: InstalledPeers): Promise<Contestant> {
  const library = await loadLibrary(peers);
  const wasm = readFileSync(peers.fileOf("friendly-pow", "wasm/optimized.wasm"));
  const solver = await library.getWasmSolver(await WebAssembly.compile(wasm));
  const key = randomBytes(32);
  const sign = (puzzle: Uint8Array): Buffer => createHmac("sha256", key).update(puzzle).digest();

  const issue = (): string => {
    const puzzle = layOut();
    return `${sign(puzzle).toString("hex")}.${puzzle.toString("base64")}`;
  };
  const solve = (issued: string): Payload => {
    const puzzle = Buffer.from(issued.split(".")[1] ?? "", "base64");
    const threshold = library.difficultyToThreshold(DEFAULTS.difficulty);
    const inputs = library.getPuzzleSolverInputs(puzzle, DEFAULTS.solutions);
    const solutions = inputs.map((input) =>
      Buffer.from(solver(input, threshold)[0].subarray(SOLUTION_AT)),
    );
    return `${issued}.${Buffer.concat(solutions).toString("base64")}`;
  };
  const areSolutions = (puzzle: Buffer, solutions: Buffer): boolean => {
    const count = puzzle[AT.solutions] ?? 0;
    if (solutions.length !== count * SOLUTION_BYTES) return false;
    const threshold = library.difficultyToThreshold(puzzle[AT.difficulty] ?? 0);
    const input = new Uint8Array(INPUT_BYTES);
    input.set(puzzle);
    const seen = new Set<bigint>();
    for (let at = 0; at < solutions.length; at += SOLUTION_BYTES) {
      seen.add(solutions.readBigUInt64BE(at));
      input.set(solutions.subarray(at, at + SOLUTION_BYTES), SOLUTION_AT);
      if (solver(input, threshold, 1)[1].length === 0) return false;
    }
    return seen.size === count;
  };
  const check = async (payload: Payload): Promise<void> => {
    const [signature = "", puzzleText = "", solutionsText = ""] = payload.split(".");
    const puzzle = Buffer.from(puzzleText, "base64");
    const isGenuine = timingSafeEqual(sign(puzzle), Buffer.from(signature, "hex"));
    const solutions = Buffer.from(solutionsText, "base64");
    expectRight(isGenuine && isCurrent(puzzle) && areSolutions(puzzle, solutions), "solved");
  };

  const pool = Array.from({ length: POOL }, () => solve(issue()));
  const calls: Record<Step, readonly Call[]> = {
    issue: [async () => expectRight(issue().length > 0, "issued")],
    check: pool.map((payload) => () => check(payload)),
    redeem: [],
  };
  return {
    ...PLAN,
    version: peers.versionOf("friendly-pow"),
    prepare: async (step, count) => {
      const own = calls[step];
      return Array.from({ length: count }, (_, index) => own[index % own.length] as Call);
    },
    prepareRefused: async () => {
      const zeros = Buffer.alloc(DEFAULTS.solutions * SOLUTION_BYTES).toString("base64");
      const [first = ""] = pool;
      return [() => check(`${issue()}.${zeros}`), () => check(`00${first.slice(2)}`)];
    },
    close: async () => {},
  };
}
