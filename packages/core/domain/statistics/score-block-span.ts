import type { Span } from "./periods.ts";

/**
 * Length of a block, ms: 32 days. Blocks begin at multiples of it, so each is made of whole days
 * (UTC).
 */
const BLOCK_MS = 32 * 86_400_000;

/** Start of the block that a day lies in. */
export function startOfBlock(dayStartMs: number): number {
  return Math.floor(dayStartMs / BLOCK_MS) * BLOCK_MS;
}

/**
 * Where the whole blocks of a span begin and end. The site's days begin at `firstDayMs` (undefined:
 * it has none).
 */
export function blocksWithin({ fromMs, toMs }: Span, firstDayMs: number | undefined) {
  // The oldest days are removed first: a block that begins after the oldest day still has all of
  // its days.
  const earliestMs = Math.max(fromMs, firstDayMs ?? toMs);
  const firstBlockMs = Math.min(Math.ceil(earliestMs / BLOCK_MS) * BLOCK_MS, toMs);
  const endBlockMs = Math.max(startOfBlock(toMs), firstBlockMs);
  return { firstBlockMs, endBlockMs };
}
