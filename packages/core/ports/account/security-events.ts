import type { SecurityEvent } from "@stile/protocol/dashboard-events";
import type { AuditEntry } from "../../domain/account/audit.ts";

/** How often an event has happened since the process started, and when last. */
export type SecurityEventCount = {
  readonly event: SecurityEvent;
  readonly count: number;
  readonly lastAtMs: number;
};

/**
 * Records refusals that an operator may want to investigate. Callers do not wait for it, and it
 * never throws.
 */
export interface SecurityEvents {
  /**
   * Counts one event. An entry ties it to an account, whose audit log gets it. In a flood (the same
   * event by the same actor within its period) the log gets the first event, and later a single
   * line with the number of the others.
   */
  record(event: SecurityEvent, entry?: AuditEntry): void;
  /** All events since the process started. */
  counts(): readonly SecurityEventCount[];
}
