/**
 * A 64-bit threshold as two unsigned 32-bit halves, so that a hot loop compares numbers and not
 * bigints.
 */
export type TargetWords = { readonly high: number; readonly low: number };

/**
 * One hash function `H` of the puzzle, fixed by its seed. Its inputs are the low 16 bits of a
 * nonce, 0..65535. Both methods are synchronous, depend on nothing but their arguments and must
 * agree on every input.
 */
export type PuzzleFunction = {
  /**
   * Whether `H(input) < target`. A checker calls this only a few times, so it must not need a
   * compilation.
   */
  isBelow(input: number, target: TargetWords): boolean;
  /**
   * The first input in `[from, to)` with `H(input) < target`, or `to` if there is none. A solver
   * calls this thousands of times, so an implementation may compile itself on the first call and
   * work in batches.
   */
  search(from: number, to: number, target: TargetWords): number;
};

/**
 * Makes the function of a 32-byte seed. It must be cheap: anything expensive waits for the first
 * `search`.
 */
export type Algorithm = { readonly createFunction: (seed: Uint8Array) => PuzzleFunction };
