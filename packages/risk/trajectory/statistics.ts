/** log(1 + value), with what is below 0 taken as 0: long tails become comparable. */
export const log1p = (value: number): number => Math.log1p(Math.max(0, value));

/** part / whole, and 0 where there is no whole. */
export const ratio = (part: number, whole: number): number => (whole > 1e-9 ? part / whole : 0);

/** Length of a step, of numbers whose squares are in range: `Math.hypot`, which minds those that are not, costs ten times as much. */
export const distance = (dx: number, dy: number): number => Math.sqrt(dx * dx + dy * dy);

/** Root mean square distance from `centre`. */
export function spread(values: ArrayLike<number>, centre: number): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += ((values[i] ?? 0) - centre) ** 2;
  return Math.sqrt(ratio(sum, values.length));
}

/** Correlation of a[i] with b[i + lag], -1..1; 0 where there is too little, or no variation. */
export function correlation(a: ArrayLike<number>, b: ArrayLike<number>, lag = 0): number {
  const n = Math.min(a.length, b.length - lag);
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
