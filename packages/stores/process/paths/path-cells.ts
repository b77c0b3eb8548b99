import {
  isSketchBeyond,
  SKETCH_LENGTH,
  sketchReach,
} from "@stile/core/domain/visitor/nearest-path";

/**
 * Half the greatest distance between two similar shapes: narrower cells mean more lookups, wider
 * ones more mismatches.
 */
const WIDTH = 41;
/** More than the number of cells in either direction. */
const ROW = 256;

const cellAlong = (sum: number): number => Math.floor(sum / WIDTH);
const cellOf = (sketches: Int16Array, from: number): number =>
  ROW * cellAlong(sketches[from] as number) + cellAlong(sketches[from + 1] as number);

/** Places of shapes, indexed by the first two numbers of their sketches. */
export type PathCells = {
  /** Adds a place. */
  readonly add: (place: number) => void;
  /** Removes it; its sketch must still be the one that was added. */
  readonly remove: (place: number) => void;
  /**
   * Calls `look` with the places of shapes that by their sketches may lie within `squares` of this
   * one, the most similar first; `look` returns within how many squares the rest must lie, or a
   * negative number to stop.
   */
  readonly visit: (sketch: Int16Array, squares: number, look: (place: number) => number) => void;
};

/** Empty cells for shapes whose sketches are in `sketches`. */
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
