import { RISK_FLAGS, type RiskFlag } from "@stile/protocol/risk-flags";
import { RISK_GROUPS, type RiskGroup } from "@stile/protocol/risk-groups";
import { GROUP_CAPS, logOdds, PRIOR_LOG_ODDS, SCORE_FLOORS } from "./weights.ts";

/** One term of a score: a flag and the log-odds it adds, before its group's cap. Never negative. */
export type Contribution = { readonly flag: RiskFlag; readonly weight: number };

/**
 * Groups that assess the browser at the time of solving, which a genuine token's score already
 * includes.
 */
const SOLVE_GROUPS: readonly RiskGroup[] = ["environment", "input", "trajectory"];

/**
 * Keeps a token's score away from 0 and 1, whose log-odds are not finite, without changing two
 * decimals.
 */
const MARGIN = 0.001;

const squash = (logit: number): number => 1 / (1 + Math.exp(-logit));

function cappedSum(contributions: readonly Contribution[], group: RiskGroup): number {
  let sum = 0;
  for (const { flag, weight } of contributions) if (RISK_FLAGS[flag].group === group) sum += weight;
  return Math.min(sum, GROUP_CAPS[group]);
}

/**
 * Turns contributions into a score with two decimals, from 0 (safe) to 1 (bot) (D6, scores): the
 * prior plus the sum of each group up to its cap, converted to a probability, and raised to the
 * highest floor. A genuine token's score (0..1) replaces prior and browser groups if it is worse.
 * More or heavier contributions never lower the score.
 */
export function toScore(contributions: readonly Contribution[], tokenScore?: number): number {
  let logit = PRIOR_LOG_ODDS;
  for (const group of SOLVE_GROUPS) logit += cappedSum(contributions, group);
  if (tokenScore !== undefined)
    logit = Math.max(logit, logOdds(Math.min(Math.max(tokenScore, MARGIN), 1 - MARGIN)));
  for (const group of RISK_GROUPS)
    if (!SOLVE_GROUPS.includes(group)) logit += cappedSum(contributions, group);
  let score = squash(logit);
  for (const { flag, weight } of contributions)
    if (weight > 0) score = Math.max(score, SCORE_FLOORS[flag] ?? 0);
  return Math.round(score * 100) / 100;
}
