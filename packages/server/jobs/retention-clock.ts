import type { Clock } from "@stile/core/ports/clock";

const DAY_MS = 86_400_000;
/**
 * How many times faster than real time the removal may advance: that many days of old data per day.
 */
const MOST_RATE = 24;

/**
 * The time by which old statistics, decisions and audit entries are removed. It may lag behind the
 * clock but is never ahead. From the newest time in the store (`newestMs`, 0 if none) it runs at
 * most 24 times as fast as `steadyMs`. So if a start's clock is a year ahead, there is time to
 * notice before much is gone. After a long pause, it catches up within days.
 */
export function createRetentionClock(
  clock: Clock,
  steadyMs: () => number,
  newestMs: number,
): Clock {
  const startedAtMs = steadyMs();
  const fromMs = newestMs === 0 ? clock.nowMs() : newestMs;
  return {
    nowMs: () => Math.min(clock.nowMs(), fromMs + DAY_MS + MOST_RATE * (steadyMs() - startedAtMs)),
  };
}
