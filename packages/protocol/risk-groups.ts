/** Groups of evidence; contributions to the score are capped per group. */
export const RISK_GROUPS = ["environment", "input", "trajectory", "network", "history"] as const;
/** One of the groups of evidence. */
export type RiskGroup = (typeof RISK_GROUPS)[number];
