import type { Samples } from "./segment.ts";

/**
 * A path as its steps from sample to sample. Beyond the last step the arrays hold nothing
 * meaningful.
 */
export type Steps = StepRoom & {
  /** How many steps there are. */
  readonly count: number;
  /** Total length of the steps, px. */
  readonly total: number;
  /** ms, at least 1. */
  readonly duration: number;
};

/** The buffers that steps are written to. */
export type StepRoom = {
  /** Time of each step, ms, at least 1. */
  readonly gaps: Float64Array;
  /** px. */
  readonly lengths: Float64Array;
  /** px per ms. */
  readonly speeds: Float64Array;
  /** Directions, radians; for a step without movement, that of the step before. */
  readonly headings: Float64Array;
};

/** Buffers for that many steps. */
export const createStepRoom = (count: number): StepRoom => ({
  gaps: new Float64Array(count),
  lengths: new Float64Array(count),
  speeds: new Float64Array(count),
  headings: new Float64Array(count),
});

/**
 * The steps of a path with at least one sample; writes them to `room`, which must be large enough.
 */
export function toSteps({ t, x, y }: Samples, room = createStepRoom(t.length - 1)): Steps {
  const { gaps, lengths, speeds, headings } = room;
  const count = t.length - 1;
  let [total, heading] = [0, 0];
  for (let i = 0; i < count; i++) {
    const dx = (x[i + 1] ?? 0) - (x[i] ?? 0);
    const dy = (y[i + 1] ?? 0) - (y[i] ?? 0);
    const gap = Math.max(1, (t[i + 1] ?? 0) - (t[i] ?? 0));
    const length = Math.sqrt(dx * dx + dy * dy);
    if (length > 0) heading = Math.atan2(dy, dx);
    gaps[i] = gap;
    lengths[i] = length;
    speeds[i] = length / gap;
    headings[i] = heading;
    total += length;
  }
  const duration = Math.max(1, (t[count] ?? 0) - (t[0] ?? 0));
  return { gaps, lengths, speeds, headings, count, total, duration };
}

/** The angle from one heading to the next, -pi to pi. */
export function turnBetween(from: number, to: number): number {
  const raw = to - from;
  return raw > Math.PI ? raw - 2 * Math.PI : raw < -Math.PI ? raw + 2 * Math.PI : raw;
}
