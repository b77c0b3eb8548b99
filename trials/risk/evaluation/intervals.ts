import { createRandom } from "@stile/risk/seeded-random";
import type { HeldOut } from "../training/cross-validation.ts";
import { quantile } from "../training/measures.ts";

/** A figure, and the interval that holds it in nine of ten resamplings. */
export type Figure = {
  readonly value: number | null;
  readonly low: number | null;
  readonly high: number | null;
};

const DRAWINGS = 100;

/** Rounded to four decimals; null if there was nothing to measure, since JSON has no NaN. */
export const rounded = (value: number): number | null =>
  Number.isFinite(value) ? Number(value.toFixed(4)) : null;

/** All paths of one person belong together; each path of a program is separate. */
function unitsOf(scored: readonly HeldOut[]): { people: HeldOut[][]; bots: HeldOut[] } {
  const people = Map.groupBy(
    scored.filter(({ isBot }) => !isBot),
    ({ origin }) => origin.subject,
  );
  return { people: [...people.values()], bots: scored.filter(({ isBot }) => isBot) };
}

/**
 * A figure with a bootstrap interval: people are resampled as a whole, programs path by path (Efron
 * 1979). It shows the spread for other people and other paths of these programs, not for other
 * programs.
 */
export function withInterval(
  scored: readonly HeldOut[],
  measure: (some: readonly HeldOut[]) => number,
): Figure {
  const random = createRandom(1);
  const { people, bots } = unitsOf(scored);
  const draw = <T>(all: readonly T[]): T[] =>
    all.map(() => all[Math.floor(random() * all.length)] as T);
  const drawn = Array.from({ length: DRAWINGS }, () =>
    measure([...draw(people).flat(), ...draw(bots)]),
  );
  return {
    value: rounded(measure(scored)),
    low: rounded(quantile(drawn, 0.05)),
    high: rounded(quantile(drawn, 0.95)),
  };
}

/** "0.873 (0.861 to 0.885)", for tables. */
export const toText = ({ value, low, high }: Figure): string =>
  value === null
    ? "-"
    : `${value.toFixed(4)} (${low?.toFixed(3) ?? "-"} to ${high?.toFixed(3) ?? "-"})`;
