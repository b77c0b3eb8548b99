import type { Samples } from "./segment.ts";
import { ratio } from "./statistics.ts";

/** Points of the grid onto which a path is mapped. */
export const GRID = 32;

/**
 * Buffers of a course: `u` along the line from its start to its end, `v` across, both in units of
 * that line.
 */
export type CourseRoom = {
  readonly u: Float64Array;
  readonly v: Float64Array;
  /** Speed between the points, in lines per step. */
  readonly flow: Float64Array;
};

/** A path at equal steps of time. Beyond the last point the arrays hold nothing meaningful. */
export type Course = CourseRoom & {
  readonly points: number;
  /** Length of the line, px, at least 1. */
  readonly chord: number;
};

/** Buffers for that many points. */
export const createCourseRoom = (points: number): CourseRoom => ({
  u: new Float64Array(points),
  v: new Float64Array(points),
  flow: new Float64Array(points - 1),
});

/**
 * Maps a path onto a grid of that many points, linear between samples; `room` takes it and must be
 * large enough.
 */
export function toCourse(
  { t, x, y }: Samples,
  points = GRID,
  room = createCourseRoom(points),
): Course {
  const { u, v, flow } = room;
  const last = t.length - 1;
  const x0 = x[0] ?? 0;
  const y0 = y[0] ?? 0;
  const chord = Math.max(1, Math.hypot((x[last] ?? 0) - x0, (y[last] ?? 0) - y0));
  const cos = ((x[last] ?? 0) - x0) / chord;
  const sin = ((y[last] ?? 0) - y0) / chord;
  const t0 = t[0] ?? 0;
  const span = Math.max(1, (t[last] ?? 0) - t0);
  let at = 0;
  for (let i = 0; i < points; i++) {
    const ms = t0 + (span * i) / (points - 1);
    while (at < last - 1 && (t[at + 1] ?? 0) < ms) at++;
    const share = Math.min(
      1,
      Math.max(0, ratio(ms - (t[at] ?? 0), (t[at + 1] ?? 0) - (t[at] ?? 0))),
    );
    const px = (x[at] ?? 0) - x0 + share * ((x[at + 1] ?? 0) - (x[at] ?? 0));
    const py = (y[at] ?? 0) - y0 + share * ((y[at + 1] ?? 0) - (y[at] ?? 0));
    u[i] = (px * cos + py * sin) / chord;
    v[i] = (py * cos - px * sin) / chord;
  }
  for (let i = 0; i < points - 1; i++) {
    const du = (u[i + 1] ?? 0) - (u[i] ?? 0);
    const dv = (v[i + 1] ?? 0) - (v[i] ?? 0);
    flow[i] = Math.sqrt(du * du + dv * dv);
  }
  return { u, v, flow, points, chord };
}

/**
 * Weights of the control points of a cubic Bézier curve at each point of the grid, and the sums
 * needed to fit one.
 */
const BEZIER = (() => {
  const [start, a, b, end] = [0, 0, 0, 0].map(() => new Float64Array(GRID)) as Four;
  let [aa, ab, bb] = [0, 0, 0];
  for (let i = 0; i < GRID; i++) {
    const s = i / (GRID - 1);
    const r = 1 - s;
    const [inner, later] = [3 * r * r * s, 3 * r * s * s];
    start[i] = r * r * r;
    a[i] = inner;
    b[i] = later;
    end[i] = s * s * s;
    aa += inner * inner;
    ab += inner * later;
    bb += later * later;
  }
  return { start, a, b, end, aa, ab, bb, determinant: aa * bb - ab * ab };
})();
type Four = [Float64Array, Float64Array, Float64Array, Float64Array];

/** The remaining values without the curve's fixed ends, during a fit. */
const rests = new Float64Array(GRID);

/**
 * Root mean square distance of a grid's values from the best-fitting cubic Bézier through both
 * ends.
 */
export function cubicError(values: Float64Array): number {
  const { start, a, b, end, aa, ab, bb, determinant } = BEZIER;
  const first = values[0] ?? 0;
  const last = values[GRID - 1] ?? 0;
  let [ar, br] = [0, 0];
  for (let i = 0; i < GRID; i++) {
    const rest = (values[i] ?? 0) - (start[i] ?? 0) * first - (end[i] ?? 0) * last;
    rests[i] = rest;
    ar += (a[i] ?? 0) * rest;
    br += (b[i] ?? 0) * rest;
  }
  const p = (ar * bb - br * ab) / determinant;
  const q = (br * aa - ar * ab) / determinant;
  let sum = 0;
  for (let i = 0; i < GRID; i++) {
    const off = (rests[i] ?? 0) - p * (a[i] ?? 0) - q * (b[i] ?? 0);
    sum += off * off;
  }
  return Math.sqrt(sum / GRID);
}

/**
 * Share of the line covered after the share `s` of the time, by a movement of least jerk (Flash and
 * Hogan 1985).
 */
export const minimumJerk = (s: number): number => s * s * s * (10 - 15 * s + 6 * s * s);
