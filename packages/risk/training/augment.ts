import type { Segment } from "../trajectory/segment.ts";

/** Time between samples of common mice and screens, ms: 120, 90, 75, 60 and 50 Hz. */
const INTERVALS_MS = [8.33, 11, 13.3, 16.67, 20] as const;
/** A longer gap is a rest, which stays one, ms. */
const REST_MS = 40;
const JITTER_MS = 1.5;

type Sample = Segment[number];

function scaled([ms, x, y, kind]: Sample, scale: number): Sample {
  return [ms, Math.round(x * scale), Math.round(y * scale), kind];
}

/** Samples the moves anew, every `interval` ms, in whole pixels; a device reports only when something moved. */
function resample(moves: Segment, scale: number, interval: number, random: () => number): Sample[] {
  const first = moves[0] as Sample;
  const last = moves.at(-1) as Sample;
  const jitter = random() < 0.5 ? 0 : JITTER_MS;
  const samples: Sample[] = [scaled(first, scale)];
  let at = 0;
  for (let ms = first[0] + random() * interval; ms < last[0]; ms += interval) {
    while (at < moves.length - 2 && (moves[at + 1]?.[0] ?? 0) < ms) at++;
    const a = moves[at] as Sample;
    const b = moves[at + 1] as Sample;
    const gap = Math.max(1e-6, b[0] - a[0]);
    const share = gap > REST_MS ? 0 : Math.min(1, Math.max(0, (ms - a[0]) / gap));
    const x = Math.round((a[1] + share * (b[1] - a[1])) * scale);
    const y = Math.round((a[2] + share * (b[2] - a[2])) * scale);
    const before = samples.at(-1);
    if (x !== before?.[1] || y !== before[2]) samples.push([ms + (random() - 0.5) * 2 * jitter, x, y, "m"]);
  }
  const [, x, y] = scaled(last, scale);
  samples.push([Math.max(last[0], samples.at(-1)?.[0] ?? 0), x, y, "m"]);
  return samples;
}

/**
 * The same movement as another device would have reported it: another resolution (half to twice), often another rate of
 * samples and clock. Done to people and programs alike, so that the model can't learn the recorder.
 */
export function augment(segment: Segment, random: () => number): Segment {
  const pressAt = segment.findIndex(([, , , kind]) => kind === "d");
  if (pressAt < 2) return segment;
  const scale = 2 ** (2 * random() - 1);
  const interval = INTERVALS_MS[Math.floor(random() * INTERVALS_MS.length)] ?? 16.67;
  const moves = segment.slice(0, pressAt);
  const samples = random() < 0.35 ? moves.map((move) => scaled(move, scale)) : resample(moves, scale, interval, random);
  return [...samples, ...segment.slice(pressAt).map((sample) => scaled(sample, scale))];
}
