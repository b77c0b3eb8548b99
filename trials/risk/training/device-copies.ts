import type { Random } from "@stile/risk/seeded-random";
import type { Segment } from "@stile/risk/trajectory/segment";
import { evenly, oneOf, wholly } from "./distributions.ts";

type Sample = Segment[number];
/** A device's change of moves. */
export type Change = (moves: readonly Sample[], random: Random) => Sample[];

/**
 * How a device with a usual rate may differ. When the model is evaluated, each is held out of
 * training once.
 */
export const USUAL_REGIMES = [
  "coalesced",
  "interpolated",
  "lossy",
  "holed",
  "jittered",
  "coarse_clock",
  "smoothed",
] as const;

/**
 * Why moves are rare: even frames, uneven ones, late moves, a busy page, lost frames. Each is held
 * out once, too.
 */
export const SLOW_REGIMES = [
  "slow_screen",
  "slow_uneven",
  "slow_late",
  "slow_busy",
  "slow_lossy",
] as const;

/** One of SLOW_REGIMES. */
export type SlowRegime = (typeof SLOW_REGIMES)[number];
/** All kinds of devices. */
export const REGIMES = [...USUAL_REGIMES, ...SLOW_REGIMES] as const;
/** One of REGIMES. */
export type Regime = (typeof REGIMES)[number];

/** A synthetic mouse, screen and browser. */
export type Device = {
  /** How it differs from the one that recorded. */
  readonly regimes: readonly Regime[];
  /** The size of its px, relative to those recorded. */
  readonly scale: number;
  /** Its changes of the moves, one after another. */
  readonly changes: readonly Change[];
};

/**
 * Keeps the last move of each window of that many ms, as a page sees them if its frames take that
 * long.
 */
export function coalesced(windowMs: number, atFrames: boolean, phase = 0): Change {
  return (moves) => {
    const kept: Sample[] = [];
    const windowOf = ([ms]: Sample): number => Math.floor(ms / windowMs + phase);
    moves.forEach((move, i) => {
      const next = moves[i + 1];
      if (next !== undefined && windowOf(next) === windowOf(move)) return;
      const frameMs = (windowOf(move) + 1 - phase) * windowMs;
      kept.push([atFrames ? frameMs : move[0], move[1], move[2], "m"]);
    });
    return kept;
  };
}

/** A longer gap is a rest, and stays one, ms. */
const REST_MS = 40;

const interpolated = (intervalMs: number): Change => {
  return (moves, random) => {
    const samples: Sample[] = [];
    const lastMs = moves.at(-1)?.[0] ?? 0;
    let at = 0;
    for (let ms = (moves[0]?.[0] ?? 0) + random() * intervalMs; ms < lastMs; ms += intervalMs) {
      while (at < moves.length - 2 && (moves[at + 1]?.[0] ?? 0) < ms) at++;
      const [a, b] = [moves[at], moves[at + 1]];
      if (a === undefined || b === undefined) break;
      const gap = Math.max(1e-6, b[0] - a[0]);
      const share = gap > REST_MS ? 0 : Math.min(1, Math.max(0, (ms - a[0]) / gap));
      samples.push([ms, a[1] + share * (b[1] - a[1]), a[2] + share * (b[2] - a[2]), "m"]);
    }
    return [...samples, ...moves.slice(-1)];
  };
};

const lossy = (share: number): Change => {
  return (moves, random) =>
    moves.filter((_, i) => i === 0 || i === moves.length - 1 || random() >= share);
};

const holed = (holeMs: number): Change => {
  return (moves, random) => {
    const [first, last] = [moves[0]?.[0] ?? 0, moves.at(-1)?.[0] ?? 0];
    const from = evenly(random, first, Math.max(first, last - holeMs));
    return moves.filter(
      ([ms], i) => i === 0 || i === moves.length - 1 || ms < from || ms > from + holeMs,
    );
  };
};

const timed =
  (change: (ms: number, random: Random) => number): Change =>
  (moves, random) => {
    let before = Number.NEGATIVE_INFINITY;
    return moves.map(([ms, x, y]) => {
      before = Math.max(before, change(ms, random));
      return [before, x, y, "m"];
    });
  };

