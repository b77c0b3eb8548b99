import { sleep } from "./sleep.ts";

/** How long to wait before a service counts as hanging, ms. */
const PATIENCE_MS = 9_000;

/** The result of `work`, or undefined if it fails or takes longer than anybody should wait. */
export const withinPatience = <Value>(work: Promise<Value>): Promise<Value | undefined> =>
  Promise.race([work, sleep(PATIENCE_MS)]).catch((): undefined => {});
