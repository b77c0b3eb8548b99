import { type Course, GRID } from "./shape.ts";

type Band = {
  readonly from: number;
  readonly to: number;
  readonly inLines: boolean;
  readonly inPx: boolean;
};

/**
 * Bands of the cosine transform, by half waves over the path's time, and the units in which each is
 * reported.
 */
const ALONG: readonly Band[] = [
  { from: 3, to: 4, inLines: true, inPx: false },
  { from: 9, to: 16, inLines: true, inPx: false },
  { from: 17, to: 31, inLines: true, inPx: true },
];
const ACROSS: readonly Band[] = [
  { from: 3, to: 4, inLines: true, inPx: false },
  { from: 9, to: 16, inLines: true, inPx: true },
  { from: 17, to: 31, inLines: false, inPx: true },
];
const FLOOR_PX = 0.05;
const FLOOR = 1e-5;

const namesOf = (side: string, bands: readonly Band[]): string[] =>
  bands.flatMap(({ from, inLines, inPx }) => [
    ...(inLines ? [`wave_${side}_${from}`] : []),
    ...(inPx ? [`wave_${side}_${from}_px`] : []),
  ]);

/** Names of the features of `waveFeatures`, in its order. */
export const WAVE_NAMES = [...namesOf("along", ALONG), ...namesOf("across", ACROSS)];

/** For all frequencies, and a few more that nobody reads: they are computed in groups of four. */
const COSINES = Float64Array.from({ length: (GRID + 3) * GRID }, (_, at) => {
  const [k, i] = [Math.floor(at / GRID), at % GRID];
  return Math.sqrt(2 / GRID) * Math.cos((Math.PI * k * (i + 0.5)) / GRID);
});

/**
 * Energy of the frequencies from first to last, four at a time: a single sum would wait for itself
 * at every step.
 */
function energyOf(values: Float64Array, first: number, last: number): number {
  let energy = 0;
  for (let k = first; k <= last; k += 4) {
    const from = k * GRID;
    let [a, b, c, d] = [0, 0, 0, 0];
    for (let i = 0; i < GRID; i++) {
      const value = values[i] as number;
      a += value * (COSINES[from + i] as number);
      b += value * (COSINES[from + GRID + i] as number);
      c += value * (COSINES[from + 2 * GRID + i] as number);
      d += value * (COSINES[from + 3 * GRID + i] as number);
    }
    energy += a * a;
    if (k + 1 <= last) energy += b * b;
    if (k + 2 <= last) energy += c * c;
    if (k + 3 <= last) energy += d * d;
  }
  return energy;
}

function pushBands(
  into: number[],
  values: Float64Array,
  bands: readonly Band[],
  chord: number,
): void {
  for (const { from, to, inLines, inPx } of bands) {
    const size = Math.sqrt(energyOf(values, from, to) / GRID);
    if (inLines) into.push(Math.log(FLOOR + size));
    if (inPx) into.push(Math.log(Math.max(FLOOR_PX, size * chord)));
  }
}

/** The position along the line, minus that of an even movement along it. */
const along = new Float64Array(GRID);

/**
 * How strongly the path swings, from slow to fast, along its line (minus an even movement) and
 * across: logs, lines and px.
 */
export function waveFeatures({ u, v, chord }: Course): number[] {
  const features: number[] = [];
  for (let i = 0; i < GRID; i++) along[i] = (u[i] as number) - i / (GRID - 1);
  pushBands(features, along, ALONG, chord);
  pushBands(features, v, ACROSS, chord);
  return features;
}
