import type { DecisionData, DecisionLabel } from "@stile/protocol/dashboard-api";

/** One judgement with its reasons, for the account's eyes (D9 keeps them from the browser). No address, no raw signals. */
export type Decision = DecisionData & { readonly siteKey: string };

/** What is changed of a decision later. */
export type Labelled = { readonly siteKey: string; readonly decisionId: string; readonly label: DecisionLabel | null };

/** Days a decision is kept, and how many of a site at most: the newest. */
export const DECISION_DAYS = 30;
/** See DECISION_DAYS. */
export const MAX_DECISIONS_PER_SITE = 20_000;
