import type { AlgorithmNumber } from "@stile/pow/algorithms/table";
import type { Challenge } from "@stile/pow/challenge";
import { BASE_DIFFICULTY, difficultyFor, NONCES_PER_SOLUTION } from "@stile/pow/puzzle";
import { CHALLENGE_LIFE_SECONDS } from "@stile/protocol/limits";
import type { Interaction, SiteMode } from "@stile/protocol/site-settings";
import type { ServiceSettings } from "../service-settings.ts";
import type { Site } from "../site/site.ts";
import { MOST_INTERPRETED } from "./slowest-device.ts";

/**
 * Whether it is the visitor's first challenge, or one after a solution that was not enough (D9,
 * submission).
 */
export type ChallengeStage = Challenge["stage"];

/**
 * The binding of a challenge: keyed digests, which reveal nothing to the browser (D8, challenge).
 */
export type ChallengeBinding = Pick<
  Challenge,
  "actionDigest" | "userAgentDigest" | "addressFamily" | "prefixDigest" | "keyId"
>;

/** The modes in which visitors can be asked for a click (D9, submission). */
const ASKING_MODES: readonly SiteMode[] = ["managed", "interactive"];

/**
 * Whether the mode lets the service ask for a click or block; the other modes always issue a token
 * (D9, submission).
 */
export function mayAsk(mode: SiteMode): boolean {
  return ASKING_MODES.includes(mode);
}

/** The action that the visitor must take in addition to the work (D9, submission). */
export function interactionFor(mode: SiteMode, stage: ChallengeStage): Interaction {
  // The visitor who pays for other doubts has pressed before.
  if (stage === "priced") return "none";
  return mode === "interactive" || (mode === "managed" && stage === "stepped_up")
    ? "click"
    : "none";
}

/** Expected hashes for a browser without WebAssembly, which is over a hundred times slower. */
const FALLBACK_DIFFICULTY = 2 ** 13;

/** The algorithms that need WebAssembly to be fast. The others have no fallback. */
const COMPILED_ALGORITHMS: readonly AlgorithmNumber[] = [1];

/** Whether browsers without WebAssembly may get less work with this algorithm. */
export function hasFallback(algorithm: AlgorithmNumber): boolean {
  return COMPILED_ALGORITHMS.includes(algorithm);
}

/**
 * Why less work is requested without WebAssembly: it is not (`none`); the browser asked for it
 * (`asked`); the stepped-up solution had less work, which counts against the visitor (`continued`)
 * or does not (`excused`).
 */
export type FallbackState = "none" | "asked" | "continued" | "excused";

/**
 * The amount of work: all of it; a few seconds' worth for a browser without WebAssembly; or the
 * most that such a browser ever gets (proof of work).
 */
export type Workload = "full" | "reduced" | "most_interpreted";

/**
 * If only the click is missing, the share of the work just done that is asked for again (D9,
 * submission).
 */
const SHARE_AGAIN = 1 / 8;

/** D of an algorithm under these terms. */
export function difficultyOn(
  algorithm: AlgorithmNumber,
  { workload, isWorkDone, exponent }: Pick<ChallengeTerms, "workload" | "isWorkDone" | "exponent">,
): number {
  const whole = {
    full: () => difficultyFor(BASE_DIFFICULTY[algorithm], exponent),
    reduced: () => Math.min(MOST_INTERPRETED, difficultyFor(FALLBACK_DIFFICULTY, exponent)),
    most_interpreted: () => MOST_INTERPRETED,
  }[workload]();
  return isWorkDone ? Math.floor(whole * SHARE_AGAIN) : whole;
}

/** The terms of a challenge, decided before its creation. */
export type ChallengeTerms = {
  readonly stage: ChallengeStage;
  /**
   * Exponent of the power of two that multiplies the base difficulty, -1 .. +5; may be a fraction.
   */
  readonly exponent: number;
  readonly workload: Workload;
  /**
   * Whether the visitor has just done the work of another challenge, and only a click is missing
   * (D9, submission).
   */
  readonly isWorkDone: boolean;
  /** Whether the smaller workload counts against the solution (proof of work, fallback). */
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

/** The moment from which no solution is accepted. */
export function challengeExpiresAtMs(challenge: Challenge): number {
  return challenge.issuedAtMs + challenge.lifeSeconds * 1000;
}
