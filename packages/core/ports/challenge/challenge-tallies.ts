import type { Draw } from "../../domain/challenge/decide-draw.ts";
import type { DrawPath } from "../../domain/challenge/fair-share.ts";

/**
 * The names that a challenge counts for. Visitors' names are keyed digests (D14, client address).
 */
export type DrawNames = {
  readonly accountId: string;
  readonly siteKey: string;
  /** IPv6 /32; undefined for IPv4. */
  readonly provider: string | undefined;
  /** IPv4 /24 or IPv6 /48. */
  readonly network: string;
  /**
   * Levels within the network, from the outside in. A name only identifies something within the
   * level before it.
   */
  readonly inner: readonly string[];
};

/**
 * The challenges of each name in this minute and the one before (D10, limits), as seen by this
 * process, in bounded memory. When it is full, the names that have not asked for longest are
 * forgotten. This costs nobody anything: only clients that keep asking are limited.
 */
export interface ChallengeTallies {
  /** The present counts. Read them before anything else is counted. */
  find(names: DrawNames, nowMs: number): DrawPath;
  /** Counts one request on the path that `find` returned, with its result. */
  count(path: DrawPath, draw: Draw): void;
}
