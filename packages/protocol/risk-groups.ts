/** Groups of evidence. What the flags of a group add to the score is capped per group. */
export const RISK_GROUPS = ["environment", "input", "trajectory", "network", "history"] as const;
/** One of the groups of evidence. */
export type RiskGroup = (typeof RISK_GROUPS)[number];
