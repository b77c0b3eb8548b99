import type { Samples } from "./segment.ts";
import { type Course, createCourseRoom, toCourse } from "./shape.ts";
import { log1p, ratio } from "./statistics.ts";
import { turnBetween } from "./steps.ts";

/** Names of the features of `frameFeatures`, in its order. */
export const FRAME_NAMES = [
  "bend_error",
  "bend_error_end",
  "fast_turn_spread",
  "fast_turn_changes",
  "flips_along",
  "acceleration_changes",
  "settling",
  "end_speed",
  "first_fifth_at",
  "fourth_fifth_at",
] as const;

/** A frame of a common screen, ms. */
const FRAME_MS = 1000 / 60;
const FEWEST = 8;
/** Frames of the longest path; a client may claim times of any span. */
const MOST = 181;
/** The last frames, which also get features of their own. */
const END = 14;
const FLOOR_PX = 0.05;
/**
 * Weights of the best-fitting parabola that smooth five points (Savitzky and Golay 1964), minus the
 * middle one.
 */
const PARABOLA = [-3 / 35, 12 / 35, -18 / 35] as const;

const bentAt = (values: Float64Array, i: number): number =>
  PARABOLA[0] * ((values[i - 2] ?? 0) + (values[i + 2] ?? 0)) +
  PARABOLA[1] * ((values[i - 1] ?? 0) + (values[i + 1] ?? 0)) +
  PARABOLA[2] * (values[i] ?? 0);

/**
 * How far frames are from a smooth bend through their neighbours: of all frames and of the last
 * ones, logs of px.
 */
function bendFeatures(course: Course): number[] {
  const { u, v, chord, points: n } = course;
  let [sum, end] = [0, 0];
  for (let i = 2; i < n - 2; i++) {
    const error = bentAt(u, i) ** 2 + bentAt(v, i) ** 2;
    sum += error;
    if (i >= n - END) end += error;
  }
  const logOf = (square: number): number => Math.log(FLOOR_PX + Math.sqrt(square) * chord);
  return [logOf(sum / (n - 4)), logOf(end / Math.min(n - 4, END - 2))];
}

/** How uneven turns are while the pointer is fast, and how often they change sides. */
function fastTurns(course: Course): number[] {
  const { u, v, flow } = course;
  const n = course.points - 1;
  let fast = 0;
  for (let i = 0; i < n; i++) fast = Math.max(fast, (flow[i] ?? 0) / 2);
  let [count, sum, squares, changes, lastSign] = [0, 0, 0, 0, 0];
  let before: number | undefined;
  for (let i = 0; i < n; i++) {
    if ((flow[i] ?? 0) < fast) {
      before = undefined;
      continue;
    }
    const after = Math.atan2((v[i + 1] ?? 0) - (v[i] ?? 0), (u[i + 1] ?? 0) - (u[i] ?? 0));
    const turn = before === undefined ? undefined : turnBetween(before, after);
    before = after;
    if (turn === undefined) continue;
    count++;
    sum += Math.abs(turn);
    squares += turn * turn;
    if (Math.abs(turn) < 0.005) continue;
    if (lastSign * turn < 0) changes++;
    lastSign = turn;
  }
  const usual = ratio(sum, count);
  const deviation = Math.sqrt(Math.max(0, ratio(squares, count) - usual * usual));
  return [Math.log(1e-3 + deviation), ratio(changes, count)];
}

/** Steps along the line shorter than this are due to rounding, px. */
const STILL_PX = 0.3;

function flipsAlong({ u, chord, points }: Course): number {
  let [flips, last] = [0, 0];
  for (let i = 1; i < points; i++) {
    const step = (u[i] ?? 0) - (u[i - 1] ?? 0);
    if (Math.abs(step) < STILL_PX / chord) continue;
    if (last * step < 0) flips++;
    last = step;
  }
  return log1p(flips);
}

/**
 * How often speed turns from growing to falling, how the movement settles, and when 1/5 and 4/5 are
 * covered.
 */
function paceFeatures({ flow, points }: Course): number[] {
  const n = points - 1;
  let [total, changes, lastChange, covered, first, fourth, settled] = [1e-9, 0, 0, 0, 0, 0, 0];
  for (let i = 0; i < n; i++) total += flow[i] ?? 0;
  for (let i = 0; i < n; i++) {
    const here = flow[i] ?? 0;
    covered += here;
    if (covered < 0.2 * total) first = (i + 1) / n;
    if (covered < 0.8 * total) fourth = (i + 1) / n;
    if (covered < 0.97 * total) settled = (i + 1) / n;
    if (i === 0) continue;
    const change = here - (flow[i - 1] ?? 0);
    if (change * lastChange < 0) changes++;
    lastChange = change;
  }
  const atEnd = (flow[n - 1] ?? 0) + (flow[n - 2] ?? 0) + (flow[n - 3] ?? 0);
  return [changes / n, 1 - settled, log1p((20 * atEnd * n) / (3 * total)), first, fourth];
}

/** The buffer for frames, which paths use one after another. */
const room = createCourseRoom(MOST);

/** The features of the path in frames of 1/60 s: differences between sampling rates disappear. */
export function frameFeatures(path: Samples): number[] {
  const spanMs = (path.t.at(-1) ?? 0) - (path.t[0] ?? 0);
  const frames = Math.min(MOST, Math.max(FEWEST, Math.round(spanMs / FRAME_MS) + 1));
  const course = toCourse(path, frames, room);
  return [
    ...bendFeatures(course),
    ...fastTurns(course),
    flipsAlong(course),
    ...paceFeatures(course),
  ];
}
