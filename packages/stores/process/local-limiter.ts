import { createBoundedMap } from "@stile/core/domain/bounded-map";
import type { RateRequest } from "@stile/core/domain/rate-window";
import { checkRate, type LimitState, MINUTE_MS, minuteOf } from "@stile/core/domain/rate-window";
import type { LocalLimiter } from "@stile/core/ports/rate-limiter";

/** Requests of one scope in its latest clock minute and in the one before. */
export type MinuteCounts = {
  readonly minute: number;
  readonly current: number;
  readonly previous: number;
};

/** The scope's counts as of a minute. A clock set back by up to a minute stays in the later one. */
function countsAt(held: MinuteCounts | undefined, minute: number): MinuteCounts {
  if (held === undefined || minute > held.minute + 1 || minute < held.minute - 1) {
    return { minute, current: 0, previous: 0 };
  }
  return minute === held.minute + 1 ? { minute, current: 0, previous: held.current } : held;
}

function check(counts: MinuteCounts, { perMinute, nowMs }: RateRequest): LimitState {
  return checkRate(counts, perMinute, nowMs);
}

/** Where a limiter keeps its counts; it may forget counts, but never make any up. */
export type CountsMemory = {
  get(scope: string): MinuteCounts | undefined;
  set(scope: string, counts: MinuteCounts): void;
};

/** Limits of this process, over such a memory. */
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
 * How many scopes are kept, about 200 bytes each, and the prefixes of those that are kept
 * separately.
 */
export type LocalLimiterBounds = { readonly maxScopes: number; readonly apart?: readonly string[] };

/**
 * Limits in the memory of this process, for at most `maxScopes` scopes, and as many more that begin
 * with one of `apart`: scopes that anyone can create in any number push out no others.
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
