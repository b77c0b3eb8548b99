import { distance } from "./statistics.ts";

/**
 * A path that ends in a press, as in files of recordings: the moves since the press before it, then
 * the press and perhaps its release, as `[ms, x, y, "m" | "d" | "u"]` in order of time;
 * milliseconds from any origin, CSS pixels.
 */
export type Segment = readonly (readonly [
  ms: number,
  x: number,
  y: number,
  kind: "m" | "d" | "u",
])[];

/**
 * Samples closer than this to the one before are merged, in ms: fast mice and screens must look
 * like slow ones.
 */
const MIN_GAP_MS = 12;
/** A move after this long begins a new movement, in ms. */
const PAUSE_MS = 800;
/** Only this many ms before the press are scored. */
const WINDOW_MS = 3000;
const MIN_SAMPLES = 4;
const MIN_LENGTH_PX = 25;

/** Samples at least MIN_GAP_MS apart: whole ms from the first, CSS pixels. */
export type Samples = {
  readonly t: readonly number[];
  readonly x: readonly number[];
  readonly y: readonly number[];
};

/** A prepared path. */
export type Path = Samples & {
  /**
   * Time between its moves as they arrived, before any were merged, ms: this reflects the device
   * and the browser.
   */
  readonly gapsMs: readonly number[];
};

/** Where the pointer was; milliseconds from any origin, CSS pixels. */
export type Place = { readonly atMs: number; readonly x: number; readonly y: number };

/**
 * The moves of the last movement before a press: none before a pause of PAUSE_MS, none older than
 * WINDOW_MS.
 */
export function lastMovement(moves: readonly Place[], pressMs: number): readonly Place[] {
  let from = moves.length;
  while (from > 0) {
    const ms = Math.round(moves[from - 1]?.atMs ?? 0);
    const next = moves[from];
    if (pressMs - ms > WINDOW_MS || (next !== undefined && Math.round(next.atMs) - ms > PAUSE_MS))
      break;
    from--;
  }
  return moves.slice(from);
}

/**
 * Reduces the moves before a press to the last movement; undefined if too little of it moved to be
 * scored.
 */
export function toPath(moves: readonly Place[], pressMs: number): Path | undefined {
  const t: number[] = [];
  const x: number[] = [];
  const y: number[] = [];
  const gapsMs: number[] = [];
  let lastMs: number | undefined;
  for (const move of lastMovement(moves, pressMs)) {
    const ms = Math.round(move.atMs);
    if (lastMs !== undefined) gapsMs.push(ms - lastMs);
    lastMs = ms;
    const last = t.length - 1;
    if (last >= 1 && ms - (t[last - 1] ?? 0) < MIN_GAP_MS) {
      t[last] = ms;
      x[last] = move.x;
      y[last] = move.y;
    } else {
      t.push(ms);
      x.push(move.x);
      y.push(move.y);
    }
  }
  let length = 0;
  for (let i = 1; i < t.length; i++)
    length += distance((x[i] ?? 0) - (x[i - 1] ?? 0), (y[i] ?? 0) - (y[i - 1] ?? 0));
  if (t.length < MIN_SAMPLES || length < MIN_LENGTH_PX) return undefined;
  const startMs = t[0] ?? 0;
  return { t: t.map((ms) => ms - startMs), x, y, gapsMs };
}

/**
 * The path of a recording; undefined if it has no press, or too little of it moved to be scored.
 */
export function preparePath(segment: Segment): Path | undefined {
  const pressAt = segment.findIndex(([, , , kind]) => kind === "d");
  const press = segment[pressAt];
  if (press === undefined) return undefined;
  const moves = segment.slice(0, pressAt).map(([atMs, x, y]): Place => ({ atMs, x, y }));
  return toPath(moves, press[0]);
}
