/** What the solver frame and its worker said of the browser, as it arrived: the collector checks it. */
export type FrameSight = {
  readonly navigator: unknown;
  /** Undefined or null where no worker answered. */
  readonly worker: unknown;
  readonly graphics: unknown;
};
