import type {
  DecisionFilter,
  DecisionLabel,
  JudgementData,
  RefusalData,
} from "@stile/protocol/dashboard-statistics";

/**
 * One judgement with its reasons, for the account only (D9 hides them from browsers). No address,
 * no raw signals.
 */
export type Decision = JudgementData & { readonly siteKey: string };

/**
 * A browser's request that was refused at the door. The owner can find it by the id the visitor
 * saw. No address.
 */
export type DoorRefusal = RefusalData & { readonly siteKey: string };

/** An entry of the decision log. */
export type LogEntry = Decision | DoorRefusal;

/** Whether the entry is a judgement rather than a refusal at the door. */
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
 * Refusals at the door are kept as long but limited separately, so that a flood of them pushes no
 * judgement out.
 */
export const MAX_REFUSALS_PER_SITE = 5_000;
/**
 * Entries of a site that are counted together, and how many are kept: no flood of visits takes what
 * members labelled.
 */
export const KEPT_ENTRIES = [
  { isRefusal: false, isLabelled: false, max: MAX_DECISIONS_PER_SITE },
  { isRefusal: false, isLabelled: true, max: MAX_DECISIONS_PER_SITE },
  { isRefusal: true, isLabelled: false, max: MAX_REFUSALS_PER_SITE },
] as const;
/**
 * How many of a time's newest refusals are read for their hosts: the page that shows them asks
 * often.
 */
export const REFUSALS_READ_FOR_HOSTS = 1_000;

/** How many random bytes tell decisions of one moment apart. */
export const DECISION_ID_BYTES = 4;

/**
 * Time-ordered id of a decision: 13 hexadecimal digits for the moment, then 8 random ones to tell
 * decisions apart.
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
