/**
 * How many tokens a network may earn of a site in an hour before its work gets harder (D10,
 * limits), by the site's own past.
 *
 * Example: the busiest networks of the last seven days had 4, 0, 52, 61, 48, 55 and 0 tokens of an
 * hour redeemed. The median is 48, so a network earns 3 * 48 = 144 tokens an hour at the base
 * price.
 */

/** How many days before today count as the past. */
export const PAST_DAYS = 7;
/**
 * The tokens that a network may earn without extra work however quiet the site is: 30, and 30 of
 * 600 if an operator raised the maximum.
 */
const LEAST_FREE = 30;
const LEAST_PART = 1 / 20;
/** How much more than the usual busiest network is free. */
const TIMES_USUAL = 3;

/**
 * The busiest network of a day that was not counted: the service did not know this rule yet, or
 * could not see networks.
 */
export const NOT_COUNTED: number = Number.POSITIVE_INFINITY;

/**
 * The distinct numbers of redeemed tokens an hour: each is a fifth more than the one before. The
 * first says that the day was counted.
 */
const STEPS: readonly number[] = [
  1,
  ...Array.from({ length: 43 }, (_, at) => Math.floor(10 * 1.2 ** at)),
];

/** The largest step that `redeemed` reaches, and the next one; 0 is below the first. */
export function stepOf(redeemed: number): { readonly step: number; readonly next: number } {
  const above = STEPS.findIndex((step) => step > redeemed);
  if (above < 0) return { step: STEPS.at(-1) ?? 0, next: Number.POSITIVE_INFINITY };
  return { step: STEPS[above - 1] ?? 0, next: STEPS[above] ?? 0 };
}

/** The median of the busiest networks of PAST_DAYS days. */
export function usualOf(busiest: readonly number[]): number {
  return busiest.toSorted((one, other) => one - other)[Math.floor(busiest.length / 2)] ?? 0;
}

/**
 * The free part of an hour: three times the usual, at least 30 and a twentieth of `most`, and at
 * most `most`, which is 600 by default. Without a known past it is `most`.
 */
export function freeEarnings(most: number, usual: number | undefined): number {
  return Math.min(
    most,
    Math.max(LEAST_FREE, LEAST_PART * most, TIMES_USUAL * (usual ?? NOT_COUNTED)),
  );
}
