import { judgeRate, type LimitState, MINUTE_MS, minuteOf } from "@stile/core/domain/rate-window";
import type { LocalLimiter, RateRequest } from "@stile/core/ports/rate-limiter";

/** Requests of one scope in its latest clock minute and in the one before. */
type Counts = { readonly minute: number; current: number; readonly previous: number };

/** The scope's counts as they stand at a minute. A clock set back by up to a minute stays in the later one. */
function countsAt(held: Counts | undefined, minute: number): Counts {
  if (held === undefined || minute > held.minute + 1 || minute < held.minute - 1) {
    return { minute, current: 0, previous: 0 };
  }
  return minute === held.minute + 1 ? { minute, current: 0, previous: held.current } : held;
}

function judge(counts: Counts, { perMinute, nowMs }: RateRequest): LimitState {
  return judgeRate(counts, perMinute, nowMs);
}

/** Limits in the memory of this process, of at most `maxScopes` scopes (about 150 bytes each). */
export function createLocalLimiter({ maxScopes }: { readonly maxScopes: number }): LocalLimiter {
  // Kept in the order of use, the scope unused for longest first.
  const scopes = new Map<string, Counts>();

  const makeRoom = (): void => {
    for (const oldest of scopes.keys()) {
      if (scopes.size < maxScopes) return;
      scopes.delete(oldest);
    }
  };

  return {
    consume: (request) => {
      const counts = countsAt(scopes.get(request.scope), minuteOf(request.nowMs));
      const state = judge(counts, request);
      if (state.isAdmitted) counts.current += 1;
      if (!scopes.delete(request.scope)) makeRoom();
      scopes.set(request.scope, counts);
      return state;
    },
    peek: (request) => judge(countsAt(scopes.get(request.scope), minuteOf(request.nowMs)), request),
    ratePerMinute: (scope, nowMs) => {
      const { current, previous } = countsAt(scopes.get(scope), minuteOf(nowMs));
      return current + previous * (1 - (nowMs % MINUTE_MS) / MINUTE_MS);
    },
    countThisMinute: (scope, nowMs) => countsAt(scopes.get(scope), minuteOf(nowMs)).current,
  };
}
