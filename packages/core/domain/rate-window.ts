/** Counts of a scope in the current clock minute and in the one before. */
export type RateWindow = { readonly current: number; readonly previous: number };

/** State of a caller's limit (D10, limits), for the RateLimit headers. */
export type LimitState = {
  readonly isAdmitted: boolean;
  readonly perMinute: number;
  /** Requests left, after the one just checked. */
  readonly remaining: number;
  /**
   * Milliseconds until the clock minute ends; for a refused request, until it would be admitted if
   * no other came.
   */
  readonly resetsInMs: number;
};

/** An answer to somebody over a limit. */
export type Limited = { readonly kind: "limited"; readonly limit: LimitState };

/** One request to count under a scope, such as `score:pk_...`. */
export type RateRequest = {
  readonly scope: string;
  readonly perMinute: number;
  readonly nowMs: number;
};

/** Length of the window in ms. */
export const MINUTE_MS = 60_000;

/** The number of the clock minute that contains the moment. */
export function minuteOf(nowMs: number): number {
  return Math.floor(nowMs / MINUTE_MS);
}

/**
 * When in a minute (ms) a request fits in addition to `current` requests and the fading `previous`
 * ones.
 */
function roomAtMs(current: number, previous: number, perMinute: number): number {
  return MINUTE_MS - Math.floor((MINUTE_MS * (perMinute - 1 - current)) / previous);
}

/** How long a refused request has to wait, in ms, if no other request comes. */
function waitMs({ current, previous }: RateWindow, perMinute: number, elapsedMs: number): number {
  if (current < perMinute) return roomAtMs(current, previous, perMinute) - elapsedMs;
  return MINUTE_MS - elapsedMs + Math.max(0, roomAtMs(0, current, perMinute));
}

/**
 * Checks one more request against the sliding window of D10 (limits): the current minute's count,
 * plus the part of the previous one's that still lies within 60 s. It never admits more than
 * `perMinute` in a clock minute.
 */
export function checkRate(window: RateWindow, perMinute: number, nowMs: number): LimitState {
  const elapsedMs = nowMs % MINUTE_MS;
  // In requests times milliseconds, so nothing is rounded: a request that waits for the returned
  // time is admitted to the millisecond.
  const room = (perMinute - window.current) * MINUTE_MS - window.previous * (MINUTE_MS - elapsedMs);
  const isAdmitted = room >= MINUTE_MS;
  return {
    isAdmitted,
    perMinute,
    remaining: Math.max(0, Math.floor(room / MINUTE_MS) - (isAdmitted ? 1 : 0)),
    resetsInMs: isAdmitted ? MINUTE_MS - elapsedMs : waitMs(window, perMinute, elapsedMs),
  };
}
