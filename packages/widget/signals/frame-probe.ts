/** What the solver frame and its worker said of the browser, as it arrived: the collector checks it. */
export type FrameProbe = {
  readonly navigator: unknown;
  /** Undefined or null where no worker answered. */
  readonly worker: unknown;
  readonly graphics: unknown;
};
