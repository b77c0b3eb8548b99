/** Who handed paths in, and when. The digests can be compared within one era only: its key makes them. */
export type PathOrigin = {
  /** Digests of the networks that are the visitor's own: where they drew their challenge and where they submit from. */
  readonly networks: readonly number[];
  /** Names the key that made the digests. */
  readonly era: number;
  readonly nowMs: number;
};

/**
 * Shapes of the paths that visitors drew on each site within a day, in bounded memory, never on disk. Synchronous; a shape
 * recorded by a call is seen by the next one. What is forgotten (a restart, the bounds) is a replay not noticed, never an error. So many
 * look-alikes that they can't all be compared (`nearest-path.ts`) count as a path within reach, and as what makes a path common.
 */
export interface PathMemory {
  /**
   * Distance (lines from start to end) of any of the shapes from the nearest that another network recorded of the site;
   * undefined if none is within reach. A visitor's own shapes are left out: one page hands them in again at each submission.
   */
  nearest(siteKey: string, shapes: readonly Int8Array[], origin: PathOrigin): number | undefined;
  /** How many other networks recorded about the same as one of the shapes, the most of them; of a common path (COMMON_NETWORKS) perhaps not all. */
  networksNear(siteKey: string, shapes: readonly Int8Array[], origin: PathOrigin): number;
  /**
   * Counts shapes as the site's until that is called: those of a visit that is judged, and about which it is not known yet whether
   * they are to be remembered. Else a recording that is played from many networks at once would be known in none of them.
   */
  hold(siteKey: string, shapes: readonly Int8Array[], origin: PathOrigin): () => void;
  /** Remembers shapes of the site; the last of `origin.networks` is where they came from. */
  record(siteKey: string, shapes: readonly Int8Array[], origin: PathOrigin): void;
}

/**
 * Digests of what visitors did, as far as this process was told, in bounded memory, never on disk. Synchronous. What is
 * forgotten (a restart, the bounds) is a repetition not noticed, never an error.
 */
export interface BehaviourMemory {
  /** Whether another network handed the same in before, within a day; `networks` are the visitor's own. */
  isKnown(digest: string, networks: readonly number[], nowMs: number): boolean;
  /** Counts it as handed in until that is called, as `PathMemory.hold` does. */
  hold(digest: string, network: number): () => void;
  /** Remembers who handed it in first. */
  record(digest: string, network: number, nowMs: number): void;
}

/** What is remembered of the visits to each site, by which a recording that is played again is known: paths, and all they did. */
export type VisitMemory = { readonly paths: PathMemory; readonly behaviours: BehaviourMemory };
