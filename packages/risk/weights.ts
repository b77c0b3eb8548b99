import type { RiskFlag } from "@stile/protocol/risk-flags";
import type { RiskGroup } from "@stile/protocol/risk-groups";
import { FLAG_ROWS } from "./flag-rows.ts";

/** Natural logarithm of the odds of a probability strictly between 0 and 1. */
export const logOdds = (probability: number): number => Math.log(probability / (1 - probability));

/**
 * Version of weights, caps and floors; it rises whenever one of them changes, so that old scores
 * stay explainable.
 */
export const WEIGHTS_VERSION = 12;

/** Log-odds of a visitor with no flags: a score of 0.05. */
export const PRIOR_LOG_ODDS = logOdds(0.05);

/** The log-odds that each flag adds. */
export type FlagWeights = Readonly<Record<RiskFlag, number>>;

/**
 * The weights of the rows (`FlagRow`), by name. Nothing that a client submits makes it less
 * suspect, not even a valid proof of work. Not yet fitted to data.
 */
export const FLAG_WEIGHTS = Object.fromEntries(
  FLAG_ROWS.map(({ name, weight }) => [name, weight]),
) as FlagWeights;

/**
 * The most log-odds that the flags of one group add together, since flags of a group tend to have
 * one cause. Trajectory, network and history alone stay below 0.60: none of them blocks without
 * another group.
 */
export const GROUP_CAPS = {
  environment: 6,
  input: 4,
  trajectory: 3,
  network: 2.5,
  history: 3,
} as const satisfies Record<RiskGroup, number>;

/**
 * The lowest score with which a flag may be published, whatever the sum is, for flags that have one
 * (`FlagRow`).
 */
export const SCORE_FLOORS = Object.fromEntries(
  FLAG_ROWS.flatMap(({ name, floor }) => (floor === undefined ? [] : [[name, floor]])),
) as Readonly<Partial<Record<RiskFlag, number>>>;
