import { type AuditEntry, withChange } from "@stile/core/domain/account/audit";
import {
  DECISION_DAYS,
  filterOf,
  firstIdOf,
  isDecision,
  KEPT_ENTRIES,
  type LogEntry,
  REFUSALS_READ_FOR_HOSTS,
} from "@stile/core/domain/statistics/decision";
import type { DecisionLog } from "@stile/core/ports/statistics/decision-log";
import { createDecisionBuffer } from "@stile/stores/buffers/decision-buffer";

const DAY_MS = 86_400_000;

/** The index among KEPT_ENTRIES of the group that the entry counts with. */
const kindOf = (entry: LogEntry): number =>
  KEPT_ENTRIES.findIndex(({ isRefusal, isLabelled }) =>
    isDecision(entry) ? !isRefusal && isLabelled === (entry.label !== null) : isRefusal,
  );

/** The latest decisions in memory; `removeSite` drops those of a purged site. */
export type MemoryDecisionLog = DecisionLog & { readonly removeSite: (siteKey: string) => void };

function newestFirst(a: LogEntry, b: LogEntry): number {
  return a.decisionId > b.decisionId ? -1 : 1;
}

/**
 * The latest decisions of each site, in memory; nothing is kept for sites that `doesSiteExist`
 * denies.
 */
export function createMemoryDecisionLog(
  doesSiteExist: (siteKey: string) => boolean,
  writeAudit: (entry: AuditEntry | undefined) => void,
): MemoryDecisionLog {
  const buffer = createDecisionBuffer();
  const sites = new Map<string, Map<string, LogEntry>>();

  return {
    removeSite: (siteKey) => void sites.delete(siteKey),
    append: buffer.append,
    flush: async () => {
      for (const entry of buffer.take()) {
        const { siteKey, decisionId } = entry;
        if (!doesSiteExist(siteKey)) continue;
        const decisions = sites.get(siteKey) ?? new Map<string, LogEntry>();
        sites.set(siteKey, decisions);
        if (!decisions.has(decisionId)) decisions.set(decisionId, entry);
      }
    },
    list: async ({ siteKey, limit, beforeId, show, requestId }) =>
      [...(sites.get(siteKey)?.values() ?? [])]
        .filter((entry) => beforeId === undefined || entry.decisionId < beforeId)
        .filter((entry) => show === undefined || filterOf(entry) === show)
        .filter((entry) => requestId === undefined || entry.requestId === requestId)
        .sort(newestFirst)
        .slice(0, limit),
    listRefusedHosts: async ({ siteKey, fromMs, toMs, limit }) => {
      const hosts = new Map<string, { count: number; lastAtMs: number }>();
      const refusals = [...(sites.get(siteKey)?.values() ?? [])]
        .flatMap((entry) =>
          isDecision(entry) || entry.atMs < fromMs || entry.atMs >= toMs ? [] : [entry],
        )
        .sort(newestFirst);
      for (const entry of refusals.slice(0, REFUSALS_READ_FOR_HOSTS)) {
        if (entry.reason !== "domain_mismatch" || entry.host === null) continue;
        const { count = 0, lastAtMs = 0 } = hosts.get(entry.host) ?? {};
        hosts.set(entry.host, { count: count + 1, lastAtMs: Math.max(lastAtMs, entry.atMs) });
      }
      return [...hosts]
        .sort(([a, x], [b, y]) => y.count - x.count || (a < b ? -1 : 1))
        .slice(0, limit)
        .map(([host, { lastAtMs }]) => ({ host, lastAtMs }));
    },
    setLabel: async ({ siteKey, decisionId, label }, entry) => {
      const decision = sites.get(siteKey)?.get(decisionId);
      if (decision === undefined || decision.outcome === "refused") return false;
      if (decision.label === label) return true;
      sites.get(siteKey)?.set(decisionId, { ...decision, label });
      writeAudit(
        entry && withChange(entry, { field: "label", before: decision.label, after: label }),
      );
      return true;
    },
    prune: async (nowMs) => {
      const oldestId = firstIdOf(nowMs - DECISION_DAYS * DAY_MS);
      let removed = 0;
      for (const decisions of sites.values()) {
        const room: number[] = KEPT_ENTRIES.map(({ max }) => max);
        for (const entry of [...decisions.values()].sort(newestFirst)) {
          const kind = kindOf(entry);
          const left = room[kind] ?? 0;
          if (left > 0 && entry.decisionId >= oldestId) {
            room[kind] = left - 1;
            continue;
          }
          decisions.delete(entry.decisionId);
          removed += 1;
        }
      }
      return removed;
    },
  };
}
