import { hash, randomBytes } from "node:crypto";
import type { LocalLimiter } from "@stile/core/ports/rate-limiter";
import { createLimitSketch } from "@stile/stores/process/limit-sketch";
import { createLocalLimiter } from "@stile/stores/process/local-limiter";

/**
 * The most scopes of the kinds that an attacker can create with each new address; about 200 bytes
 * each.
 */
const MAX_OPEN_SCOPES = 100_000;
/**
 * Cells for all other scopes: 8 MB. If 1,000 emails are attacked, the chance that another email
 * shares a cell with one of them is 1:1,000.
 */
const CELLS = 2 ** 20;
/** Cells for the hourly counts of members and invitations: 512 KB. */
const HOURLY_CELLS = 2 ** 16;
const KEY_BYTES = 32;

/** Prefixes of the scopes that are in neither sketch (sign-in/sign-in-limits.ts). */
const OPEN = ["client:", "ticket:"];
/**
 * Prefix of scopes counted per hour. Two period lengths in one sketch would reset each other's
 * counts.
 */
const HOURLY = "new-email:";

/**
 * Counters of attempts to sign in. An attacker can have any number of addresses and tickets. When
 * the memory for those is full, the least recently used are forgotten. The limits against guessing
 * an email's password must not be forgotten, so they are in a sketch. The sketch's key is random
 * and local to the process, so nobody can find an email that shares another's budget.
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
