import type { BehaviourSignals } from "./signals.ts";

/**
 * What a page had seen when it asked for a challenge: the newest moments of pointer and keys, in whole ms and CSS pixels, as short
 * as an address can carry them. The service signs it with the challenge, so that it stands from then on.
 */
export type Batch = {
  /** When it was made, ms of the visit. */
  readonly atMs: number;
  /** The names of the pointer's moments (`pointerMoment`), oldest first. */
  readonly pointer: readonly string[];
  /** When keys went down or up, ms of the visit, oldest first. */
  readonly keys: readonly number[];
};

/** Moments of each kind that a batch holds at most. */
export const BATCH_MOMENTS = 16;

/** Time and place of a pointer's sample, as a batch names it. */
export const pointerMoment = (ms: number, x: number, y: number): string => [ms, x, y].map(Math.round).join(".");

/** A visit to the text of its batch: time, pointer, keys. */
export function toBatch({ durationMs, pointer, keys }: BehaviourSignals): string {
  return [
    Math.round(durationMs),
    pointer
      .slice(-BATCH_MOMENTS)
      .map(([ms, x, y]) => pointerMoment(ms, x, y))
      .join("_"),
    keys
      .slice(-BATCH_MOMENTS)
      .map(([ms]) => Math.round(ms))
      .join("_"),
  ].join("~");
}
