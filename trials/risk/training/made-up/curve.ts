import type { Random } from "@stile/risk/seeded-random";
import { minimumJerk } from "@stile/risk/trajectory/shape";
import { evenly, normally, wholly } from "../distributions.ts";

/** Points of a curve. */
export const POINTS = 200;

/**
 * A movement at equal steps of time: its position along its line, 0 to 1, and across it; both in
 * units of the line.
 */
export type Curve = { readonly along: Float64Array; readonly across: Float64Array };

/** A curve from a function that gives its position at each share of its time, 0..1. */
export function curveOf(at: (share: number) => readonly [along: number, across: number]): Curve {
  const [along, across] = [new Float64Array(POINTS), new Float64Array(POINTS)];
  for (let i = 0; i < POINTS; i++) [along[i], across[i]] = at(i / (POINTS - 1)) as [number, number];
  return { along, across };
}

/**
 * Moves, turns and scales a curve so that it runs from (0, 0) to (1, 0); undefined if it ends where
 * it began.
 */
export function stretched({ along, across }: Curve): Curve | undefined {
  const [x0, y0] = [along[0] ?? 0, across[0] ?? 0];
  const [dx, dy] = [(along.at(-1) ?? 0) - x0, (across.at(-1) ?? 0) - y0];
  const square = dx * dx + dy * dy;
  if (square < 1e-6) return undefined;
  return curveOf((share) => {
    const i = Math.round(share * (POINTS - 1));
    const [px, py] = [(along[i] ?? 0) - x0, (across[i] ?? 0) - y0];
    return [(px * dx + py * dy) / square, (py * dx - px * dy) / square];
  });
}

/** The value of a list stretched evenly over 0..1, linear between its numbers. */
export function valueAt(values: ArrayLike<number>, share: number): number {
  const at = Math.min(1, Math.max(0, share)) * (values.length - 1);
  const i = Math.min(values.length - 2, Math.floor(at));
  const [a, b] = [values[i] ?? 0, values[i + 1] ?? 0];
  return a + (at - i) * (b - a);
}

/** Share of the line covered after a share of the time; both 0..1. */
export type Easing = (share: number) => number;

const EASINGS: readonly ((random: Random) => Easing)[] = [
  () => minimumJerk,
  (random) => {
    const [start, end] = [evenly(random, 1, 4), evenly(random, 1, 4)];
    return (s) => s ** start / (s ** start + (1 - s) ** end);
  },
  (random) => {
    const power = evenly(random, 1.2, 5);
    return (s) => 1 - (1 - s) ** power;
  },
  (random) => {
    const [sigma, mu] = [evenly(random, 0.2, 0.7), evenly(random, -2, -0.5)];
    const covered: Easing = (s) => 1 / (1 + Math.exp((-1.702 * (Math.log(s + 1e-4) - mu)) / sigma));
    return (s) => (covered(s) - covered(0)) / (covered(1) - covered(0));
  },
  (random) => {
    const steep = evenly(random, 4, 14);
    const covered: Easing = (s) => 1 / (1 + Math.exp(-steep * (s - 0.5)));
    return (s) => (covered(s) - covered(0)) / (covered(1) - covered(0));
  },
  () => (s) => s,
];

/** One of the ways in which programs speed up and slow down. */
export const drawEasing = (random: Random): Easing =>
  (EASINGS[wholly(random, 0, EASINGS.length - 1)] ?? EASINGS[0])?.(random) ?? minimumJerk;

/**
 * Sines over 0..1 whose amplitude falls with their frequency to the power `fall`; 0 at both ends.
 */
export function drawSines(random: Random, amplitude: number, fall: number): Easing {
  const terms = Array.from({ length: 24 }, (_, k) => normally(random, amplitude) / (k + 1) ** fall);
  return (s) => terms.reduce((sum, term, k) => sum + term * Math.sin(Math.PI * (k + 1) * s), 0);
}
