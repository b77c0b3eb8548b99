import type { LocalLimiter } from "@stile/core/ports/rate-limiter";
import { limiterOver } from "./local-limiter.ts";

/** The size of a sketch, and the hash that spreads scopes over it. */
export type SketchTerms = {
  /** The number of cells, 8 bytes each. */
  readonly cells: number;
  /**
   * Returns a whole number below 2^32. Outsiders must not be able to predict it, or they could find
   * scopes that share a cell.
   */
  readonly spread: (scope: string) => number;
};

/**
 * Limits in memory of a fixed size. Other scopes, however many, never evict a count. In exchange,
 * one in `cells` pairs of scopes shares a cell and thus a budget. All limits must use the same
 * length of minute, and counts stop at 65,535.
 */
export function createLimitSketch({ cells, spread }: SketchTerms): LocalLimiter {
  // Allocated at the first count, so that a process that counts nothing does not wait for megabytes
  // of zeros.
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
