import type { WaveData } from "@stile/protocol/dashboard-waves";
import type { ClassDigests } from "../../domain/visitor/visit-classes.ts";

/** A visit in the form it is counted: numbers that identify nobody. */
export type CountedVisit = {
  /**
   * Identifies the key of the digests and grows with each key. Counts under another key are
   * forgotten.
   */
  readonly era: number;
  /** Digest of the network that the visit came from. */
  readonly network: number;
  /** Its classes by kind, always in the same order. */
  readonly classes: readonly ClassDigests[];
  /**
   * Digests of the large groups it belongs to. If such a group grows as a whole, none of its
   * classes surges.
   */
  readonly crowds: readonly number[];
};

/** A class far above its usual share of the site's visits. */
export type Surge = {
  readonly waveId: string;
  /** The index of the class among the visit's classes. */
  readonly kind: number;
  /** Networks that recently brought the class, and how many would be usual. */
  readonly networks: number;
  readonly expected: number;
};

/** The result for a visit's classes. */
export type WaveSighting = {
  readonly surge: Surge | undefined;
  /** Whether the site's owner currently refuses one of its classes. */
  readonly isRefused: boolean;
};

/**
 * The usual visits of each site, and the classes of visits that surge above them: in memory of
 * fixed size, never on disk. Synchronous. If it is forgotten (restart, another key, too many
 * sites), waves go unnoticed until the usual is known again, but nothing fails.
 */
export interface WaveMemory {
  /** Compares a visit with the earlier ones. */
  find(siteKey: string, visit: CountedVisit, nowMs: number): WaveSighting;
  /**
   * Counts a visit among the latest until the returned function is called, like
   * `PathMemory.addPending`.
   */
  addPending(siteKey: string, visit: CountedVisit): () => void;
  /** Counts a visit. */
  record(siteKey: string, visit: CountedVisit, nowMs: number): void;
  /**
   * Stores the properties that the visits of a wave share, in words, by the values of one of those
   * visits; only the first call counts.
   */
  describe(siteKey: string, waveId: string, properties: WaveData["properties"]): void;
  /** Refuses visits of a wave's class until that moment; a past moment admits them again. */
  refuse(siteKey: string, waveId: string, untilMs: number): void;
  /** The site's waves of the last 24 hours: those under way first, then the latest to begin. */
  list(
    siteKey: string,
    nowMs: number,
  ): { readonly isLearning: boolean; readonly waves: readonly WaveData[] };
}
