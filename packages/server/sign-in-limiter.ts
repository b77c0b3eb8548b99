import { hash, randomBytes } from "node:crypto";
import type { LocalLimiter } from "@stile/core/ports/rate-limiter";
import { createLimitSketch } from "@stile/stores/process/limit-sketch";
import { createLocalLimiter } from "@stile/stores/process/local-limiter";

/** Scopes of those that anyone makes as many of as they have addresses; about 200 bytes each. */
const MAX_OPEN_SCOPES = 100_000;
/** Cells for all others: 8 MB. While a thousand emails are guessed at, a given one shares a cell with one of them once in 1,000. */
const CELLS = 2 ** 20;
const KEY_BYTES = 32;

/** How scopes begin that are not counted by quarters of an hour; a sketch takes one length only (steps/sign-in-limits.ts). */
const OPEN = ["client:", "ticket:"];

/**
 * Counters of attempts to get in. Addresses and tickets are as many as an attacker likes, and a full memory forgets what was
 * unused for longest. What bounds guessing at an email is therefore in a sketch, which forgets nothing; its key is random and
 * of this process, so that nobody finds an email that shares the budget of another.
 */
export function createSignInLimiter(): LocalLimiter {
  const key = randomBytes(KEY_BYTES).toString("hex");
  const spread = (scope: string): number => hash("sha256", key + scope, "buffer").readUInt32LE(0);
  const guarded = createLimitSketch({ cells: CELLS, spread });
  const open = createLocalLimiter({ maxScopes: MAX_OPEN_SCOPES });
  const of = (scope: string): LocalLimiter => (OPEN.some((begin) => scope.startsWith(begin)) ? open : guarded);
  return {
    consume: (request) => of(request.scope).consume(request),
    peek: (request) => of(request.scope).peek(request),
    ratePerMinute: (scope, nowMs) => of(scope).ratePerMinute(scope, nowMs),
    countThisMinute: (scope, nowMs) => of(scope).countThisMinute(scope, nowMs),
  };
}
