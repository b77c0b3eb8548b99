import { fillHoles } from "./fill-holes.ts";
import { FRAME_NAMES, frameFeatures } from "./frame-features.ts";
import { GAP_NAMES, gapFeatures } from "./gap-features.ts";
import { RESIDUAL_NAMES, residualFeatures } from "./residual-features.ts";
import type { Samples } from "./segment.ts";
import { type Course, createCourseRoom, cubicError, GRID, minimumJerk, toCourse } from "./shape.ts";
import { correlation, log1p, ratio, spread } from "./statistics.ts";
import { createStepRoom, type Steps, toSteps, turnBetween } from "./steps.ts";
import { WAVE_NAMES, waveFeatures } from "./wave-features.ts";

/**
 * Names of the features, in the order of `extractFeatures`. Properties that depend on the device
 * more than on the hand (rate of the samples, time between press and release, direction, repeated
 * places) are left out on purpose: they separated recorders and people, not people from programs.
 * So are features that the trees hardly used.
 */
export const FEATURE_NAMES = [
  "duration",
  "speed_spread",
  "speed_peak_at",
  "step_memory",
  "speed_roughness",
  "acceleration_asymmetry",
  "jerk_per_acceleration",
  "lognormal_error",
  "second_peak",
  "turn_total",
  "turn_mean",
  "turn_max",
  "turn_changes",
  "turn_end",
  "deviation_max",
  "deviation_at",
  "deviation_mean",
  "axis_steps",
  "backward_steps",
  "gap_step",
  "last_third_straightness",
  "least_jerk_error",
  "cubic_error",
  "cubic_error_px",
  ...WAVE_NAMES,
  ...RESIDUAL_NAMES,
  ...GAP_NAMES,
  ...FRAME_NAMES,
] as const;

/** How many numbers describe a path. */
export const FEATURE_COUNT = FEATURE_NAMES.length;

function speedFeatures(steps: Steps): number[] {
  const { gaps, lengths, speeds, count: n, total, duration } = steps;
  const usual = total / duration;
  let [peak, peakMs, elapsedMs, rough] = [-1, 0, 0, 0];
  for (let i = 0; i < n; i++) {
    const speed = speeds[i] ?? 0;
    if (speed >= peak) {
      peak = speed;
      peakMs = elapsedMs;
    }
    elapsedMs += gaps[i] ?? 0;
    if (i > 0 && i + 1 < n)
      rough += Math.abs((speeds[i + 1] ?? 0) - 2 * speed + (speeds[i - 1] ?? 0));
  }
  const uneven = ratio(spread(speeds, usual, n), usual);
  const roughness = log1p(10 * ratio(rough / Math.max(1, n - 2), usual));
  return [
    log1p(duration),
    uneven,
    peakMs / duration,
    correlation(lengths, lengths, 1, n),
    roughness,
  ];
}

const LOG_TIMES = Float64Array.from({ length: GRID - 1 }, (_, i) =>
  Math.log((i + 0.5) / (GRID - 1)),
);
const LOG_ENDS = Float64Array.from({ length: GRID - 1 }, (_, i) => Math.log((i + 1) / (GRID - 1)));

/**
 * How far the distance covered over the logarithm of time is from that of one lognormal stroke
 * (Plamondon 1995).
 */
function lognormalError(flow: Float64Array): number {
  const n = GRID - 1;
  let [total, mean, square] = [0, 0, 0];
  for (let i = 0; i < n; i++) {
    const [here, logTime] = [flow[i] ?? 0, LOG_TIMES[i] ?? 0];
    total += here;
    mean += here * logTime;
    square += here * logTime * logTime;
  }
  mean = ratio(mean, total);
  const deviation = Math.sqrt(Math.max(1e-6, ratio(square, total) - mean * mean));
  let [covered, error] = [0, 0];
  for (let i = 0; i < n; i++) {
    covered += flow[i] ?? 0;
    // The logistic curve that is closest to the normal one.
    const expected = 1 / (1 + Math.exp((-1.702 * ((LOG_ENDS[i] ?? 0) - mean)) / deviation));
    error += (ratio(covered, total) - expected) ** 2;
  }
  return Math.log(1e-3 + Math.sqrt(error / n));
}

/** The highest rise of speed away from its peak, relative to the peak. */
function secondPeak(flow: Float64Array, top: number): number {
  const topAt = flow.indexOf(top);
  let second = 0;
  for (const step of [-1, 1]) {
    let valley = top;
    for (let i = topAt + step; i >= 0 && i < GRID - 1; i += step) {
      const here = flow[i] ?? 0;
      valley = Math.min(valley, here);
      second = Math.max(second, here - valley);
    }
  }
  return Math.log(1e-2 + ratio(second, top));
}

