/**
 * The report of the solver frame and its worker about the browser, as received: the collector
 * checks it.
 */
export type FrameProbe = {
  readonly navigator: unknown;
  /** Undefined or null if no worker answered. */
  readonly worker: unknown;
  readonly graphics: unknown;
};
