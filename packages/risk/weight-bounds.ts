import type { RiskFlag } from "@stile/protocol/risk-flags";
import { FLAG_ROWS } from "./flag-rows.ts";
import { FLAG_WEIGHTS, logOdds, PRIOR_LOG_ODDS } from "./weights.ts";

/** Least weight of a flag that counts: a flag with weight 0 would no longer be reported. */
const LEAST = 0.1;
/** Keeps a weight clearly below the score that it must not reach alone. */
const MARGIN = 0.05;

/** Log-odds, in hundredths, that lead from the prior to just below a score. */
const below = (score: number): number =>
  Math.floor(100 * (logOdds(score) - PRIOR_LOG_ODDS - MARGIN)) / 100;

/**
 * Flags whose weight an operator may fit to their own visitors. Excluded are those with a score of
 * their own by contract (D7, score request; D9, submission), those that are shadow flags for some
 * visits, and those that may be partly present, since their model calibrates their size.
 */
export const FITTED_FLAGS: readonly RiskFlag[] = FLAG_ROWS.filter(
  (row) => row.floor === undefined && row.isShadowFor === undefined && !("grade" in row),
).map(({ name }) => name);

/**
 * The range in which the weight of a fitted flag may move. Alone, a flag that asks nobody for a
 * click never comes to ask for one, and one that blocks nobody never comes to block.
 */
export function weightBounds(flag: RiskFlag): { readonly least: number; readonly most: number } {
  const today = FLAG_WEIGHTS[flag];
  const ceilings = [below(0.3), below(0.6), 6];
  const most = ceilings.find((ceiling) => today <= ceiling) ?? today;
  return { least: Math.min(LEAST, today), most };
}
