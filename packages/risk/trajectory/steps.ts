import type { Samples } from "./segment.ts";

/** A path as its steps from sample to sample. */
export type Steps = {
  /** Time of each step, ms, at least 1. */
  readonly gaps: Float64Array;
  /** px. */
  readonly lengths: Float64Array;
  /** px per ms. */
  readonly speeds: Float64Array;
  /** Directions, radians; that of the step before where nothing moved. */
  readonly headings: Float64Array;
  /** Length of all steps, px. */
  readonly total: number;
  /** ms, at least 1. */
  readonly duration: number;
};

/** The steps of a path of at least one sample. */
export function toSteps({ t, x, y }: Samples): Steps {
  const n = t.length - 1;
  const steps = {
    gaps: new Float64Array(n),
    lengths: new Float64Array(n),
    speeds: new Float64Array(n),
    headings: new Float64Array(n),
  };
  let total = 0;
  for (let i = 0; i < n; i++) {
    const dx = (x[i + 1] ?? 0) - (x[i] ?? 0);
    const dy = (y[i + 1] ?? 0) - (y[i] ?? 0);
    const gap = Math.max(1, (t[i + 1] ?? 0) - (t[i] ?? 0));
    const length = Math.sqrt(dx * dx + dy * dy);
    steps.gaps[i] = gap;
    steps.lengths[i] = length;
    steps.speeds[i] = length / gap;
    steps.headings[i] = length > 0 ? Math.atan2(dy, dx) : (steps.headings[i - 1] ?? 0);
    total += length;
  }
  return { ...steps, total, duration: Math.max(1, (t[n] ?? 0) - (t[0] ?? 0)) };
}

/** The angle from one heading to the next, -pi to pi. */
export function turnBetween(from: number, to: number): number {
  const raw = to - from;
  return raw > Math.PI ? raw - 2 * Math.PI : raw < -Math.PI ? raw + 2 * Math.PI : raw;
}
