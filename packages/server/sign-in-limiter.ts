import type { LocalLimiter } from "@stile/core/ports/rate-limiter";
import { createLocalLimiter } from "@stile/stores/memory/local-limiter";

/** Scopes remembered of each sort; about 150 bytes each. */
const MAX_SCOPES = 100_000;

/** Begins of the scopes that bound guessing at an email, or say who signed in to it (see the account flows' limits). */
const GUARDED = ["sign-in-email:", "sign-in-known:", "known:"];

/**
 * Counters of attempts to get in. Addresses and tickets are as many as an attacker likes, and a full memory forgets what was
 * unused for longest: so they are remembered apart, and push out neither an email's spent budget nor who is known there.
 */
export function createSignInLimiter(): LocalLimiter {
  const guarded = createLocalLimiter({ maxScopes: MAX_SCOPES });
  const open = createLocalLimiter({ maxScopes: MAX_SCOPES });
  const of = (scope: string): LocalLimiter => (GUARDED.some((begin) => scope.startsWith(begin)) ? guarded : open);
  return {
    consume: (request) => of(request.scope).consume(request),
    peek: (request) => of(request.scope).peek(request),
    ratePerMinute: (scope, nowMs) => of(scope).ratePerMinute(scope, nowMs),
    countThisMinute: (scope, nowMs) => of(scope).countThisMinute(scope, nowMs),
  };
}
