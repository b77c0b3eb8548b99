import type { Samples } from "./segment.ts";
import { createScratch, distance, selectAt } from "./statistics.ts";

/** A gap is long above this many ms, and above this many usual gaps of the path. */
const LONG_MS = 40;
const LONG_GAPS = 2.2;
/**
 * In a long gap the pointer rested if it moved less than this, px, or slower than this share of its
 * speed next to it.
 */
const MOVED_PX = 4;
const MOVED_SPEED = 0.5;
/**
 * Inserted samples are at least this far apart, ms. A path gets no longer than the longest, since
 * clients may claim any times.
 */
const NEAREST_MS = 8;
const MOST_SAMPLES = 250;

const gapRoom = createScratch();
const sortedRoom = createScratch();

type Gaps = {
  readonly gaps: Float64Array;
  readonly count: number;
  readonly usualMs: number;
  readonly longMs: number;
};

function measureGaps({ t }: Samples): Gaps | undefined {
  const count = t.length - 1;
  const gaps = gapRoom(count);
  let longest = 0;
  for (let i = 0; i < count; i++) {
    const gap = (t[i + 1] as number) - (t[i] as number);
    gaps[i] = gap;
    if (gap > longest) longest = gap;
  }
  if (longest <= LONG_MS) return undefined;
  const sorted = sortedRoom(count);
  for (let i = 0; i < count; i++) sorted[i] = gaps[i] as number;
  const usualMs = Math.max(NEAREST_MS, selectAt(sorted, count, count >> 1));
  return { gaps, count, usualMs, longMs: Math.max(LONG_MS, LONG_GAPS * usualMs) };
}

function isHole({ x, y }: Samples, { gaps, count, longMs }: Gaps, at: number): boolean {
  if ((gaps[at] as number) <= longMs) return false;
  const wayOf = (i: number): number =>
    distance((x[i + 1] as number) - (x[i] as number), (y[i + 1] as number) - (y[i] as number));
  const speedOf = (i: number): number =>
    i < 0 || i >= count ? 0 : wayOf(i) / Math.max(1, gaps[i] as number);
  const slower = Math.min(speedOf(at - 1), speedOf(at + 1));
  return wayOf(at) >= MOVED_PX && speedOf(at) >= MOVED_SPEED * slower;
}

/**
 * The sample to measure the speed next to a hole from: at most two steps from its edge, not across
 * a long gap.
 */
function reach({ gaps, count, longMs }: Gaps, edge: number, step: 1 | -1): number {
  let at = edge;
  for (let steps = 0; steps < 2; steps++) {
    const gap = step < 0 ? at - 1 : at;
    if (gap < 0 || gap >= count || (gaps[gap] as number) > longMs) break;
    at += step;
  }
  return at;
}

/**
 * The pointer's position within a hole, along one axis: a cubic whose speed at both ends is that of
 * the path.
 */
function bridge(
  t: readonly number[],
  values: readonly number[],
  hole: { from: number; before: number; after: number },
) {
  const { from, before, after } = hole;
  const [a, b] = [values[from] as number, values[from + 1] as number];
  const span = (t[from + 1] as number) - (t[from] as number);
  const slope = (i: number, j: number): number =>
    i === j
      ? b - a
      : (span * ((values[j] as number) - (values[i] as number))) /
        Math.max(1, (t[j] as number) - (t[i] as number));
  const [leaving, arriving] = [slope(before, from), slope(from + 1, after)];
  return (s: number): number => {
    const r = 1 - s;
    const ends = (1 + 2 * s) * r * r * a + (3 - 2 * s) * s * s * b;
    return Math.round(ends + s * r * (r * leaving - s * arriving));
  };
}

/**
 * Returns a path with its holes filled. If moves are missing although the pointer moved on, as when
 * a browser was busy for a moment, samples are inserted at the normal distance, on whole px. So a
 * hole changes the look of a path only a little, and drawing holes neither helps nor harms. Rests,
 * in which no moves came because nothing moved, stay.
 */
export function fillHoles(path: Samples): Samples {
  const gaps = measureGaps(path);
  if (gaps === undefined) return path;
  const isWhole = path.t.every((_, i) => i === gaps.count || !isHole(path, gaps, i));
  if (isWhole) return path;
  const filled = { t: [] as number[], x: [] as number[], y: [] as number[] };
  let room = MOST_SAMPLES - path.t.length;
  for (let i = 0; i < path.t.length; i++) {
    const startMs = path.t[i] as number;
    filled.t.push(startMs);
    filled.x.push(path.x[i] as number);
    filled.y.push(path.y[i] as number);
    if (i === gaps.count || !isHole(path, gaps, i)) continue;
    const span = gaps.gaps[i] as number;
    const parts = Math.min(Math.round(span / gaps.usualMs), 1 + room);
    const hole = { from: i, before: reach(gaps, i, -1), after: reach(gaps, i + 1, 1) };
    const [xAt, yAt] = [bridge(path.t, path.x, hole), bridge(path.t, path.y, hole)];
    for (let part = 1; part < parts; part++) {
      const share = part / parts;
      filled.t.push(Math.round(startMs + share * span));
      filled.x.push(xAt(share));
      filled.y.push(yAt(share));
      room--;
    }
  }
  return filled;
}
