/** A straight line through points: its rise per unit of x, and the standard error of that. */
export type Slope = { readonly perUnit: number; readonly standardError: number };

/** The least-squares line through at least three points with different x. */
export function fitSlope(points: readonly (readonly [x: number, y: number])[]): Slope {
  const count = points.length;
  if (count < 3) throw new RangeError("a slope takes at least three points");
  const meanX = points.reduce((sum, [x]) => sum + x, 0) / count;
  const meanY = points.reduce((sum, [, y]) => sum + y, 0) / count;
  const spread = points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
  const perUnit = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0) / spread;
  const rest = points.reduce((sum, [x, y]) => sum + (y - meanY - perUnit * (x - meanX)) ** 2, 0);
  return { perUnit, standardError: Math.sqrt(rest / (count - 2) / spread) };
}

/** The median; NaN if there are no values. */
export function medianOf(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  return sorted.length % 2 === 1
    ? upper
    : ((sorted[sorted.length / 2 - 1] ?? Number.NaN) + upper) / 2;
}
