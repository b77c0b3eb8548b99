import type { AlgorithmNumber } from "@stile/pow/algorithms/table";
import type { Challenge } from "@stile/pow/challenge";
import { BASE_DIFFICULTY, difficultyFor, NONCES_PER_SOLUTION } from "@stile/pow/puzzle";
import { CHALLENGE_LIFE_SECONDS } from "@stile/protocol/limits";
import type { Interaction, SiteMode } from "@stile/protocol/site-settings";
import type { ServiceSettings } from "../service-settings.ts";
import type { Site } from "../site/site.ts";

/** Whether a visitor comes for the first time or was asked for more (D9). */
export type ChallengeStage = Challenge["stage"];

/** What a challenge is bound to: keyed digests, so that it tells nobody anything (D8). */
export type ChallengeBinding = Pick<
  Challenge,
  "actionDigest" | "userAgentDigest" | "addressFamily" | "prefixDigest" | "keyId"
>;

/** Modes whose visitors can be asked for a click (D9). */
const ASKING_MODES: readonly SiteMode[] = ["managed", "interactive"];

/** Whether the site's mode lets the service ask for a click or refuse; the others always issue a token (D9). */
export function mayAsk(mode: SiteMode): boolean {
  return ASKING_MODES.includes(mode);
}

/** What the visitor is asked for besides work (D9). */
export function interactionFor(mode: SiteMode, stage: ChallengeStage): Interaction {
  return mode === "interactive" || (mode === "managed" && stage === "stepped_up") ? "click" : "none";
}

/** D for a browser without WebAssembly, which interprets the function a hundred times slower. */
const FALLBACK_DIFFICULTY = 2 ** 13;

/** Algorithms that need WebAssembly to be fast; the others have no fallback. */
const COMPILED_ALGORITHMS: readonly AlgorithmNumber[] = [1];

/** Whether a browser without WebAssembly may be given less work of this algorithm. */
export function hasFallback(algorithm: AlgorithmNumber): boolean {
  return COMPILED_ALGORITHMS.includes(algorithm);
}

/**
 * Whether less work is wished for, for want of WebAssembly: not at all, by the word of a browser that asks for a challenge,
 * because the solution that is stepped up was one of less work, or because it was, and nothing is held against it for that.
 */
export type FallbackWish = "none" | "asked" | "continued" | "excused";

/** Work to be done: all of it; a quarter; or what a browser without WebAssembly does in seconds (proof of work). */
export type Workload = "full" | "quarter" | "reduced";

/** Of the work that was done a moment ago, what is asked again where a click alone is missing (D9). */
const SHARE_AGAIN = 1 / 8;

/** D of an algorithm on those terms. */
export function difficultyOn(
  algorithm: AlgorithmNumber,
  { workload, isWorkDone, exponent }: Pick<ChallengeTerms, "workload" | "isWorkDone" | "exponent">,
): number {
  const full = BASE_DIFFICULTY[algorithm];
  const base = { full, quarter: full / 4, reduced: FALLBACK_DIFFICULTY }[workload];
  return difficultyFor(isWorkDone ? base * SHARE_AGAIN : base, exponent);
}

/** What a challenge is made of besides the site: the terms were judged before. */
export type ChallengeTerms = {
  readonly stage: ChallengeStage;
  /** Exponent of two by which the base difficulty is multiplied, -1 .. +6. */
  readonly exponent: number;
  readonly workload: Workload;
  /** Whether the work of another challenge was just done for it, and a click alone is missing (D9). */
  readonly isWorkDone: boolean;
  /** Whether less work is held against its solution (proof of work, fallback). */
  readonly isFallback: boolean;
};

/** A fresh challenge, not yet signed. */
export function createChallenge(
  site: Site,
  settings: ServiceSettings,
  fresh: ChallengeTerms & { binding: ChallengeBinding; id: Uint8Array; nowMs: number },
): Challenge {
  return {
    ...fresh.binding,
    algorithm: settings.algorithm,
    k: NONCES_PER_SOLUTION,
    difficulty: difficultyOn(settings.algorithm, fresh),
    siteKey: site.siteKey,
    stage: fresh.stage,
    interaction: interactionFor(site.mode, fresh.stage),
    isFallback: fresh.isFallback,
    issuedAtMs: fresh.nowMs,
    lifeSeconds: CHALLENGE_LIFE_SECONDS,
    id: fresh.id,
  };
}

/** The moment from which no solution is taken any more. */
export function challengeExpiresAtMs(challenge: Challenge): number {
  return challenge.issuedAtMs + challenge.lifeSeconds * 1000;
}
