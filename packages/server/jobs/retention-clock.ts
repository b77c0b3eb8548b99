import type { Clock } from "@stile/core/ports/clock";

const DAY_MS = 86_400_000;
/** Days of old data that go in an hour at most, as fast as the time that removes them may run. */
const MOST_RATE = 24;

/**
 * The time by which old statistics, decisions and audit lines are removed. It may be behind the clock and never ahead: from the
 * newest time in the store (`newestMs`, 0 if there is none) it runs 24 times as fast as `steadyMs` at most. So after a start under
 * a clock that is a year ahead there is time to notice before much is gone; after a long rest it has caught up within days.
 */
export function createRetentionClock(clock: Clock, steadyMs: () => number, newestMs: number): Clock {
  const startedAtMs = steadyMs();
  const fromMs = newestMs === 0 ? clock.nowMs() : newestMs;
  return {
    nowMs: () => Math.min(clock.nowMs(), fromMs + DAY_MS + MOST_RATE * (steadyMs() - startedAtMs)),
  };
}
