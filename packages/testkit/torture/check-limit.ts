import { checkRate, MINUTE_MS, minuteOf } from "@stile/core/domain/rate-window";

/** The moments in order, by their clock minute. */
function byMinute(atMs: readonly number[]): Map<number, number[]> {
  return Map.groupBy(
    [...atMs].sort((a, b) => a - b),
    minuteOf,
  );
}

/**
 * Number of these admissions, ms since 1970, that exceed the window of D10 (limits) in any possible
 * order: if one is admitted as the nth of its minute, each later moment has room for an nth, too. A
 * minute must be over or full before the next begins.
 */
export function countOverLimit(admittedAtMs: readonly number[], perMinute: number): number {
  const minutes = byMinute(admittedAtMs);
  let over = 0;
  for (const [minute, moments] of minutes) {
    const previous = minutes.get(minute - 1)?.length ?? 0;
    let current = 0;
    for (const atMs of moments) {
      if (checkRate({ current, previous }, perMinute, atMs).isAdmitted) current++;
      else over++;
    }
  }
  return over;
}

/**
 * How many a minute has admitted by a moment, ms since 1970, under constant excess; `previous` is
 * the minute before's count.
 */
export function roomUntil(atMs: number, previous: number, perMinute: number): number {
  const weighted = (previous * (MINUTE_MS - (atMs % MINUTE_MS))) / MINUTE_MS;
  return Math.max(0, Math.floor(perMinute - weighted));
}
