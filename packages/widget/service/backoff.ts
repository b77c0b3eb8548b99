/** Tries of one request before its error is shown. */
export const MAX_TRIES = 4;

const FIRST_MS = 800;

/** Milliseconds before try `tries + 1`: doubling from 0.8 s, each time spread over half to one and a half (random: 0 <= r < 1). */
export function backoffMs(tries: number, random: number): number {
  return FIRST_MS * 2 ** (tries - 1) * (0.5 + random);
}
