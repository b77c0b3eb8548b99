import type { WaveData } from "@stile/protocol/dashboard-waves";
import type { ClassDigests } from "../../domain/visitor/visit-classes.ts";

/** A visit as it is counted: numbers that nobody can be found by. */
export type CountedVisit = {
  /** Names the key of the digests, later ones by greater numbers; what was counted under another key is forgotten. */
  readonly era: number;
  /** Digest of the network that it came from. */
  readonly network: number;
  /** Its classes, by kind, always in the same order. */
  readonly classes: readonly ClassDigests[];
  /** Digests of the large groups that it belongs to; where one of them grows as a whole, none of its classes surges. */
  readonly crowds: readonly number[];
};

/** A class that is far above its own share of the site's visits. */
export type Surge = {
  readonly waveId: string;
  /** Which of the visit's classes it is. */
  readonly kind: number;
  /** Networks that brought it lately, and how many its usual share would be. */
  readonly networks: number;
  readonly expected: number;
};

/** What is known of a visit's classes. */
export type WaveSighting = {
  readonly surge: Surge | undefined;
  /** Whether the site's owner refuses one of its classes at this moment. */
  readonly isRefused: boolean;
};

/**
 * What is usual on each site, and which classes of visits surge above it: in memory of fixed size, never on disk. Synchronous.
 * What is forgotten (a restart, another key, sites beyond the bound) is a wave not noticed until what is usual is known again,
 * never an error.
 */
export interface WaveMemory {
  /** Holds a visit against what came before it. */
  find(siteKey: string, visit: CountedVisit, nowMs: number): WaveSighting;
  /** Counts a visit among the latest until that is called, as `PathMemory.hold` does. */
  hold(siteKey: string, visit: CountedVisit): () => void;
  /** Counts a visit. */
  record(siteKey: string, visit: CountedVisit, nowMs: number): void;
  /** Says what the visits of a wave share; for people, in the words of one of them. */
  name(siteKey: string, waveId: string, properties: WaveData["properties"]): void;
  /** Refuses visits of a wave's class until then; a moment that is over lets them in again. */
  refuse(siteKey: string, waveId: string, untilMs: number): void;
  /** The site's waves of the last 24 hours, the latest first. */
  list(siteKey: string, nowMs: number): { readonly isLearning: boolean; readonly waves: readonly WaveData[] };
}
