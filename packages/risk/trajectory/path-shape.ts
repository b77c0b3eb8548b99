import type { Path } from "./segment.ts";
import { createCourseRoom, toCourse } from "./shape.ts";
import { distance } from "./statistics.ts";

const POINTS = 24;

/** Numbers in a shape. */
export const SHAPE_LENGTH = 2 * POINTS;

/**
 * What is remembered of a path to know it again: where it is at 24 equal steps of its time, along and across the line from
 * start to end, in 160ths of that line. Place, direction, size, and speed are gone, and the path can't be had back from it;
 * moved, turned, scaled, and slowed copies of a path keep the same shape.
 */
export type PathShape = Int8Array;

/** What one unit of a shape is: this many make the line from start to end. */
export const UNITS_A_LINE = 160;
const MAX_UNITS = 127;

/**
 * Within this distance (root mean square, in lines) two paths may be one: of 8,664 recorded paths of 61 people one in a
 * thousand comes so near to any of the others.
 */
export const SHAPE_REACH = 0.0108;

/**
 * Within this distance of a path those of COMMON_NETWORKS others hardly ever lie by chance: of 9,683 recorded paths, held against
 * half of them at a time, 3 at most lie so near to those of three other people. A generator that draws many paths has no room for them.
 */
export const COMMON_REACH = 0.015;

/** So many other networks that drew about the same path make it common. */
export const COMMON_NETWORKS = 3;

/** What is shorter is not remembered, and hardly judged (trajectory model, support). */
const MIN_SAMPLES = 10;
const MIN_LENGTH_PX = 40;
const MIN_LINE_PX = 20;

/** Paths with less than this have no shape of their own: another person draws the same by chance. */
const OWN_SAMPLES = 12;
const OWN_LENGTH_PX = 100;
/** Share of the line by which a path of its own leaves it. */
const OWN_DEVIATION = 0.03;

/** Points from the middle outwards: there paths differ most, so that a search sees soon that it needn't go on. */
const MIDDLE_FIRST = Array.from({ length: POINTS }, (_, i) => i).sort(
  (a, b) => Math.abs(a - POINTS / 2) - Math.abs(b - POINTS / 2),
);

const toUnits = (share: number): number => Math.max(-MAX_UNITS, Math.min(MAX_UNITS, Math.round(share * UNITS_A_LINE)));

function lengthOf({ x, y }: Path): number {
  let length = 0;
  for (let i = 1; i < x.length; i++) length += distance((x[i] ?? 0) - (x[i - 1] ?? 0), (y[i] ?? 0) - (y[i - 1] ?? 0));
  return length;
}

/** The shape of a path, and whether it is its own: one other path that comes near is enough to know it again. */
export type KnownShape = { readonly shape: PathShape; readonly isOwn: boolean };

/** Courses that shapes are made from, one after the other. */
const room = createCourseRoom(POINTS);

/** The shape of a path; undefined if it is too short to have one. Straight paths are known only by how many draw the same. */
export function toPathShape(path: Path): KnownShape | undefined {
  const length = lengthOf(path);
  if (path.t.length < MIN_SAMPLES || length < MIN_LENGTH_PX) return undefined;
  const { u, v, chord } = toCourse(path, POINTS, room);
  if (chord < MIN_LINE_PX) return undefined;
  const shape = new Int8Array(SHAPE_LENGTH);
  MIDDLE_FIRST.forEach((point, i) => {
    shape[2 * i] = toUnits((u[point] ?? 0) - point / (POINTS - 1));
    shape[2 * i + 1] = toUnits(v[point] ?? 0);
  });
  const isLong = path.t.length >= OWN_SAMPLES && length >= OWN_LENGTH_PX;
  return { shape, isOwn: isLong && v.some((off) => Math.abs(off) >= OWN_DEVIATION) };
}
