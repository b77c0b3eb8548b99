import { correlation, createScratch, log1p, ratio, selectAt } from "./statistics.ts";
import type { Steps } from "./steps.ts";

/** Names of the features of `gapFeatures`, in its order. */
export const GAP_NAMES = [
  "gap_speed",
  "gap_count",
  "gap_time",
  "speed_memory_2",
  "speed_memory_4",
] as const;

const sortedRoom = createScratch();
const logRoom = createScratch();

/** The median gap. */
function medianGap({ gaps, count }: Steps): number {
  const values = sortedRoom(count);
  for (let i = 0; i < count; i++) values[i] = gaps[i] as number;
  return selectAt(values, count, count >> 1);
}

/**
 * The pointer's movement while no samples come. A device sends nothing because nothing moved; a
 * program that borrows a person's timing moves on. Also how speed persists over two and four steps.
 */
export function gapFeatures(steps: Steps): number[] {
  const { gaps, speeds, count: n, duration } = steps;
  const median = medianGap(steps);
  const logSpeeds = logRoom(n);
  for (let i = 0; i < n; i++) logSpeeds[i] = Math.log(0.01 + (speeds[i] as number));
  let [count, inGap, long] = [0, 0, 0];
  for (let i = 0; i < n; i++) {
    const gap = gaps[i] ?? 0;
    if (gap > 2.5 * median) long += gap;
    if (gap <= 1.6 * median + 4) continue;
    const here = logSpeeds[i] as number;
    const before = i > 0 ? (logSpeeds[i - 1] as number) : here;
    const after = i + 1 < n ? (logSpeeds[i + 1] as number) : here;
    count++;
    inGap += here - (before + after) / 2;
  }
  const memory = (lag: number): number => correlation(logSpeeds, logSpeeds, lag, n);
  return [ratio(inGap, count), log1p(count), long / duration, memory(2), memory(4)];
}