const smoothed: Change = (moves) =>
  moves.map(([ms, x, y], i) => {
    const [, beforeX, beforeY] = moves[i - 1] ?? [ms, x, y];
    const [, afterX, afterY] = moves[i + 1] ?? [ms, x, y];
    return [ms, (beforeX + 2 * x + afterX) / 4, (beforeY + 2 * y + afterY) / 4, "m"];
  });

const CLOCKS_MS = [1, 5, 10, 15.625, 1000 / 60] as const;

/**
 * A random realistic device: how much each differs is estimated from browsers, mice and touchpads.
 */
export function drawDevice(random: Random): Device {
  const regimes: Regime[] = [];
  const changes: Change[] = [];
  const add = (regime: Regime, change: Change): void => {
    regimes.push(regime);
    changes.push(change);
  };
  const scale = 2 ** evenly(random, -1.2, 1.2);
  const sampling = random();
  if (random() < 0.1) add("smoothed", smoothed);
  if (sampling < 0.4) add("coalesced", coalesced(evenly(random, 8, 33), random() < 0.5, random()));
  else if (sampling < 0.6) add("interpolated", interpolated(evenly(random, 7, 20)));
  if (random() < 0.12) add("lossy", lossy(evenly(random, 0.05, 0.3)));
  if (random() < 0.15) add("holed", holed(evenly(random, 40, 150)));
  const jitterMs = evenly(random, 0, 4);
  const jitter = (ms: number, more: Random): number => ms + evenly(more, -jitterMs, jitterMs);
  if (random() < 0.4) add("jittered", timed(jitter));
  const clockMs = oneOf(random, CLOCKS_MS);
  if (random() < 0.55)
    add(
      "coarse_clock",
      timed((ms) => Math.floor(ms / clockMs) * clockMs),
    );
  return { regimes, scale, changes };
}

/** A device like the one that recorded, whose clock errs by up to that many ms. */
export const jitteredDevice = (jitterMs: number): Device => ({
  regimes: ["jittered"],
  scale: 1,
  changes: [timed((ms, random) => ms + evenly(random, -jitterMs, jitterMs))],
});

/**
 * A screen that shows that many frames a second, and a page that keeps it busy for that many ms per
 * frame.
 */
export function slowDevice(framesPerSecond: number, busyMs = 0): Device {
  const frameMs = 1000 / framesPerSecond;
  const whole = (random: Random): number =>
    frameMs * Math.ceil(Math.max(frameMs, busyMs + evenly(random, 0, 8)) / frameMs);
  const change: Change = (moves, random) =>
    coalesced(whole(random), wholly(random, 0, 1) === 1, random())(moves, random);
  return { regimes: ["coalesced"], scale: 1, changes: [change] };
}

/** A path as that device would have reported it: whole px, and nothing if nothing moved. */
export function copyOnDevice(
  segment: Segment,
  { scale, changes }: Device,
  random: Random,
): Segment {
  const pressAt = segment.findIndex(([, , , kind]) => kind === "d");
  if (pressAt < 2) return segment;
  const toPx = ([ms, x, y, kind]: Sample): Sample => [
    ms,
    Math.round(x * scale),
    Math.round(y * scale),
    kind,
  ];
  let moves: readonly Sample[] = segment.slice(0, pressAt);
  for (const change of changes) moves = change(moves, random);
  const samples: Sample[] = [];
  for (const sample of moves.map(toPx)) {
    const before = samples.at(-1);
    if (sample[1] !== before?.[1] || sample[2] !== before[2]) samples.push(sample);
  }
  const pressMs = Math.max(segment[pressAt]?.[0] ?? 0, samples.at(-1)?.[0] ?? 0);
  const rest = segment.slice(pressAt).map(toPx);
  return [
    ...samples,
    ...rest.map(([ms, x, y, kind]): Sample => [Math.max(ms, pressMs), x, y, kind]),
  ];
}
