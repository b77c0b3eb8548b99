import type { LimitState, RateRequest } from "../domain/rate-window.ts";

/**
 * Prefixes of scopes that cost nothing to create in any number: wrong secret keys and test
 * keys from many addresses, and the addresses that a site's server names.
 */
export const CHEAP_SCOPES: readonly string[] = ["wrong-secret:", "score:", "test:"];

/**
 * Limits that are exact across nodes (D10, limits): counted in the store, atomically, before the
 * promise resolves.
 */
export interface RateLimiter {
  /** Counts the request if it is admitted. */
  consume(request: RateRequest): Promise<LimitState>;
}

/**
 * Limits of this process only, in bounded memory (D2, redemption; D10, limits). When it is full,
 * the scope unused for longest is forgotten; CHEAP_SCOPES have a memory of their own.
 */
export interface LocalLimiter {
  /** Counts the request if it is admitted. */
  consume(request: RateRequest): LimitState;
  /** The state of the limit, without counting. */
  peek(request: RateRequest): LimitState;
  /** Requests counted in the last 60 s, by the sliding window of D10 (limits). */
  ratePerMinute(scope: string, nowMs: number): number;
  /** How often this scope was counted in the current clock minute. */
  countThisMinute(scope: string, nowMs: number): number;
}
