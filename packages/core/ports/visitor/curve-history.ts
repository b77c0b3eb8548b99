/** Who handed curves in, and when. The digests can be compared within one era only: its key makes them. */
export type CurveOrigin = {
  /** Digests of the networks that are the visitor's own: where he drew his challenge and where he submits from. */
  readonly networks: readonly number[];
  /** Names the key that made the digests. */
  readonly era: number;
  readonly nowMs: number;
};

/**
 * Curves of the paths that visitors drew on each site within a day, in bounded memory, never on disk. Synchronous; a curve
 * noted by a call is seen by the next one. What is forgotten (a restart, the bounds) is a replay not noticed, never an error.
 */
export interface CurveHistory {
  /**
   * Distance (lines from start to end) of any of the curves from the nearest that another network noted of the site;
   * undefined if none is within reach. A visitor's own curves are left out: one page hands them in again at each submission.
   */
  nearest(siteKey: string, curves: readonly Int8Array[], origin: CurveOrigin): number | undefined;
  /** Remembers curves of the site; the last of `origin.networks` is where they came from. */
  note(siteKey: string, curves: readonly Int8Array[], origin: CurveOrigin): void;
}
