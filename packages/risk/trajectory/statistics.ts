/** log(1 + value), with values below 0 counted as 0: makes long tails comparable. */
export const log1p = (value: number): number => Math.log1p(Math.max(0, value));

/** part / whole, or 0 if the whole is 0. */
export const ratio = (part: number, whole: number): number => (whole > 1e-9 ? part / whole : 0);

/**
 * Length of a step, if its square is in range: `Math.hypot`, which handles any numbers, costs ten
 * times as much.
 */
export const distance = (dx: number, dy: number): number => Math.sqrt(dx * dx + dy * dy);

/** Root mean square distance of the first `count` values from `centre`. */
export function spread(values: Float64Array, centre: number, count = values.length): number {
  let sum = 0;
  for (let i = 0; i < count; i++) sum += ((values[i] ?? 0) - centre) ** 2;
  return Math.sqrt(ratio(sum, count));
}

/**
 * Correlation of a[i] with b[i + lag], over the first `count` of each, -1..1; 0 without enough data
 * or variation.
 */
export function correlation(a: Float64Array, b: Float64Array, lag: number, count: number): number {
  const n = count - lag;
  if (n < 3) return 0;
  let meanA = 0;
  let meanB = 0;
  for (let i = 0; i < n; i++) {
    meanA += (a[i] ?? 0) / n;
    meanB += (b[i + lag] ?? 0) / n;
  }
  let ab = 0;
  let aa = 0;
  let bb = 0;
  for (let i = 0; i < n; i++) {
    const da = (a[i] ?? 0) - meanA;
    const db = (b[i + lag] ?? 0) - meanB;
    ab += da * db;
    aa += da * da;
    bb += db * db;
  }
  return aa * bb > 1e-12 ? ab / Math.sqrt(aa * bb) : 0;
}

/** A buffer of at least that many numbers, with arbitrary content: the same one at each call. */
export function createScratch(): (count: number) => Float64Array {
  let buffer = new Float64Array(256);
  return (count) => {
    if (buffer.length < count) buffer = new Float64Array(2 * count);
    return buffer;
  };
}

/**
 * The value that would be at `place` if the first `count` values were sorted (Hoare 1961); reorders
 * them.
 */
export function selectAt(values: Float64Array, count: number, place: number): number {
  let [low, high] = [0, count - 1];
  while (low < high) {
    const pivot = values[(low + high) >> 1] as number;
    let [left, right] = [low, high];
    while (left <= right) {
      while ((values[left] as number) < pivot) left++;
      while ((values[right] as number) > pivot) right--;
      if (left > right) break;
      const kept = values[left] as number;
      values[left++] = values[right] as number;
      values[right--] = kept;
    }
    if (place <= right) high = right;
    else if (place >= left) low = left;
    else break;
  }
  return values[place] as number;
}
