import type { Path } from "./segment.ts";
import { type Course, cubicError, GRID, minimumJerk, toCourse } from "./shape.ts";
import { correlation, entropy, log1p, mean, ratio, spread } from "./statistics.ts";

/**
 * Names of the features, in the order of `extractFeatures`. What depends on the device more than on the hand (rate of the
 * samples, time between press and release, direction, steps of a pixel, of none, and repeated ones) is left out on purpose:
 * it told recorders and people apart, not people from programs.
 */
export const FEATURE_NAMES = [
  ...["duration", "length", "straightness"],
  ...["speed_mean", "speed_max", "speed_spread", "speed_peak_at", "speed_median", "speed_skew"],
  ...["speed_start", "speed_end", "speed_last_fifth", "step_memory", "speed_roughness", "time_slow", "time_fast"],
  ...["peaks", "valleys", "acceleration", "acceleration_asymmetry", "jerk", "jerk_per_acceleration", "high_energy"],
  ...["middle_energy", "restarts", "half_at"],
  ...["turn_total", "turn_mean", "turn_bias", "turn_max", "turn_changes", "turn_end", "turn_speed", "turn_entropy"],
  ...["deviation_max", "deviation_at", "deviation_mean", "deviation_bias", "crossings", "overshoot"],
  ...["noise_across", "noise_along", "noise_memory", "noise_shape"],
  ...["axis_steps", "backward_steps", "step_entropy", "gap_step"],
  ...["last_third_straightness", "least_jerk_error", "constant_error", "cubic_error", "cubic_error_px"],
] as const;

/** How many numbers describe a path. */
export const FEATURE_COUNT = FEATURE_NAMES.length;

type Steps = {
  /** Time of each step, ms, at least 1. */
  readonly gaps: Float64Array;
  readonly lengths: Float64Array;
  /** px per ms. */
  readonly speeds: Float64Array;
  readonly headings: Float64Array;
  readonly total: number;
  readonly duration: number;
};

