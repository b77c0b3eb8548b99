/**
 * The slowest device that Stile supports. No challenge may ask for more than this device finishes
 * in `mostSeconds`, with or without WebAssembly. Example without WebAssembly: 910 hashes a second
 * for 120 s are 109,200 hashes; the slowest 5% of challenges take 1.5 times the median, which
 * leaves 72,800, and the largest power of two below that is 2^16: 72 s at the median and 108 s for
 * the slowest 5%.
 */
export const SLOWEST_DEVICE = {
  /**
   * Hashes a second with WebAssembly, on one worker: a phone that takes 0.8 s for the base of 2^17.
   */
  compiledPerSecond: 2 ** 17 / 0.8,
  /** Hashes a second without WebAssembly: 2^17 hashes take 144 s. */
  interpretedPerSecond: 910,
  /** How long the slowest 5% of challenges may take; a challenge lives 300 s. */
  mostSeconds: 120,
  /** The time of the slowest 5% of challenges, divided by the median. */
  spread: 1.5,
} as const;

/** The most hashes of a challenge for a browser without WebAssembly: 2^16. */
export const MOST_INTERPRETED: number =
  2 **
  Math.floor(
    Math.log2(
      (SLOWEST_DEVICE.interpretedPerSecond * SLOWEST_DEVICE.mostSeconds) / SLOWEST_DEVICE.spread,
    ),
  );
