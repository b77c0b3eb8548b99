import { correlation, log1p, ratio } from "./statistics.ts";
import type { Steps } from "./steps.ts";

/** Names of what `gapFeatures` gives, in its order. */
export const GAP_NAMES = ["gap_speed", "gap_count", "gap_time", "speed_memory_2", "speed_memory_4"] as const;

/**
 * What the pointer does while no samples come. A device sends nothing because nothing moved; a program that borrows a person's
 * timing moves on. Then how speed persists over two and four steps.
 */
export function gapFeatures({ gaps, speeds, duration }: Steps): number[] {
  const n = gaps.length;
  const median = Float64Array.from(gaps).sort()[n >> 1] ?? 1;
  const logSpeeds = speeds.map((speed) => Math.log(0.01 + speed));
  let [count, inGap, long] = [0, 0, 0];
  for (let i = 0; i < n; i++) {
    const gap = gaps[i] ?? 0;
    if (gap > 2.5 * median) long += gap;
    if (gap <= 1.6 * median + 4) continue;
    const here = logSpeeds[i] ?? 0;
    count++;
    inGap += here - ((logSpeeds[i - 1] ?? here) + (logSpeeds[i + 1] ?? here)) / 2;
  }
  const memory = (steps: number): number => correlation(logSpeeds, logSpeeds, steps);
  return [ratio(inGap, count), log1p(count), long / duration, memory(2), memory(4)];
}
