import type { DecisionFilter, DecisionLabel, JudgementData, RefusalData } from "@stile/protocol/dashboard-statistics";

/** One judgement with its reasons, for the account's eyes (D9 keeps them from the browser). No address, no raw signals. */
export type Decision = JudgementData & { readonly siteKey: string };

/** A browser's request that a site refused at the door, so that its owner finds the id a visitor was shown. No address. */
export type DoorRefusal = RefusalData & { readonly siteKey: string };

/** What the log of decisions keeps. */
export type LogEntry = Decision | DoorRefusal;

/** Tells a judgement from a refusal. */
export function isDecision(entry: LogEntry): entry is Decision {
  return entry.outcome !== "refused";
}

/** By which filter an entry is found. */
export function filterOf(entry: LogEntry): DecisionFilter {
  return isDecision(entry) ? entry.recommendation : "refused";
}

/** What is changed of a decision later. */
export type Labelled = { readonly siteKey: string; readonly decisionId: string; readonly label: DecisionLabel | null };

/** Days a decision is kept, and how many of a site at most: the newest. */
export const DECISION_DAYS = 30;
/** See DECISION_DAYS. */
export const MAX_DECISIONS_PER_SITE = 20_000;
/** Refusals at the door are kept as long, and counted apart: whoever floods the door pushes no judgement out. */
export const MAX_REFUSALS_PER_SITE = 5_000;
/** Of a time, the newest refusals from which hosts are read: a page asks for them again and again. */
export const REFUSALS_READ_FOR_HOSTS = 1_000;

/** Time-ordered id of a decision: 13 hexadecimal digits of its moment, then 8 that tell it from its neighbours. */
export function toDecisionId(atMs: number, fourRandomBytes: Uint8Array): string {
  let id = firstIdOf(atMs);
  for (const byte of fourRandomBytes) id += byte.toString(16).padStart(2, "0");
  return id;
}

/** No decision of that moment or later has a smaller id. */
export function firstIdOf(atMs: number): string {
  return Math.max(0, Math.floor(atMs)).toString(16).padStart(13, "0");
}
