import type { RiskFlag, RiskGroup } from "@stile/protocol/risk-flags";

/** Natural logarithm of the odds of a probability strictly between 0 and 1. */
export const logOdds = (probability: number): number => Math.log(probability / (1 - probability));

/** Version of this table; it rises whenever a number in it changes, so that old scores stay explainable. */
export const WEIGHTS_VERSION = 4;

/** Log-odds of a visitor about whom nothing speaks: a score of 0.05. */
export const PRIOR_LOG_ODDS = logOdds(0.05);

/** What each flag adds to the log-odds. */
export type FlagWeights = Readonly<Record<RiskFlag, number>>;

/**
 * What each flag adds to the log-odds, never negative: nothing a client hands in makes it less suspect, a valid proof
 * of work included. From the prior, alone: 1.4 leads to 0.18, 2.1 to 0.30, 2.6 to 0.41, 3.2 to 0.56, 4.5 to 0.83.
 * Judged from the measurements on real automation tools and from who else could raise the flag; not yet fitted to data.
 */
export const FLAG_WEIGHTS = {
  automation_webdriver: 4.5,
  ua_headless: 4.5,
  ua_declared_bot: 4.5,
  ua_missing: 2.6,
  driver_globals: 4.5,
  ua_ch_mismatch: 2.6,
  header_inconsistent: 1.6,
  injected_stack: 2.6,
  native_tampered: 3.5,
  iframe_mismatch: 2.6,
  worker_mismatch: 2.6,
  environment_mismatch: 2.3,
  headless_media: 1.4,
  viewport_exceeds_screen: 0.8,
  emulated_screen: 2.8,
  chrome_surface_missing: 1.2,
  permission_mismatch: 1.2,
  software_gl: 0.15,
  signals_withheld: 2.1,
  pow_fallback: 2.1,
  solve_time_implausible: 2.5,
  synthetic_click: 2.6,
  click_unplaced: 0.3,
  pointer_pressure_invalid: 3.2,
  fractional_pointer: 3.5,
  scripted_click: 1.7,
  no_approach: 0.7,
  press_too_short: 0.6,
  move_press_coincident: 0.3,
  exact_centre_click: 0.3,
  press_dwell_regular: 0.8,
  scripted_typing: 1,
  movement_mismatch: 1,
  event_time_phase: 0,
  trajectory_replayed: 3.6,
  behaviour_repeated: 3.6,
  trajectory_bot: 3,
  velocity_ip: 0.8,
  ip_datacenter: 0.6,
  ip_tor: 0.6,
  token_farm: 0.6,
  ip_changed: 1,
  ip_hidden: 1,
  ua_changed: 1.5,
  velocity_site: 0.5,
  signals_replayed: 2.5,
  token_invalid: 6,
  low_evidence: 2.1,
} as const satisfies Record<RiskFlag, number>;

/** Flags on trial: detected and shown with a decision, never scored, and not told to customers' servers. */
export const SHADOW_FLAGS: readonly RiskFlag[] = ["event_time_phase"];

/**
 * Most log-odds that the flags of one group add together, since flags of a group tend to have one cause. Trajectory,
 * network and history alone stay below 0.60: none of them blocks without another group.
 */
export const GROUP_CAPS = {
  environment: 6,
  input: 4,
  trajectory: 3,
  network: 2.5,
  history: 3,
} as const satisfies Record<RiskGroup, number>;

/** Lowest score with which a flag may be published, whatever the sum says (D7, D9; proof of work, fallback). */
export const SCORE_FLOORS: Partial<Record<RiskFlag, number>> = {
  signals_withheld: 0.3,
  pow_fallback: 0.3,
  click_unplaced: 0.3,
  low_evidence: 0.3,
  token_invalid: 1,
};