function toSteps({ t, x, y }: Path): Steps {
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

function speedFeatures({ gaps, lengths, speeds, total, duration }: Steps): number[] {
  const n = speeds.length;
  const sorted = Float64Array.from(speeds).sort();
  const speedMean = total / duration;
  const speedMax = sorted[n - 1] ?? 0;
  const deviation = spread(speeds, speedMean);
  let [peakMs, elapsedMs, skew, slow, fast, rough] = [0, 0, 0, 0, 0, 0];
  for (let i = 0; i < n; i++) {
    const speed = speeds[i] ?? 0;
    const gap = gaps[i] ?? 0;
    if (speed === speedMax) peakMs = elapsedMs;
    elapsedMs += gap;
    const off = (speed - speedMean) / (deviation + 1e-9);
    skew += off * off * off;
    if (speed < 0.1 * speedMax) slow += gap;
    if (speed > 0.7 * speedMax) fast += gap;
    if (i > 0 && i + 1 < n) rough += Math.abs((speeds[i + 1] ?? 0) - 2 * speed + (speeds[i - 1] ?? 0));
  }
  const fifth = Math.max(1, Math.floor(n / 5));
  const share = (from: number, to: number): number => log1p(20 * ratio(mean(speeds, from, to), speedMax));
  return [
    ...[log1p(10 * speedMean), log1p(10 * speedMax), ratio(deviation, speedMean), peakMs / duration],
    ...[ratio(sorted[n >> 1] ?? 0, speedMax), Math.cbrt(skew / n)],
    ...[share(0, Math.min(2, n)), share(Math.max(0, n - 2), n), share(n - fifth, n)],
    ...[correlation(lengths, lengths, 1), log1p(10 * ratio(rough / Math.max(1, n - 2), speedMean))],
    ...[slow / duration, fast / duration],
  ];
}

/** The parts a movement is made of, and how smooth they are, on the grid. */
function flowFeatures({ flow }: Course): number[] {
  const n = flow.length;
  const top = Math.max(...flow, 1e-9);
  const usual = mean(flow);
  let [peaks, valleys, lowest, up, down, jerkSum] = [0, 0, top, 0, 0, 0];
  let [energy, high, middle, restarts, covered, half] = [0, 0, 0, 0, 0, 0];
  const at = (i: number): number => flow[i] ?? 0;
  for (let i = 0; i < n; i++) {
    const here = at(i);
    energy += (here - usual) ** 2;
    if (i >= 2) high += (here - 2 * at(i - 1) + at(i - 2)) ** 2;
    if (i >= 4) middle += (here - 2 * at(i - 2) + at(i - 4)) ** 2;
    if (covered < (usual * n) / 2) half = (i + 1) / n;
    covered += here;
    if (i === 0) continue;
    const step = (here - at(i - 1)) / top;
    if (step > 0) up += step * step;
    else down += step * step;
    if (at(i - 1) < 0.25 * usual && here >= 0.25 * usual) restarts++;
    if (i + 1 === n) continue;
    jerkSum += ((at(i + 1) - 2 * here + at(i - 1)) / top) ** 2;
    const isPeak = here > at(i - 1) && here >= at(i + 1) && here > 0.1 * top;
    if (isPeak && peaks > 0) valleys += Math.max(0, here - lowest) / top;
    if (isPeak) peaks++;
    lowest = isPeak ? here : Math.min(lowest, here);
  }
  return [
    ...[log1p(peaks), log1p(valleys), log1p(10 * Math.sqrt((up + down) / GRID)), ratio(up - down, up + down)],
    ...[log1p(10 * Math.sqrt(jerkSum / GRID)), Math.log(1e-3 + ratio(jerkSum, up + down))],
    ...[Math.log(1e-3 + ratio(high, energy)), Math.log(1e-3 + ratio(middle, energy)), log1p(restarts), half],
  ];
}

/** Bins for the entropy of turns and of step lengths. */
const BINS = 12;
/** A turn between steps shorter than this is rounding, px. */
const STEADY_PX = 3;

function turnFeatures({ headings, lengths, speeds }: Steps): number[] {
  const n = Math.max(0, headings.length - 1);
  const sharpness = new Float64Array(n);
  const bins = new Float64Array(BINS);
  const fromEnd = Math.max(1, Math.floor(headings.length / 5));
  let [total, bias, weights, largest, changes, lastSign, atEnd, steady] = [0, 0, 0, 0, 0, 0, 0, 0];
  for (let i = 0; i < n; i++) {
    const shorter = Math.min(lengths[i] ?? 0, lengths[i + 1] ?? 0);
    if (shorter === 0) continue;
    const raw = (headings[i + 1] ?? 0) - (headings[i] ?? 0);
    const turn = raw > Math.PI ? raw - 2 * Math.PI : raw < -Math.PI ? raw + 2 * Math.PI : raw;
    const size = Math.abs(turn);
    const weight = Math.min(1, shorter / 4);
    sharpness[i] = Math.log((size + 0.01) / (shorter + 1));
    total += size * weight;
    bias += turn * weight;
    weights += weight;
    if (i >= n - fromEnd) atEnd += size;
    if (shorter < STEADY_PX) continue;
    largest = Math.max(largest, size);
    const bin = Math.min(BINS - 1, Math.floor(((turn + Math.PI) / (2 * Math.PI)) * BINS));
    bins[bin] = (bins[bin] ?? 0) + 1;
    steady++;
    if (size <= 0.02) continue;
    if (lastSign * turn < 0) changes++;
    lastSign = turn;
  }
  return [
    ...[log1p(total), log1p(10 * ratio(total, weights)), ratio(Math.abs(bias), total), largest],
    ...[
      ratio(changes, steady),
      log1p(atEnd / fromEnd),
      correlation(sharpness, speeds.subarray(1)),
      entropy(bins, steady),
    ],
  ];
}

function deviationFeatures({ u, v }: Course): number[] {
  let [most, mostAt, area, signed, crossings, farthest] = [0, 0, 0, 0, 0, 0];
  for (let i = 0; i < GRID; i++) {
    const off = v[i] ?? 0;
    if (Math.abs(off) > most) {
      most = Math.abs(off);
      mostAt = i / (GRID - 1);
    }
    area += Math.abs(off) / GRID;
    signed += off / GRID;
    if (i > 0 && off * (v[i - 1] ?? 0) < 0) crossings++;
    farthest = Math.max(farthest, (u[i] ?? 0) - 1);
  }
  const bias = ratio(Math.abs(signed), area);
  return [log1p(20 * most), mostAt, log1p(20 * area), bias, log1p(crossings), log1p(20 * farthest)];
}

/** What is left of each sample once its two neighbours are taken from it: tremor, rounding, added jitter. */
function noiseFeatures({ x, y }: Path, { gaps }: Steps): number[] {
  const n = gaps.length - 1;
  const across = new Float64Array(n);
  const along = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    const share = (gaps[i] ?? 1) / ((gaps[i] ?? 1) + (gaps[i + 1] ?? 1));
    const dx = (x[i + 2] ?? 0) - (x[i] ?? 0);
    const dy = (y[i + 2] ?? 0) - (y[i] ?? 0);
    const length = Math.sqrt(dx * dx + dy * dy) || 1;
    const rx = (x[i + 1] ?? 0) - (x[i] ?? 0) - share * dx;
    const ry = (y[i + 1] ?? 0) - (y[i] ?? 0) - share * dy;
    along[i] = (rx * dx + ry * dy) / length;
    across[i] = (ry * dx - rx * dy) / length;
  }
  const acrossSize = spread(across, 0);
  const alongSize = spread(along, 0);
  const shape = Math.log((acrossSize + 0.1) / (alongSize + 0.1));
  return [log1p(acrossSize), log1p(alongSize), correlation(across, across, 1), shape];
}