/** How smooth the movement is and which parts it has, on the grid. */
function flowFeatures({ flow }: Course): number[] {
  const n = GRID - 1;
  let [top, up, down, jerk] = [0, 0, 0, 0];
  for (let i = 0; i < n; i++) top = Math.max(top, flow[i] ?? 0);
  for (let i = 1; i < n; i++) {
    const here = flow[i] ?? 0;
    const step = (here - (flow[i - 1] ?? 0)) / Math.max(top, 1e-9);
    if (step > 0) up += step * step;
    else down += step * step;
    if (i + 1 < n) jerk += (((flow[i + 1] ?? 0) - here) / Math.max(top, 1e-9) - step) ** 2;
  }
  const roughness = Math.log(1e-3 + ratio(jerk, up + down));
  return [ratio(up - down, up + down), roughness, lognormalError(flow), secondPeak(flow, top)];
}

/** Turns between steps shorter than this are due to rounding, px. */
const STEADY_PX = 3;

function turnFeatures({ headings, lengths, count }: Steps): number[] {
  const n = Math.max(0, count - 1);
  const fromEnd = Math.max(1, Math.floor(count / 5));
  let [total, weights, largest, changes, lastSign, atEnd, steady] = [0, 0, 0, 0, 0, 0, 0];
  for (let i = 0; i < n; i++) {
    const shorter = Math.min(lengths[i] ?? 0, lengths[i + 1] ?? 0);
    if (shorter === 0) continue;
    const turn = turnBetween(headings[i] ?? 0, headings[i + 1] ?? 0);
    const size = Math.abs(turn);
    const weight = Math.min(1, shorter / 4);
    total += size * weight;
    weights += weight;
    if (i >= n - fromEnd) atEnd += size;
    if (shorter < STEADY_PX) continue;
    largest = Math.max(largest, size);
    steady++;
    if (size <= 0.02) continue;
    if (lastSign * turn < 0) changes++;
    lastSign = turn;
  }
  const mean = log1p(10 * ratio(total, weights));
  return [log1p(total), mean, largest, ratio(changes, steady), log1p(atEnd / fromEnd)];
}

function deviationFeatures({ v }: Course): number[] {
  let [most, mostAt, area] = [0, 0, 0];
  for (let i = 0; i < GRID; i++) {
    const off = Math.abs(v[i] ?? 0);
    area += off / GRID;
    if (off <= most) continue;
    most = off;
    mostAt = i / (GRID - 1);
  }
  return [log1p(20 * most), mostAt, log1p(20 * area)];
}

function stepFeatures({ x, y }: Samples, { gaps, lengths, count: n }: Steps): number[] {
  const endX = x[n] ?? 0;
  const endY = y[n] ?? 0;
  let [axis, backward, tail] = [0, 0, 0];
  const third = n - Math.max(1, Math.floor(n / 3));
  for (let i = 0; i < n; i++) {
    const dx = (x[i + 1] ?? 0) - (x[i] ?? 0);
    const dy = (y[i + 1] ?? 0) - (y[i] ?? 0);
    const length = lengths[i] ?? 0;
    if (length > 0 && (Math.abs(dx) < 0.5 || Math.abs(dy) < 0.5)) axis++;
    if ((endX - (x[i] ?? 0)) * dx + (endY - (y[i] ?? 0)) * dy < 0) backward++;
    if (i >= third) tail += length;
  }
  const tailChord = Math.hypot(endX - (x[third] ?? 0), endY - (y[third] ?? 0));
  return [axis / n, backward / n, correlation(gaps, lengths, 0, n), ratio(tailChord, tail)];
}

const LEAST_JERK = Float64Array.from({ length: GRID }, (_, i) => minimumJerk(i / (GRID - 1)));

/** How far the path is from what simple programs draw: least jerk, or a single Bézier curve. */
function fitFeatures({ u, v, chord }: Course): number[] {
  let jerk = 0;
  for (let i = 0; i < GRID; i++) jerk += ((u[i] ?? 0) - (LEAST_JERK[i] ?? 0)) ** 2;
  const cubic = Math.hypot(cubicError(u), cubicError(v));
  return [Math.log(1e-3 + Math.sqrt(jerk / GRID)), Math.log(1e-3 + cubic), log1p(cubic * chord)];
}

/**
 * Steps of a usual path; allocating memory for each path would cost as much as computing its
 * features.
 */
const USUAL_STEPS = 256;
const stepRoom = createStepRoom(USUAL_STEPS);
const courseRoom = createCourseRoom(GRID);

/**
 * Describes a path, its holes filled, by FEATURE_COUNT finite numbers; the same in training and in
 * service.
 */
export function extractFeatures(recorded: Samples): Float64Array {
  const path = fillHoles(recorded);
  const steps = path.t.length > USUAL_STEPS ? toSteps(path) : toSteps(path, stepRoom);
  const course = toCourse(path, GRID, courseRoom);
  const parts = [
    speedFeatures(steps),
    flowFeatures(course),
    turnFeatures(steps),
    deviationFeatures(course),
    stepFeatures(path, steps),
    fitFeatures(course),
    waveFeatures(course),
    residualFeatures(path),
    gapFeatures(steps),
    frameFeatures(path),
  ];
  const features = new Float64Array(FEATURE_COUNT);
  let at = 0;
  for (const part of parts)
    for (const value of part) features[at++] = Number.isFinite(value) ? value : 0;
  return features;
}
