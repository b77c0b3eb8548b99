import { sleep } from "./sleep.ts";

/** A service that hangs is noticed within this time, ms. */
const PATIENCE_MS = 9_000;

/** What comes of `work`, or undefined where it takes longer than whoever waits is to wait. */
export const withinPatience = <Value>(work: Promise<Value>): Promise<Value | undefined> =>
  Promise.race([work, sleep(PATIENCE_MS)]);
