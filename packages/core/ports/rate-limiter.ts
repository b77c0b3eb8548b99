import type { LimitState } from "../domain/rate-window.ts";

/** One request to be counted under a scope, such as `score:pk_...`. */
export type RateRequest = { readonly scope: string; readonly perMinute: number; readonly nowMs: number };

/** How the scopes begin that count wrong secret keys: anybody makes as many of them as they have addresses, for nothing. */
export const WRONG_SECRET_SCOPE = "wrong-secret:";

/** Limits that are exact across nodes (D10): counted in the store, atomically, before the promise resolves. */
export interface RateLimiter {
  /** Counts the request if it is admitted. */
  consume(request: RateRequest): Promise<LimitState>;
}

/**
 * Limits of this process only, in bounded memory (D2, D10). When it is full, the scope unused for longest is forgotten; wrong secret
 * keys are counted in a memory of their own.
 */
export interface LocalLimiter {
  /** Counts the request if it is admitted. */
  consume(request: RateRequest): LimitState;
  /** Judges without counting. */
  peek(request: RateRequest): LimitState;
  /** Requests counted in the last 60 s, by the sliding window of D10. */
  ratePerMinute(scope: string, nowMs: number): number;
  /** How often the scope was counted in this clock minute. */
  countThisMinute(scope: string, nowMs: number): number;
}
