import type { Path } from "./segment.ts";

/**
 * The limits of the paths that the model scores: the devices it was trained on, and movements that
 * approach something.
 */
export type Support = {
  /** Longest median gap between moves, ms; a path with rarer moves is a slow path. */
  readonly medianGapMs: number;
  /** Gaps above this are long, ms. */
  readonly longGapMs: number;
  /** Largest share of long gaps. */
  readonly longGapShare: number;
  /** Fewest samples of the prepared path. */
  readonly samples: number;
  /** The same three for slow paths. */
  readonly slowMedianGapMs: number;
  readonly slowLongGapMs: number;
  readonly slowSamples: number;
  /** Shortest straight line from start to end, px. */
  readonly linePx: number;
  /** Smallest ratio of the straight line to the distance covered. */
  readonly lineShare: number;
};

/** Names of the fields of a Support. */
export const SUPPORT_KEYS = [
  ...(["medianGapMs", "longGapMs", "longGapShare", "samples"] as const),
  ...(["slowMedianGapMs", "slowLongGapMs", "slowSamples", "linePx", "lineShare"] as const),
] as const;

/**
 * Why a path is not scored: rare moves; many holes; few samples; hardly any distance; a drawing or
 * a search.
 */
export const ABSTENTIONS = [
  "seldom_moves",
  "many_holes",
  "few_samples",
  "short_line",
  "winding",
] as const;

/** One of ABSTENTIONS. */
export type Abstention = (typeof ABSTENTIONS)[number];

function countUpTo(gapsMs: readonly number[], ms: number): number {
  let count = 0;
  for (const gap of gapsMs) if (gap <= ms) count++;
  return count;
}

/**
 * Why the model does not score a path; undefined if it does. Very slow links, short movements on
 * slow ones and drawings look like programs to a model of approaches recorded at 60 Hz. So paths
 * outside the support say nothing about who drew them.
 */
export function findAbstention(path: Path, support: Support): Abstention | undefined {
  const { x, y, gapsMs } = path;
  const count = gapsMs.length;
  const isSlow = 2 * countUpTo(gapsMs, support.medianGapMs) < count;
  if (isSlow && 2 * countUpTo(gapsMs, support.slowMedianGapMs) < count) return "seldom_moves";
  const longGapMs = isSlow ? support.slowLongGapMs : support.longGapMs;
  if (count - countUpTo(gapsMs, longGapMs) > support.longGapShare * count) return "many_holes";
  if (path.t.length < (isSlow ? support.slowSamples : support.samples)) return "few_samples";
  let way = 0;
  for (let i = 1; i < x.length; i++)
    way += Math.hypot((x[i] ?? 0) - (x[i - 1] ?? 0), (y[i] ?? 0) - (y[i - 1] ?? 0));
  const line = Math.hypot((x.at(-1) ?? 0) - (x[0] ?? 0), (y.at(-1) ?? 0) - (y[0] ?? 0));
  if (line < support.linePx) return "short_line";
  return line < support.lineShare * way ? "winding" : undefined;
}
