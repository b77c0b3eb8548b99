import type { Challenge } from "@stile/pow/challenge";
import { NONCES_PER_SOLUTION } from "@stile/pow/puzzle";
import { DELAY_SECONDS } from "@stile/protocol/limits";
import type { ChallengeBinding } from "../domain/challenge/challenge.ts";

/** Fills the fields of a challenge that describe its work; a delay has no work. */
const NO_WORK = {
  algorithm: 2,
  k: NONCES_PER_SOLUTION,
  difficulty: 2 * NONCES_PER_SOLUTION,
} as const;

/**
 * An unsigned challenge for visitors without JavaScript (D18, no JavaScript): they wait, and press
 * a button.
 */
export function createDelay(
  siteKey: string,
  fresh: { readonly binding: ChallengeBinding; readonly id: Uint8Array; readonly nowMs: number },
): Challenge {
  return {
    ...fresh.binding,
    ...NO_WORK,
    siteKey,
    stage: "first",
    interaction: "click",
    isFallback: false,
    issuedAtMs: fresh.nowMs,
    lifeSeconds: DELAY_SECONDS.life,
    id: fresh.id,
  };
}

/** How long the visitor still has to wait, in ms; 0 once they have waited long enough. */
export function leftToWaitMs({ issuedAtMs }: Challenge, nowMs: number): number {
  return Math.max(0, issuedAtMs + DELAY_SECONDS.wait * 1000 - nowMs);
}
