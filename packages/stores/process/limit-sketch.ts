import type { LocalLimiter } from "@stile/core/ports/rate-limiter";
import { limiterOver } from "./local-limiter.ts";

/** The size of a sketch, and how scopes are spread over it. */
export type SketchTerms = {
  /** How many cells there are, of 8 bytes each. */
  readonly cells: number;
  /**
   * A whole number below 2^32 that no outsider can predict: otherwise they could look for scopes
   * that share a cell.
   */
  readonly spread: (scope: string) => number;
};

/**
 * Limits in memory of a fixed size that forgets nothing before its time: no number of other scopes
 * pushes a count out. The price: one in `cells` pairs of scopes shares a cell, and so a budget. All
 * its limits must use the same length of minute and count no further than 65,535.
 */
export function createLimitSketch({ cells, spread }: SketchTerms): LocalLimiter {
  // Allocated with the first count: a process that counts nothing should not wait for megabytes of
  // zeros.
  let columns: ReturnType<typeof createColumns> | undefined;
  return limiterOver({
    get: (scope) => {
      if (columns === undefined) return undefined;
      const { minutes, current, previous } = columns;
      const cell = spread(scope) % cells;
      return {
        minute: minutes[cell] ?? 0,
        current: current[cell] ?? 0,
        previous: previous[cell] ?? 0,
      };
    },
    set: (scope, counts) => {
      columns ??= createColumns(cells);
      const cell = spread(scope) % cells;
      columns.minutes[cell] = counts.minute;
      columns.current[cell] = counts.current;
      columns.previous[cell] = counts.previous;
    },
  });
}

function createColumns(cells: number) {
  return {
    minutes: new Uint32Array(cells),
    current: new Uint16Array(cells),
    previous: new Uint16Array(cells),
  };
}
