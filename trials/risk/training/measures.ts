import type { Scored } from "@stile/risk/training/area-under-curve";

const ascending = (a: number, b: number): number => a - b;

/** The score that at most `falsePositiveRate` of the people exceed. */
export function thresholdAt(scored: readonly Scored[], falsePositiveRate: number): number {
  const people = Float64Array.from(
    scored.flatMap(({ isBot, score }) => (isBot ? [] : [score])),
  ).sort();
  const at = Math.ceil(people.length * (1 - falsePositiveRate)) - 1;
  return people[Math.max(0, at)] ?? Number.POSITIVE_INFINITY;
}

/** Share of the programs above a score. */
export function shareOfBotsAbove(scored: readonly Scored[], threshold: number): number {
  const bots = scored.filter(({ isBot }) => isBot);
  return bots.filter(({ score }) => score > threshold).length / Math.max(1, bots.length);
}

/** The true-positive rate at a false-positive rate, both 0..1. */
export const truePositivesAt = (scored: readonly Scored[], falsePositiveRate: number): number =>
  shareOfBotsAbove(scored, thresholdAt(scored, falsePositiveRate));

const BINS = 10;

/**
 * Expected calibration error: how far predictions are from the outcomes; people and programs weigh
 * the same.
 */
export function calibrationError(scored: readonly Scored[]): number {
  const bots = scored.filter(({ isBot }) => isBot).length;
  const bins = Array.from({ length: BINS }, () => ({ weight: 0, predicted: 0, happened: 0 }));
  for (const { score, isBot } of scored) {
    const probability = 1 / (1 + Math.exp(-score));
    const bin = bins[Math.min(BINS - 1, Math.floor(probability * BINS))];
    if (bin === undefined) continue;
    const weight = 0.5 / (isBot ? bots : scored.length - bots);
    bin.weight += weight;
    bin.predicted += weight * probability;
    bin.happened += isBot ? weight : 0;
  }
  return bins.reduce((sum, { predicted, happened }) => sum + Math.abs(predicted - happened), 0);
}

/** The value that the share `rank` (0..1) of the values does not exceed. */
export function quantile(values: readonly number[], rank: number): number {
  const sorted = [...values].sort(ascending);
  return (
    sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(rank * sorted.length) - 1))] ??
    Number.NaN
  );
}
