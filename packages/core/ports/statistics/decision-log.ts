import type { DecisionFilter, RefusedHost } from "@stile/protocol/dashboard-statistics";
import type { AuditEntry } from "../../domain/account/audit.ts";
import type { Labelled, LogEntry } from "../../domain/statistics/decision.ts";
import type { Span } from "../../domain/statistics/periods.ts";

/** Which entries to list, newest first. */
export type DecisionQuery = {
  readonly siteKey: string;
  readonly limit: number;
  /** Only entries older than this one, for the next page. */
  readonly beforeId?: string | undefined;
  readonly show?: DecisionFilter | undefined;
  /** Only entries of this request, whose id a blocked or refused visitor quotes. */
  readonly requestId?: string | undefined;
};

/** The site and time whose refused hosts are listed, and how many at most. */
export type RefusedHostQuery = Span & { readonly siteKey: string; readonly limit: number };

/** The latest decisions of each site, and its refusals. Ids grow with time. */
export interface DecisionLog {
  /**
   * Keeps an entry in memory; it is written within a second. The number is bounded: in a flood the
   * excess is dropped here, but statistics count it all. Refusals have separate bounds.
   */
  append(entry: LogEntry): void;
  /** Writes the entries that `append` holds in memory. */
  flush(): Promise<void>;
  list(query: DecisionQuery): Promise<readonly LogEntry[]>;
  /**
   * Hosts of `domain_mismatch` among the newest REFUSALS_READ_FOR_HOSTS of that time, the most
   * frequent first.
   */
  listRefusedHosts(query: RefusedHostQuery): Promise<readonly RefusedHost[]>;
  /**
   * Writes the label and the audit entry, which gets the change added; neither if the decision
   * already has this label. False if the site has no such decision (any more). A refusal takes no
   * label.
   */
  setLabel(labelled: Labelled, entry?: AuditEntry): Promise<boolean>;
  /**
   * Removes decisions and refusals older than DECISION_DAYS or beyond KEPT_ENTRIES, in small steps.
   */
  prune(nowMs: number): Promise<number>;
}
