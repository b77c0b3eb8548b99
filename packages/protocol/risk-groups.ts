/** Groups of evidence. The sum that the flags of a group add to the score is capped. */
export const RISK_GROUPS = ["environment", "input", "trajectory", "network", "history"] as const;
/** One of the groups of evidence. */
export type RiskGroup = (typeof RISK_GROUPS)[number];
