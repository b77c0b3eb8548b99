/**
 * What the solver frame and its worker reported about the browser, as received: the collector
 * checks it.
 */
export type FrameProbe = {
  readonly navigator: unknown;
  /** Undefined or null if no worker answered. */
  readonly worker: unknown;
  readonly graphics: unknown;
};
