import type { BehaviourSignals } from "./signals.ts";

/**
 * A page's observations when it asked for a challenge: the newest moments of pointer and keys, in
 * whole ms and CSS pixels, kept short because they travel in a URL. The service signs them with the
 * challenge, so that they cannot be changed later.
 */
export type Batch = {
  /** When the batch was made, in ms since the visit began. */
  readonly atMs: number;
  /** The pointer's moments as `pointerMoment` names them, oldest first. */
  readonly pointer: readonly string[];
  /** When keys went down or up, in ms since the visit began, oldest first. */
  readonly keys: readonly number[];
};

/** The most moments of each kind that a batch holds. */
export const BATCH_MOMENTS = 16;

/** The name of a pointer sample in a batch: its time and place. */
export const pointerMoment = (ms: number, x: number, y: number): string =>
  [ms, x, y].map(Math.round).join(".");

/** The text of a visit's batch: time, pointer, keys. */
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
