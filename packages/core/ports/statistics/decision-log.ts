import type { DecisionFilter, RefusedHost } from "@stile/protocol/dashboard-statistics";
import type { AuditEntry } from "../../domain/account/audit.ts";
import type { Labelled, LogEntry } from "../../domain/statistics/decision.ts";
import type { Span } from "../../domain/statistics/periods.ts";

/** Which entries are asked for, the newest first. */
export type DecisionQuery = {
  readonly siteKey: string;
  readonly limit: number;
  /** Only those older than this one, for the next page. */
  readonly beforeId?: string | undefined;
  readonly show?: DecisionFilter | undefined;
  /** Only those of this request: what a blocked or refused visitor quotes. */
  readonly requestId?: string | undefined;
};

/** Of which site and time the refused hosts are asked for, and how many at most. */
export type RefusedHostQuery = Span & { readonly siteKey: string; readonly limit: number };

/** The last decisions of each site, and what it refused at the door. Ids grow with time. */
export interface DecisionLog {
  /**
   * Keeps an entry: in memory, written within a second, in bounded number; under a flood the ones too many are left out
   * here (statistics count them all). Refusals have bounds of their own.
   */
  append(entry: LogEntry): void;
  /** Writes what `append` holds back. */
  flush(): Promise<void>;
  list(query: DecisionQuery): Promise<readonly LogEntry[]>;
  /** Hosts of `domain_mismatch` among the newest REFUSALS_READ_FOR_HOSTS of that time, those of the most entries first. */
  listRefusedHosts(query: RefusedHostQuery): Promise<readonly RefusedHost[]>;
  /**
   * Writes the label, and with it the audit entry, to which the change is added; neither where it is the decision's label already. False
   * if the site has no such decision (any more); a refusal takes no label.
   */
  setLabel(labelled: Labelled, entry?: AuditEntry): Promise<boolean>;
  /**
   * Removes what is older than DECISION_DAYS, decisions beyond MAX_DECISIONS_PER_SITE and refusals beyond
   * MAX_REFUSALS_PER_SITE, in small steps.
   */
  prune(nowMs: number): Promise<number>;
}
