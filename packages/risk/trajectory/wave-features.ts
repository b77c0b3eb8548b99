import { type Course, GRID } from "./shape.ts";

type Band = { readonly from: number; readonly to: number; readonly inLines: boolean; readonly inPx: boolean };

/** Frequencies of the cosine transform that are summed up, in half waves in the time of the path, and how they are told. */
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

/** Names of what `waveFeatures` gives, in its order. */
export const WAVE_NAMES = [...namesOf("along", ALONG), ...namesOf("across", ACROSS)];

const COSINES = Float64Array.from({ length: GRID * GRID }, (_, at) => {
  const [k, i] = [Math.floor(at / GRID), at % GRID];
  return Math.sqrt(2 / GRID) * Math.cos((Math.PI * k * (i + 0.5)) / GRID);
});

function pushBands(into: number[], values: Float64Array, bands: readonly Band[], chord: number): void {
  for (const { from, to, inLines, inPx } of bands) {
    let energy = 0;
    for (let k = from; k <= to; k++) {
      let sum = 0;
      for (let i = 0; i < GRID; i++) sum += (values[i] ?? 0) * (COSINES[k * GRID + i] ?? 0);
      energy += sum * sum;
    }
    const size = Math.sqrt(energy / GRID);
    if (inLines) into.push(Math.log(FLOOR + size));
    if (inPx) into.push(Math.log(Math.max(FLOOR_PX, size * chord)));
  }
}

/** How strongly the path swings, slow to quick, along its line (less an even walk along it) and across: logs, in lines and in px. */
export function waveFeatures({ u, v, chord }: Course): number[] {
  const features: number[] = [];
  const along = u.map((value, i) => value - i / (GRID - 1));
  pushBands(features, along, ALONG, chord);
  pushBands(features, v, ACROSS, chord);
  return features;
}
