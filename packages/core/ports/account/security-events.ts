import type { SecurityEvent } from "@stile/protocol/dashboard-events";
import type { AuditEntry } from "../../domain/account/audit.ts";

/** How often something happened since the process began, and when it last did. */
export type SecurityEventCount = {
  readonly event: SecurityEvent;
  readonly count: number;
  readonly lastAtMs: number;
};

/** Where refusals are told that somebody may want to look into. Nobody waits for it, and it never throws. */
export interface SecurityEvents {
  /**
   * Tells of one event. Each is counted. With an entry it belongs to an account, whose audit log gets it; of a flood (the same
   * event by the same actor within its period) the log gets the first, and afterwards one line with the number of the others.
   */
  record(event: SecurityEvent, entry?: AuditEntry): void;
  /** All that happened since the process began. */
  counts(): readonly SecurityEventCount[];
}
