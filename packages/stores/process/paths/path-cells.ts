/**
 * Finds the stored shapes that may be similar to a new one, without comparing it with all of them.
 * Each shape has a sketch of 8 numbers (`nearest-path.ts`). If two shapes are similar, no number of
 * their sketches differs by more than 81.
 *
 * Example: the sketch of a shape begins with 100 and -50. Cells are 41 wide, so the shape is in row
 * 2 (100 / 41, rounded down), column -2. The first number of a similar shape is between 19 and 181,
 * which is in rows 0 to 4. The second is between -131 and 31, in columns -4 to 0. So a lookup reads
 * 25 of about 22,000 cells. The shape's own cell comes first, since a near hit there narrows the
 * rest of the search.
 */

import {
  isSketchBeyond,
  SKETCH_LENGTH,
  sketchReach,
} from "@stile/core/domain/visitor/nearest-path";

/**
 * Half the largest difference between the sketches of two similar shapes (81), rounded up. With
 * narrower cells a lookup reads more cells; with wider ones it compares more shapes in vain.
 */
const WIDTH = 41;
/** Larger than the number of cells in either direction (149), so that cell numbers are unique. */
const ROW = 256;

const cellAlong = (sum: number): number => Math.floor(sum / WIDTH);
const cellOf = (sketches: Int16Array, from: number): number =>
  ROW * cellAlong(sketches[from] as number) + cellAlong(sketches[from + 1] as number);

/** Places of shapes, indexed by the first two numbers of their sketches. */
export type PathCells = {
  /** Adds a place. */
  readonly add: (place: number) => void;
  /** Removes a place. Its sketch must be unchanged since it was added. */
  readonly remove: (place: number) => void;
  /**
   * Calls `look` with each place whose sketch allows it to be within `squares` of this one, the
   * shape's own cell first. `look` returns the squares within which later places must be, or a
   * negative number to stop.
   */
  readonly visit: (sketch: Int16Array, squares: number, look: (place: number) => number) => void;
};

/** Creates empty cells for shapes with these sketches. */
export function createPathCells(sketches: Int16Array): PathCells {
  const cells = new Map<number, number[]>();
  /** For each place, its index within its cell. */
  const ranks = new Uint32Array(sketches.length / SKETCH_LENGTH);

  const lookInto = (
    cell: number,
    sketch: Int16Array,
    squares: number,
    look: (place: number) => number,
  ): number => {
    const places = cells.get(cell);
    if (places === undefined) return squares;
    let wanted = squares;
    for (let i = 0; i < places.length && wanted >= 0; i++) {
      const place = places[i] as number;
      if (!isSketchBeyond(sketch, sketches, place * SKETCH_LENGTH, wanted)) wanted = look(place);
    }
    return wanted;
  };

  return {
    add: (place) => {
      const cell = cellOf(sketches, place * SKETCH_LENGTH);
      const places = cells.get(cell);
      if (places === undefined) cells.set(cell, [place]);
      ranks[place] = places === undefined ? 0 : places.push(place) - 1;
    },
    remove: (place) => {
      const cell = cellOf(sketches, place * SKETCH_LENGTH);
      const places = cells.get(cell);
      const last = places?.pop();
      if (places === undefined || last === undefined) return;
      if (places.length === 0) cells.delete(cell);
      if (last === place) return;
      const rank = ranks[place] as number;
      places[rank] = last;
      ranks[last] = rank;
    },
    visit: (sketch, squares, look) => {
      const own = cellOf(sketch, 0);
      let wanted = lookInto(own, sketch, squares, look);
      if (wanted < 0) return;
      const reach = sketchReach(wanted);
      const [along, across] = [sketch[0] as number, sketch[1] as number];
      const [left, right] = [cellAlong(across - reach), cellAlong(across + reach)];
      for (let row = cellAlong(along - reach); row <= cellAlong(along + reach); row++) {
        for (let column = left; column <= right && wanted >= 0; column++) {
          const cell = ROW * row + column;
          if (cell !== own) wanted = lookInto(cell, sketch, wanted, look);
        }
      }
    },
  };
}
