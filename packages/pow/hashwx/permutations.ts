/** The values allowed at each place of a permutation, in ascending order. */
const ALLOWED = [
  [0, 2, 4, 6, 7],
  [2, 3, 4, 5, 6, 7],
  [1, 3, 4, 5, 6, 7],
  [1, 4, 5, 6, 7],
  [1, 3, 5, 6, 7],
  [1, 3, 6, 7],
  [0, 1, 3, 5, 7],
  [0, 2],
] as const;

const isForbidden = (p: readonly number[]): boolean =>
  (p[0] === 0 && p[1] === 2) || (p[0] === 2 && p[6] === 0) || (p[1] === 2 && p[6] === 0);

/**
 * The 625 permutations of 0..7, in lexicographic order, from which an instruction gets its source:
 * the i-th instruction reads the target register of the instruction at place i.
 */
export function listPermutations(): readonly (readonly number[])[] {
  const found: number[][] = [];
  const current: number[] = [];
  const extend = (place: number, used: number): void => {
    const allowed = ALLOWED[place];
    if (allowed === undefined) {
      if (!isForbidden(current)) found.push([...current]);
      return;
    }
    for (const value of allowed) {
      if ((used & (1 << value)) !== 0) continue;
      current[place] = value;
      extend(place + 1, used | (1 << value));
    }
  };
  extend(0, 0);
  return found;
}
