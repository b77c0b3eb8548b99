import { sha256 as nobleSha256 } from "@noble/hashes/sha2.js";
import type { AlgorithmNumber } from "@stile/pow/algorithms/table";
import { NONCES_PER_FUNCTION, seedFor, targetWords } from "@stile/pow/puzzle";
import { sha256 } from "@stile/pow/sha256";
import { createSolver, type Puzzle } from "@stile/pow/solver";
import { createSHA256 } from "hash-wasm";

/** Searches the next nonces and returns those that solve the puzzle, relative to where it began. */
type Search = (nonces: number) => readonly number[] | Promise<readonly number[]>;

/**
 * Something that can search for nonces; each search is a fresh one of the first function of the
 * puzzle.
 */
export type Contestant = {
  readonly name: string;
  /** Nonces per measurement: one to five milliseconds, so that of many some are undisturbed. */
  readonly chunk: number;
  readonly begin: (puzzle: Puzzle) => Search;
};

/** SHA-256 of a message; the next call may overwrite its result. */
type Digest = (message: Uint8Array<ArrayBuffer>) => Uint8Array;

/** The best rate of a contestant in one round. */
export type Measured = { readonly name: string; readonly khs: number };

/** Chunks per round: 65,536 nonces of algorithm 1, which is one function of it. */
export const CHUNKS_PER_ROUND = 16;
/** Nonces in a chunk of algorithm 1, in the browser and natively. */
export const HASHWX_CHUNK = NONCES_PER_FUNCTION / CHUNKS_PER_ROUND;

const SEED_BYTES = 32;

/**
 * The message of a nonce, `seed | u32le(nonce)` as in algorithm 2, and the comparison with the
 * target.
 */
function prepareSha(puzzle: Puzzle) {
  const target = targetWords(puzzle.k, puzzle.difficulty);
  const message = new Uint8Array(SEED_BYTES + 4);
  message.set(seedFor(sha256, puzzle.challengeBytes, puzzle.environmentDigest, 0));
  const view = new DataView(message.buffer);
  return {
    messageOf: (nonce: number): Uint8Array<ArrayBuffer> => {
      view.setUint32(SEED_BYTES, nonce, true);
      return message;
    },
    isHit: (digest: DataView): boolean => {
      const high = digest.getUint32(4, true);
      return high === target.high ? digest.getUint32(0, true) < target.low : high < target.high;
    },
  };
}

const viewOf = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** One digest for each nonce. */
export function perNonce(name: string, chunk: number, digest: Digest): Contestant {
  const begin = (puzzle: Puzzle): Search => {
    const { messageOf, isHit } = prepareSha(puzzle);
    let nonce = 0;
    return (nonces) => {
      const found: number[] = [];
      for (const end = nonce + nonces; nonce < end; nonce++) {
        if (isHit(viewOf(digest(messageOf(nonce))))) found.push(nonce);
      }
      return found;
    };
  };
  return { name, chunk, begin };
}

/** One awaited digest of WebCrypto for each nonce, as in widgets without their own SHA-256. */
export const webCryptoContestant: Contestant = {
  name: "SHA-256, WebCrypto digest",
  chunk: 512,
  begin: (puzzle) => {
    const { messageOf, isHit } = prepareSha(puzzle);
    let nonce = 0;
    return async (nonces) => {
      const found: number[] = [];
      for (const end = nonce + nonces; nonce < end; nonce++) {
        const digest = await crypto.subtle.digest("SHA-256", messageOf(nonce));
        if (isHit(new DataView(digest))) found.push(nonce);
      }
      return found;
    };
  },
};

function solverContestant(name: string, chunk: number, algorithm: AlgorithmNumber): Contestant {
  const begin = (puzzle: Puzzle): Search => {
    const solver = createSolver({ ...puzzle, algorithm, workerIndex: 0, workerCount: 1 });
    return (nonces) => solver.search(nonces).found;
  };
  return { name, chunk, begin };
}

/** Our name for algorithm 1 in every table. */
export const HASHWX_NAME = "HashWX (algorithm 1)";
/** The same for algorithm 2. */
const SHA256_NAME = "SHA-256 (algorithm 2)";

/** Contestants that run both in a browser and in Node. */
export async function createCommonContestants(): Promise<readonly Contestant[]> {
  const hashWasm = await createSHA256();
  return [
    solverContestant(HASHWX_NAME, HASHWX_CHUNK, 1),
    solverContestant(SHA256_NAME, 8192, 2),
    perNonce("SHA-256, @noble/hashes", 1024, nobleSha256),
    perNonce("SHA-256, hash-wasm", 2048, (message) =>
      hashWasm.init().update(message).digest("binary"),
    ),
  ];
}

async function measureOne({ name, chunk, begin }: Contestant, puzzle: Puzzle): Promise<Measured> {
  const search = begin(puzzle);
  let khs = 0;
  for (let i = 0; i < CHUNKS_PER_ROUND; i++) {
    const startMs = performance.now();
    await search(chunk);
    // Nonces per millisecond are kH/s; disturbances only slow a chunk down.
    khs = Math.max(khs, chunk / (performance.now() - startMs));
  }
  return { name, khs };
}

/** One round: every contestant in turn on the same puzzle, each with its best chunk. */
export async function measureRound(
  contestants: readonly Contestant[],
  puzzle: Puzzle,
): Promise<readonly Measured[]> {
  const measured: Measured[] = [];
  for (const contestant of contestants) measured.push(await measureOne(contestant, puzzle));
  return measured;
}
