import { createBoundedMap } from "@stile/core/domain/bounded-map";
import type { RateRequest } from "@stile/core/domain/rate-window";
import { checkRate, type LimitState, MINUTE_MS, minuteOf } from "@stile/core/domain/rate-window";
import type { LocalLimiter } from "@stile/core/ports/rate-limiter";

/** A scope's requests in its latest clock minute and in the minute before. */
export type MinuteCounts = {
  readonly minute: number;
  readonly current: number;
  readonly previous: number;
};

/**
 * The scope's counts at a minute. If the clock goes back by up to a minute, the later minute stays
 * current.
 */
function countsAt(held: MinuteCounts | undefined, minute: number): MinuteCounts {
  if (held === undefined || minute > held.minute + 1 || minute < held.minute - 1) {
    return { minute, current: 0, previous: 0 };
  }
  return minute === held.minute + 1 ? { minute, current: 0, previous: held.current } : held;
}

function check(counts: MinuteCounts, { perMinute, nowMs }: RateRequest): LimitState {
  return checkRate(counts, perMinute, nowMs);
}

/** Where a limiter keeps its counts. It may forget counts but must never invent any. */
export type CountsMemory = {
  get(scope: string): MinuteCounts | undefined;
  set(scope: string, counts: MinuteCounts): void;
};

/** Limits of this process, with counts in `memory`. */
export function limiterOver(memory: CountsMemory): LocalLimiter {
  return {
    consume: (request) => {
      const counts = countsAt(memory.get(request.scope), minuteOf(request.nowMs));
      const state = check(counts, request);
      const { minute, current, previous } = counts;
      memory.set(request.scope, {
        minute,
        current: state.isAdmitted ? current + 1 : current,
        previous,
      });
      return state;
    },
    peek: (request) => check(countsAt(memory.get(request.scope), minuteOf(request.nowMs)), request),
    ratePerMinute: (scope, nowMs) => {
      const { current, previous } = countsAt(memory.get(scope), minuteOf(nowMs));
      return current + previous * (1 - (nowMs % MINUTE_MS) / MINUTE_MS);
    },
    countThisMinute: (scope, nowMs) => countsAt(memory.get(scope), minuteOf(nowMs)).current,
  };
}

/**
 * The maximum number of scopes (about 200 bytes each), and the prefixes of scopes that are kept
 * separately.
 */
export type LocalLimiterBounds = { readonly maxScopes: number; readonly apart?: readonly string[] };

/**
 * Limits in the memory of this process for at most `maxScopes` scopes. Scopes that begin with one
 * of `apart` have as much memory of their own. Anyone can create any number of those, and they
 * never evict other scopes.
 */
export function createLocalLimiter({ maxScopes, apart = [] }: LocalLimiterBounds): LocalLimiter {
  const memory: CountsMemory = createBoundedMap(maxScopes);
  const memoryApart: CountsMemory = createBoundedMap(maxScopes);
  const of = (scope: string): CountsMemory =>
    apart.some((begin) => scope.startsWith(begin)) ? memoryApart : memory;
  return limiterOver({
    get: (scope) => of(scope).get(scope),
    set: (scope, counts) => of(scope).set(scope, counts),
  });
}
