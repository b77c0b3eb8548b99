import { isSketchBeyond, SKETCH_LENGTH, sketchReach } from "@stile/core/domain/visitor/nearest-path";

/** Half as wide as two shapes that are about the same can be apart: narrower cells are more to look up, wider ones hold more in vain. */
const WIDTH = 41;
/** More than there are cells to either side. */
const ROW = 256;

const cellAlong = (sum: number): number => Math.floor(sum / WIDTH);
const cellOf = (sketches: Int16Array, from: number): number =>
  ROW * cellAlong(sketches[from] as number) + cellAlong(sketches[from + 1] as number);

/** The places of shapes, by the first two numbers of their sketches. */
export type PathCells = {
  /** Enters a place. */
  readonly add: (place: number) => void;
  /** Takes it out again; its sketch must be the one that was entered. */
  readonly remove: (place: number) => void;
  /**
   * Shows `look` the places of the shapes that by their sketches may lie within `squares` of this one, those that are most alike first;
   * `look` answers within how many squares the rest has to lie, or a number below 0 to end it.
   */
  readonly visit: (sketch: Int16Array, squares: number, look: (place: number) => number) => void;
};

/** Cells, empty, of shapes whose sketches stand in `sketches`. */
export function createPathCells(sketches: Int16Array): PathCells {
  const cells = new Map<number, number[]>();
  /** Of each place, which of its cell's it is. */
  const ranks = new Uint32Array(sketches.length / SKETCH_LENGTH);

  const lookInto = (cell: number, sketch: Int16Array, squares: number, look: (place: number) => number): number => {
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
