import type { Samples } from "./segment.ts";
import { correlation, createScratch, ratio } from "./statistics.ts";

/** Names of the features of `residualFeatures`, in its order. */
export const RESIDUAL_NAMES = [
  "noise_memory",
  "residual_2_1",
  "residual_4_2",
  "residual_last",
] as const;

const FLOOR_PX = 0.05;

/**
 * The remainder of each sample after subtracting those `reach` before and after it, px: tremor,
 * rounding, added jitter. The component across the path goes into `across`, if given. Returns the
 * mean squares over all samples and over the last quarter.
 */
function measureResidual({ t, x, y }: Samples, reach: number, across?: Float64Array) {
  const n = Math.max(0, t.length - 2 * reach);
  const lastFrom = n - Math.max(1, n >> 2);
  let [whole, last] = [0, 0];
  for (let i = 0; i < n; i++) {
    const middle = i + reach;
    const end = i + 2 * reach;
    const startX = x[i] ?? 0;
    const startY = y[i] ?? 0;
    const share = ratio((t[middle] ?? 0) - (t[i] ?? 0), (t[end] ?? 0) - (t[i] ?? 0));
    const dx = (x[end] ?? 0) - startX;
    const dy = (y[end] ?? 0) - startY;
    const rx = (x[middle] ?? 0) - startX - share * dx;
    const ry = (y[middle] ?? 0) - startY - share * dy;
    const square = rx * rx + ry * ry;
    whole += square;
    if (i >= lastFrom) last += square;
    if (across !== undefined) across[i] = (ry * dx - rx * dy) / (Math.sqrt(dx * dx + dy * dy) || 1);
  }
  return { whole: ratio(whole, n), last: ratio(last, n - lastFrom) };
}

const acrossRoom = createScratch();

const logOf = (square: number): number => Math.log(FLOOR_PX + Math.sqrt(square));

/**
 * How the remainder of samples, after subtracting their neighbours, persists, grows with the
 * neighbours' distance, and ends.
 */
export function residualFeatures(path: Samples): number[] {
  const count = Math.max(0, path.t.length - 2);
  const across = acrossRoom(count);
  const { whole, last } = measureResidual(path, 1, across);
  const one = logOf(whole);
  const two = logOf(measureResidual(path, 2).whole);
  const four = logOf(measureResidual(path, 4).whole);
  return [correlation(across, across, 1, count), two - one, four - two, logOf(last) - one];
}
