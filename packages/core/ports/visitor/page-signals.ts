import type { Observations } from "../../domain/visitor/visitor.ts";

/**
 * The observations of a page, as sent. Both calls are expensive, and junk is cheap to send: they
 * are made only once the challenge, or its work, is known to be right.
 */
export interface PageSignals {
  /** The decoded bytes that the puzzle's digest covers; empty if none were sent. */
  readonly environmentBytes: () => Uint8Array;
  /**
   * Reads both signals into named fields. Malformed, oversized and unknown signals count as
   * withheld (D9, submission).
   */
  readonly observe: () => Observations;
}
