import type { AuditEntry } from "@stile/core/domain/account/audit";
import type { AuditLog } from "@stile/core/ports/account/audit-log";
import type { SecurityEventCount, SecurityEvents } from "@stile/core/ports/account/security-events";
import type { Clock } from "@stile/core/ports/clock";
import type { SecurityEvent } from "@stile/protocol/dashboard-events";
import type { Logger } from "../telemetry/log.ts";

/**
 * One kind of event by one actor is reported once in this many minutes. Limits count by quarters of
 * an hour.
 */
const LIMIT_MINUTES = 15;
const PERIOD_MINUTES: Readonly<Partial<Record<SecurityEvent, number>>> = {
  sign_in_limited: LIMIT_MINUTES,
  proof_limited: LIMIT_MINUTES,
  changes_limited: LIMIT_MINUTES,
};
const MINUTE_MS = 60_000;
/** The most actors followed at once. If there are more, the oldest is reported early. */
const MAX_RUNNING = 10_000;

/** Reports the first event (0), or that many further ones. */
type ReportEvents = (further: number) => void;
type EventPeriod = { readonly untilMs: number; further: number; readonly report: ReportEvents };

/**
 * Security events for the composition, which passes them to use cases and writes the held-back
 * events.
 */
export type BufferedSecurityEvents = SecurityEvents & {
  /** Writes the number of further events for every period that has ended. */
  flush(): Promise<void>;
  /** Writes all held-back events. */
  close(): Promise<void>;
};

/** Where security events are reported: the service's log and the audit log. */
export type SecurityEventParts = {
  readonly clock: Clock;
  readonly auditLog: AuditLog;
  readonly log: Logger;
};

/**
 * Counts security events and reports them. The service's log gets a line by kind once a minute,
 * which names nobody. If an event belongs to an account, the account's audit log gets it too. A
 * flood leads to two lines per period.
 */
export function createSecurityEvents({
  clock,
  auditLog,
  log,
}: SecurityEventParts): BufferedSecurityEvents {
  const totals = new Map<SecurityEvent, SecurityEventCount>();
  const running = new Map<string, EventPeriod>();
  const writes = new Set<Promise<void>>();

  const end = (key: string, { further, report }: EventPeriod): void => {
    running.delete(key);
    if (further > 0) report(further);
  };

  const reportOnce = (key: string, minutes: number, report: ReportEvents): void => {
    const nowMs = clock.nowMs();
    const held = running.get(key);
    if (held !== undefined && nowMs < held.untilMs) {
      held.further += 1;
      return;
    }
    if (held !== undefined) end(key, held);
    const oldest = running.size < MAX_RUNNING ? undefined : running.entries().next().value;
    if (oldest !== undefined) end(...oldest);
    running.set(key, { untilMs: nowMs + minutes * MINUTE_MS, further: 0, report });
    report(0);
  };

  const append = (entry: AuditEntry): void => {
    const write = auditLog
      .append(entry)
      .catch((error: unknown) =>
        log.error(
          { err: error, event: entry.action },
          "A security event could not be written to the audit log. Check the database.",
        ),
      )
      .finally(() => writes.delete(write));
    writes.add(write);
  };

  const flushUntil = async (endMs: number): Promise<void> => {
    for (const [key, held] of running) if (held.untilMs <= endMs) end(key, held);
    await Promise.all(writes);
  };

  return {
    record: (event, entry) => {
      const count = (totals.get(event)?.count ?? 0) + 1;
      totals.set(event, { event, count, lastAtMs: clock.nowMs() });
      reportOnce(event, 1, (further) =>
        log.warn(
          { event, count: further || 1 },
          "Security event: `event`. See the System page of the dashboard.",
        ),
      );
      if (entry === undefined) return;
      const minutes = PERIOD_MINUTES[event] ?? 1;
      const key = `${event} ${entry.accountId} ${entry.actor.userId ?? entry.subject}`;
      reportOnce(key, minutes, (further) =>
        append(further === 0 ? entry : asFurther(entry, further, clock.nowMs())),
      );
    },
    counts: () => [...totals.values()].sort((a, b) => b.lastAtMs - a.lastAtMs),
    flush: () => flushUntil(clock.nowMs()),
    close: () => flushUntil(Number.POSITIVE_INFINITY),
  };
}

/** The entry that reports the further events of a period. */
function asFurther(entry: AuditEntry, further: number, atMs: number): AuditEntry {
  const times = further === 1 ? "once more" : `${further} more times`;
  return { ...entry, atMs, subject: `${entry.subject} (${times} soon after)` };
}
