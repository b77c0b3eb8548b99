/** Counts of one scope in the clock minute of `nowMs` and in the one before. */
export type RateWindow = { readonly current: number; readonly previous: number };

/** What a caller may still do (D10), for the RateLimit headers. */
export type LimitState = {
  readonly isAdmitted: boolean;
  readonly perMinute: number;
  /** Requests left at this moment, after the one just judged. */
  readonly remaining: number;
  /** Milliseconds until the clock minute ends. */
  readonly resetsInMs: number;
};

/** Length of the window in ms. */
export const MINUTE_MS = 60_000;

/** Number of the clock minute a moment lies in. */
export function minuteOf(nowMs: number): number {
  return Math.floor(nowMs / MINUTE_MS);
}

/**
 * Judges one more request under the sliding window of D10: the current minute's count plus the previous one's, weighted
 * by how much of it still lies within 60 s. Never admits more than `perMinute` in a clock minute.
 */
export function judgeRate(window: RateWindow, perMinute: number, nowMs: number): LimitState {
  const elapsedMs = nowMs % MINUTE_MS;
  const weight = (MINUTE_MS - elapsedMs) / MINUTE_MS;
  const used = window.current + window.previous * weight;
  const isAdmitted = used + 1 <= perMinute;
  return {
    isAdmitted,
    perMinute,
    remaining: Math.max(0, Math.floor(perMinute - used - (isAdmitted ? 1 : 0))),
    resetsInMs: MINUTE_MS - elapsedMs,
  };
}
