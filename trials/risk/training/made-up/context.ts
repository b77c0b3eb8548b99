import type { Random } from "@stile/risk/seeded-random";
import { lastMovement, type Path, preparePath, type Segment } from "@stile/risk/trajectory/segment";
import { evenly, evenlyInLog, normally, oneOf } from "../distributions.ts";

/** The parts of a person's recording that programs borrow: its path, and when its moves came. */
export type Donor = {
  readonly path: Path;
  readonly from: readonly [number, number];
  readonly to: readonly [number, number];
  /** ms since the first move; the first is 0. */
  readonly times: readonly number[];
};

/** The donor made from a recording; undefined if too little of it moved. */
export function toDonor(segment: Segment): Donor | undefined {
  const pressAt = segment.findIndex(([, , , kind]) => kind === "d");
  const path = preparePath(segment);
  if (path === undefined) return undefined;
  const moves = segment.slice(0, pressAt).map(([atMs, x, y]) => ({ atMs, x, y }));
  const last = lastMovement(moves, segment[pressAt]?.[0] ?? 0);
  const [first, end] = [last[0], last.at(-1)];
  if (first === undefined || end === undefined) return undefined;
  return {
    path,
    from: [first.x, first.y],
    to: [end.x, end.y],
    times: last.map(({ atMs }) => atMs - first.atMs),
  };
}

/** From where to where a program moves, px, and when it reports, ms since its first move. */
export type Context = Pick<Donor, "from" | "to" | "times">;

const FRAMES_MS = [6.94, 8.33, 16.67] as const;
const TARGET_PX = [15, 120] as const;

function clockTimes(random: Random, durationMs: number): number[] {
  const everyMs = evenly(random, 4, 25);
  const jitter = evenly(random, 0, 0.5) * everyMs;
  const frameMs = oneOf(random, FRAMES_MS);
  const times: number[] = [0];
  for (let ms = everyMs; ms < durationMs; ms += everyMs) {
    const shown = Math.ceil((ms + evenly(random, -jitter, jitter)) / frameMs) * frameMs;
    if (shown > (times.at(-1) ?? 0)) times.push(shown);
  }
  return times;
}

function madeUpWay(random: Random): Pick<Context, "from" | "to"> & { readonly durationMs: number } {
  const line = evenlyInLog(random, 60, 1400);
  const angle = evenly(random, 0, 2 * Math.PI);
  // Fitts's law, with its constants drawn at random.
  const [start, perBit] = [evenly(random, 50, 250), evenly(random, 60, 260)];
  const bits = Math.log2(line / evenly(random, ...TARGET_PX) + 1);
  const durationMs = (start + perBit * bits) * Math.exp(normally(random, 0.2));
  const from = [Math.round(evenly(random, 50, 1500)), Math.round(evenly(random, 50, 900))] as const;
  return {
    from,
    to: [from[0] + line * Math.cos(angle), from[1] + line * Math.sin(angle)],
    durationMs,
  };
}

/**
 * Most programs that borrow anything borrow a person's path, duration and times; the others use
 * their own clock.
 */
export function drawContext(random: Random, donors: readonly Donor[]): Context {
  const donor = oneOf(random, donors);
  if (random() < 0.65) {
    return random() < 0.85
      ? donor
      : { ...donor, times: clockTimes(random, donor.times.at(-1) ?? 0) };
  }
  const { durationMs, ...way } = madeUpWay(random);
  const scale = durationMs / Math.max(1, donor.times.at(-1) ?? 0);
  const isNear = scale > 0.6 && scale < 1.7;
  const times = isNear ? donor.times.map((ms) => ms * scale) : clockTimes(random, durationMs);
  return { ...way, times };
}
