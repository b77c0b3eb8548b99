import type { Observations } from "../../domain/visitor/visitor.ts";

/**
 * What a page observed, as it was sent. Both calls are expensive, and junk is cheap to send: they
 * are made only once the challenge, or its work, is known to be right.
 */
export interface PageSignals {
  /** The decoded bytes that the puzzle's digest covers; empty if none were sent. */
  readonly environmentBytes: () => Uint8Array;
  /**
   * Reads both signals into named fields. What is malformed, too large or of an unknown version
   * counts as withheld (D9).
   */
  readonly observe: () => Observations;
}
