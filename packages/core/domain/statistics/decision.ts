import type {
  DecisionFilter,
  DecisionLabel,
  RefusalData,
  ScoredRequestData,
} from "@stile/protocol/dashboard-statistics";

/**
 * One scored visit with its reasons, for the account only (D9, submission: browsers never see
 * them). No address, no raw signals.
 */
export type Decision = ScoredRequestData & { readonly siteKey: string };

/**
 * A browser's request that was refused before scoring. The owner can find it by the id the visitor
 * saw. No address.
 */
export type DoorRefusal = RefusalData & { readonly siteKey: string };

/** An entry of the decision log. */
export type LogEntry = Decision | DoorRefusal;

/** Whether the entry is a scored visit rather than a refusal. */
export function isDecision(entry: LogEntry): entry is Decision {
  return entry.outcome !== "refused";
}

/** The filter under which an entry is listed. */
export function filterOf(entry: LogEntry): DecisionFilter {
  return isDecision(entry) ? entry.recommendation : "refused";
}

/** A label that a member gives to a decision afterwards. */
export type Labelled = {
  readonly siteKey: string;
  readonly decisionId: string;
  readonly label: DecisionLabel | null;
};

/** How many days decisions are kept, and how many per site at most (the newest). */
export const DECISION_DAYS = 30;
/** See DECISION_DAYS. */
export const MAX_DECISIONS_PER_SITE = 20_000;
/**
 * Refusals are kept as long but limited separately, so that a flood of them pushes no decision out.
 */
export const MAX_REFUSALS_PER_SITE = 5_000;
/**
 * Entries of a site that are counted together, and how many are kept: no flood of visits pushes out
 * labelled entries.
 */
export const KEPT_ENTRIES = [
  { isRefusal: false, isLabelled: false, max: MAX_DECISIONS_PER_SITE },
  { isRefusal: false, isLabelled: true, max: MAX_DECISIONS_PER_SITE },
  { isRefusal: true, isLabelled: false, max: MAX_REFUSALS_PER_SITE },
] as const;
/**
 * How many of a range's newest refusals are read for their hosts: the page that shows them asks
 * often.
 */
export const REFUSALS_READ_FOR_HOSTS = 1_000;

/** Number of random bytes that distinguish decisions of one moment. */
export const DECISION_ID_BYTES = 4;

/**
 * Time-ordered id of a decision: 13 hexadecimal digits for the moment, then 8 random ones to
 * distinguish decisions.
 */
export function toDecisionId(atMs: number, randomBytes: Uint8Array): string {
  let id = firstIdOf(atMs);
  for (const byte of randomBytes) id += byte.toString(16).padStart(2, "0");
  return id;
}

/** The lowest id that a decision of that moment or later can have. */
export function firstIdOf(atMs: number): string {
  return Math.max(0, Math.floor(atMs)).toString(16).padStart(13, "0");
}
