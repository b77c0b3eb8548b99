/**
 * The networks that submitted paths, and when. Digests can be compared only within one era, whose
 * key made them.
 */
export type PathOrigin = {
  /**
   * Digests of the visitor's own networks: where they got their challenge, and where they submit
   * from.
   */
  readonly networks: readonly number[];
  /** Identifies the key that made the digests. */
  readonly era: number;
  /**
   * The digest of the network that they submit from under the key of another era; undefined if that
   * key is gone.
   */
  readonly ownIn?: ((era: number) => number | undefined) | undefined;
  readonly nowMs: number;
};

/**
 * Shapes of the paths that visitors drew on each site within a day, in bounded memory, never on
 * disk. Synchronous: a call sees the shapes that earlier calls recorded. If a shape is forgotten
 * (restart, bounds), a replay goes unnoticed, but nothing fails. Too many similar shapes to compare
 * (`nearest-path.ts`) count as a path within reach, and as a common one.
 */
export interface PathMemory {
  /**
   * Distance (in lines from start to end) from any of the shapes to the nearest one that another
   * network recorded of the site; undefined if none is within reach. The visitor's own shapes are
   * ignored, since a page submits them again each time.
   */
  nearest(siteKey: string, shapes: readonly Int8Array[], origin: PathOrigin): number | undefined;
  /**
   * How many other networks recorded about the same as one of the shapes, at most; for a common
   * path (COMMON_NETWORKS) the count may stop early.
   */
  networksNear(siteKey: string, shapes: readonly Int8Array[], origin: PathOrigin): number;
  /**
   * Counts the shapes of a visit that is being scored as the site's until the returned function is
   * called, while it is unknown whether they will be remembered. Otherwise a recording played from
   * many networks at once would be recognised in none of them.
   */
  addPending(siteKey: string, shapes: readonly Int8Array[], origin: PathOrigin): () => void;
  /** Remembers shapes of the site; the last of `origin.networks` is where they came from. */
  record(siteKey: string, shapes: readonly Int8Array[], origin: PathOrigin): void;
}

/**
 * Digests of visitors' actions, as far as this process knows, in bounded memory, never on disk.
 * Synchronous. If one is forgotten (restart, bounds), a repetition goes unnoticed, but nothing
 * fails.
 */
export interface BehaviourMemory {
  /**
   * Whether another network submitted the same within a day, under any key. Behaviour from two
   * networks under one key is known in every third one, whichever networks are the visitor's own.
   */
  isKnown(digest: string, visitor: PathOrigin): boolean;
  /**
   * Counts the behaviour as submitted until the returned function is called, like
   * `PathMemory.addPending`.
   */
  addPending(digest: string, network: number, era: number): () => void;
  /**
   * Remembers the network that submitted it first, and the next other network; separately for each
   * era.
   */
  record(digest: string, network: number, nowMs: number, era: number, siteKey: string): void;
}

/**
 * The memory of the visits to each site that recognises a replayed recording: paths, and the whole
 * behaviour.
 */
export type VisitMemory = { readonly paths: PathMemory; readonly behaviours: BehaviourMemory };
