import { hash, randomBytes } from "node:crypto";
import type { LocalLimiter } from "@stile/core/ports/rate-limiter";
import { createLimitSketch } from "@stile/stores/process/limit-sketch";
import { createLocalLimiter } from "@stile/stores/process/local-limiter";

/** Scopes of those that anyone makes as many of as they have addresses; about 200 bytes each. */
const MAX_OPEN_SCOPES = 100_000;
/** Cells for all others: 8 MB. While a thousand emails are guessed at, a given one shares a cell with one of them once in 1,000. */
const CELLS = 2 ** 20;
/** Cells for what is counted by the hour, of members and invitations: 512 KB. */
const HOURLY_CELLS = 2 ** 16;
const KEY_BYTES = 32;

/** How scopes begin that are counted neither by quarters of an hour nor by hours (sign-in/sign-in-limits.ts). */
const OPEN = ["client:", "ticket:"];
/** How those begin that are counted by hours: in one sketch, two lengths would begin each other's counts anew. */
const HOURLY = "new-email:";

/**
 * Counters of attempts to get in. Addresses and tickets are as many as an attacker likes, and a full memory forgets what was
 * unused for longest. What bounds guessing at an email is therefore in a sketch, which forgets nothing; its key is random and
 * of this process, so that nobody finds an email that shares the budget of another.
 */
export function createSignInLimiter(): LocalLimiter {
  const key = randomBytes(KEY_BYTES).toString("hex");
  const spread = (scope: string): number => hash("sha256", key + scope, "buffer").readUInt32LE(0);
  const quarterly = createLimitSketch({ cells: CELLS, spread });
  const hourly = createLimitSketch({ cells: HOURLY_CELLS, spread });
  const open = createLocalLimiter({ maxScopes: MAX_OPEN_SCOPES });
  const of = (scope: string): LocalLimiter => {
    if (OPEN.some((begin) => scope.startsWith(begin))) return open;
    return scope.startsWith(HOURLY) ? hourly : quarterly;
  };
  return {
    consume: (request) => of(request.scope).consume(request),
    peek: (request) => of(request.scope).peek(request),
    ratePerMinute: (scope, nowMs) => of(scope).ratePerMinute(scope, nowMs),
    countThisMinute: (scope, nowMs) => of(scope).countThisMinute(scope, nowMs),
  };
}