function stepFeatures({ x, y }: Path, { gaps, lengths }: Steps): number[] {
  const n = lengths.length;
  const bins = new Float64Array(BINS);
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
    const bin = Math.min(BINS - 1, Math.floor(2 * Math.log2(1 + length)));
    bins[bin] = (bins[bin] ?? 0) + 1;
    if (i >= third) tail += length;
  }
  const tailChord = Math.hypot(endX - (x[third] ?? 0), endY - (y[third] ?? 0));
  return [...[axis / n, backward / n, entropy(bins, n), correlation(gaps, lengths)], ratio(tailChord, tail)];
}

/** How far the path is from what simple programs draw: least jerk, constant speed, one Bézier curve. */
function fitFeatures({ u, v, chord }: Course): number[] {
  let [jerk, constant] = [0, 0];
  for (let i = 0; i < GRID; i++) {
    const s = i / (GRID - 1);
    jerk += ((u[i] ?? 0) - minimumJerk(s)) ** 2;
    constant += ((u[i] ?? 0) - s) ** 2;
  }
  const cubic = Math.hypot(cubicError(u), cubicError(v));
  const logs = [Math.sqrt(jerk / GRID), Math.sqrt(constant / GRID), cubic].map((error) => Math.log(1e-3 + error));
  return [...logs, log1p(cubic * chord)];
}

/** What a path looks like, as FEATURE_COUNT finite numbers; the same in training and in service. */
export function extractFeatures(path: Path): Float64Array {
  const steps = toSteps(path);
  const course = toCourse(path);
  const features = Float64Array.of(
    log1p(steps.duration),
    log1p(steps.total),
    ratio(course.chord, steps.total),
    ...speedFeatures(steps),
    ...flowFeatures(course),
    ...turnFeatures(steps),
    ...deviationFeatures(course),
    ...noiseFeatures(path, steps),
    ...stepFeatures(path, steps),
    ...fitFeatures(course),
  );
  for (let i = 0; i < features.length; i++) if (!Number.isFinite(features[i])) features[i] = 0;
  return features;
}
