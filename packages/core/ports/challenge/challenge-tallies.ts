import type { Draw } from "../../domain/challenge/decide-draw.ts";
import type { DrawPath } from "../../domain/challenge/fair-share.ts";

/** For whom a challenge is counted. Names of visitors are keyed digests (D14). */
export type DrawNames = {
  readonly accountId: string;
  readonly siteKey: string;
  /** IPv6 /32; undefined for IPv4. */
  readonly provider: string | undefined;
  /** IPv4 /24 or IPv6 /48. */
  readonly network: string;
  /** Within the network, from the outside in; each name says nothing but within the one before it. */
  readonly inner: readonly string[];
};

/**
 * Who asked for how many challenges in this minute and the one before (D10), as far as this process has seen, in bounded
 * memory. When it is full, those are forgotten that asked for nothing for longest: to be forgotten costs nobody anything,
 * and whoever is limited is limited because they ask.
 */
export interface ChallengeTallies {
  /** The counts as they stand now; to be read before anything else is counted. */
  find(names: DrawNames, nowMs: number): DrawPath;
  /** Counts one request on the path just found, with what came of it. */
  count(path: DrawPath, draw: Draw): void;
}
