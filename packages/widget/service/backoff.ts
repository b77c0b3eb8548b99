/** How often a request is tried before its error is shown. */
export const MAX_TRIES = 4;

const FIRST_MS = 800;

/**
 * Milliseconds before try `tries + 1`: 0.8 s, doubled each time, and multiplied by 0.5 to 1.5
 * (random: 0 <= r < 1).
 */
export function backoffMs(tries: number, random: number): number {
  return FIRST_MS * 2 ** (tries - 1) * (0.5 + random);
}

/**
 * A whole run counts as three tries: the wait before the next run continues from those of its
 * requests.
 */
const AFTER_RUN_MS = FIRST_MS * 8;
const MAX_DOUBLINGS = 3;

/**
 * Milliseconds before the next run after that many failed ones: 6 s at first, doubling up to 51 s,
 * spread as above.
 */
export const runBackoffMs = (failures: number, random: number): number =>
  AFTER_RUN_MS * 2 ** Math.min(failures - 1, MAX_DOUBLINGS) * (0.5 + random);
