import type { Path } from "./segment.ts";
import { createCourseRoom, toCourse } from "./shape.ts";
import { distance } from "./statistics.ts";

const POINTS = 24;

/** Numbers in a shape. */
export const SHAPE_LENGTH = 2 * POINTS;

/**
 * The stored form of a path to recognise it: where it is at 24 equal steps of its time, along and
 * across the line from start to end, in 160ths of that line. Place, direction, size, and speed are
 * gone, and the path can't be reconstructed from it. Moved, turned, scaled, and slowed copies of a
 * path keep the same shape.
 */
export type PathShape = Int8Array;

/** Units of a shape: this many make up the line from start to end. */
export const UNITS_A_LINE = 160;
const MAX_UNITS = 127;

/**
 * Within this distance two paths may be the same (root mean square, in units of the straight line
 * from start to end). Of 8,664 recorded paths of 61 people, 1 in 1,000 is this close to another.
 */
export const SHAPE_REACH = 0.0108;

/**
 * Within this distance of a path, paths of COMMON_NETWORKS others hardly ever lie by chance, if
 * plain paths are left out: of 7,000 recordings of practised aiming, 1 in 1,000 is this near to
 * three others of 5,000 (18% with plain paths), of SapiMouse's none. A generator that draws many
 * paths can't avoid it.
 */
export const COMMON_REACH = 0.015;

/** A path is common if this many other networks drew about the same. */
export const COMMON_NETWORKS = 3;

/**
 * A plain path is straight and quick: it deviates from its line by less than this share, and takes
 * less than this time, ms. Practised hands draw the same then, so such paths are not recognised.
 */
const PLAIN_DEVIATION = 0.1;
const PLAIN_MS = 500;

/** Shorter paths are not remembered, and hardly ever scored (trajectory model, support). */
const MIN_SAMPLES = 10;
const MIN_LENGTH_PX = 40;
const MIN_LINE_PX = 20;

/**
 * Paths with less than this have no shape of their own: another person draws the same by chance.
 */
const OWN_SAMPLES = 12;
const OWN_LENGTH_PX = 100;
/** A path with a shape of its own deviates from the line by at least this share of it. */
const OWN_DEVIATION = 0.03;

/**
 * Points from the middle outwards: paths differ most there, so a search soon sees that it can stop.
 */
const MIDDLE_FIRST = Array.from({ length: POINTS }, (_, i) => i).sort(
  (a, b) => Math.abs(a - POINTS / 2) - Math.abs(b - POINTS / 2),
);

const toUnits = (share: number): number =>
  Math.max(-MAX_UNITS, Math.min(MAX_UNITS, Math.round(share * UNITS_A_LINE)));

function lengthOf({ x, y }: Path): number {
  let length = 0;
  for (let i = 1; i < x.length; i++)
    length += distance((x[i] ?? 0) - (x[i - 1] ?? 0), (y[i] ?? 0) - (y[i - 1] ?? 0));
  return length;
}

/**
 * The shape of a path, and whether it is its own, so that one other path near it is enough to
 * recognise it.
 */
export type KnownShape = { readonly shape: PathShape; readonly isOwn: boolean };

/** The buffer for courses, which shapes use one after another. */
const room = createCourseRoom(POINTS);

/**
 * The shape of a path; undefined if it is too short or plain. Straight paths that are slow are
 * recognised only by how many draw the same.
 */
export function toPathShape(path: Path): KnownShape | undefined {
  const length = lengthOf(path);
  if (path.t.length < MIN_SAMPLES || length < MIN_LENGTH_PX) return undefined;
  const { u, v, chord } = toCourse(path, POINTS, room);
  if (chord < MIN_LINE_PX) return undefined;
  const deviates = (share: number): boolean => v.some((off) => Math.abs(off) >= share);
  const durationMs = (path.t.at(-1) ?? 0) - (path.t[0] ?? 0);
  if (durationMs < PLAIN_MS && !deviates(PLAIN_DEVIATION)) return undefined;
  const shape = new Int8Array(SHAPE_LENGTH);
  MIDDLE_FIRST.forEach((point, i) => {
    shape[2 * i] = toUnits((u[point] ?? 0) - point / (POINTS - 1));
    shape[2 * i + 1] = toUnits(v[point] ?? 0);
  });
  const isLong = path.t.length >= OWN_SAMPLES && length >= OWN_LENGTH_PX;
  return { shape, isOwn: isLong && deviates(OWN_DEVIATION) };
}
