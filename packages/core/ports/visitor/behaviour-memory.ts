/**
 * Digests of what visitors did, as far as this process was told, in bounded memory, never on disk. Synchronous. What is
 * forgotten (a restart, the bounds) is a repetition not noticed, never an error.
 */
export interface BehaviourMemory {
  /** Whether another network handed the same in before, within a day; `networks` are the visitor's own. */
  isKnown(digest: string, networks: readonly number[], nowMs: number): boolean;
  /** Remembers who handed it in first. */
  record(digest: string, network: number, nowMs: number): void;
}
