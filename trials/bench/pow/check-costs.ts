import type { Cryptography } from "@stile/core/ports/cryptography";
import { openChallenge } from "@stile/core/services/challenge/sign-challenge";
import { decodeBase64url, encodeBase64url } from "@stile/pow/base64url";
import { checkSolution } from "@stile/pow/checker";
import { packSolution } from "@stile/pow/solver";
import { toBasePuzzle } from "./puzzles.ts";
import { quantile } from "./quantile.ts";
import { signChallenge } from "./signed-challenges.ts";

/** A challenge, base64url, and the nonces that solve it, in increasing order. */
export type Solved = { readonly challengeText: string; readonly nonces: readonly number[] };

/**
 * Median microseconds that the server spends on one solution, from the challenge's text to the
 * verdict.
 */
export type CheckCosts = {
  readonly acceptUs: number;
  /** Well-formed, but already the first nonce is wrong. */
  readonly rejectUs: number;
  /**
   * Nothing of the puzzle is computed; this is the most expensive forgery, which names a new day
   * each time, so that its key must first be derived.
   */
  readonly forgedUs: number;
};

type CheckResult = "accepted" | "first nonce wrong" | "forged" | "other";
type HandedIn = { readonly challengeText: string; readonly solutionBytes: Uint8Array };
type Kind = {
  readonly wanted: CheckResult;
  readonly samples: readonly HandedIn[];
  readonly times: number[];
};

const ROUNDS = 10;
const DAY_MS = 86_400_000;
/** How many days forgeries name in turn: more than the service keeps keys of. */
const FORGED_DAYS = 600;

/** The server's steps in order: open the challenge, which verifies its MAC, then check the work. */
function check(
  cryptography: Cryptography,
  { challengeText, solutionBytes }: HandedIn,
): CheckResult {
  const open = openChallenge(cryptography, challengeText);
  if (open === undefined) return "forged";
  const outcome = checkSolution({
    challengeBytes: open.bytes,
    challenge: open.challenge,
    environmentDigest: toBasePuzzle(challengeText).environmentDigest,
    solutionBytes,
    sha256: (message) => cryptography.digest(message),
  });
  if (outcome.kind === "accepted") return "accepted";
  return outcome.reason === "work" && outcome.hashes === 1 ? "first nonce wrong" : "other";
}

function withoutItsFirst({ challengeText, nonces: [first = 0, ...rest] }: Solved): HandedIn {
  // The nonce before the first one found is not a solution, and keeps the order.
  return { challengeText, solutionBytes: packSolution([first === 0 ? 1 : first - 1, ...rest]) };
}

/** A challenge of that day, with the last byte of its MAC changed. */
function forge(cryptography: Cryptography, day: number): string {
  const bytes = decodeBase64url(signChallenge(cryptography, day * DAY_MS)) ?? new Uint8Array(0);
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
  return encodeBase64url(bytes);
}

function timeRound(cryptography: Cryptography, { wanted, samples, times }: Kind): void {
  for (const sample of samples) {
    const startMs = performance.now();
    const result = check(cryptography, sample);
    times.push(1000 * (performance.now() - startMs));
    if (result !== wanted) throw new Error(`the check found "${result}" instead of "${wanted}"`);
  }
}

/** Submits every kind in turn, several times. Throws if the verdict on one is not as expected. */
export function measureCheckCosts(
  cryptography: Cryptography,
  solved: readonly Solved[],
): CheckCosts {
  const whole = solved.map(({ challengeText, nonces }) => ({
    challengeText,
    solutionBytes: packSolution(nonces),
  }));
  const forged = Array.from({ length: FORGED_DAYS }, (_, day) => ({
    challengeText: forge(cryptography, day),
    solutionBytes: whole[0]?.solutionBytes ?? new Uint8Array(0),
  }));
  const kinds: Kind[] = [
    { wanted: "accepted", samples: whole, times: [] },
    { wanted: "first nonce wrong", samples: solved.map(withoutItsFirst), times: [] },
    { wanted: "forged", samples: forged, times: [] },
  ];
  for (let round = 0; round < ROUNDS; round++)
    for (const kind of kinds) timeRound(cryptography, kind);
  const [acceptUs = 0, rejectUs = 0, forgedUs = 0] = kinds.map(({ times }) => quantile(times, 0.5));
  return { acceptUs, rejectUs, forgedUs };
}
