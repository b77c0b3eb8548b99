import { DECISION_DAYS, type Decision, firstIdOf, MAX_DECISIONS_PER_SITE } from "@stile/core/domain/decision";
import type { DecisionLog } from "@stile/core/ports/decision-log";
import { createDecisionHold } from "../decision-hold.ts";

const DAY_MS = 86_400_000;

/** The last decisions in memory, and how a purged site's go. */
export type MemoryDecisions = DecisionLog & { readonly removeSite: (siteKey: string) => void };

function newestFirst(a: Decision, b: Decision): number {
  return a.decisionId > b.decisionId ? -1 : 1;
}

/** The last decisions of each site, in memory; nothing is kept of sites that `doesSiteExist` denies. */
export function createMemoryDecisions(doesSiteExist: (siteKey: string) => boolean): MemoryDecisions {
  const hold = createDecisionHold();
  const sites = new Map<string, Map<string, Decision>>();

  return {
    removeSite: (siteKey) => void sites.delete(siteKey),
    append: hold.append,
    flush: async () => {
      for (const decision of hold.take()) {
        const { siteKey, decisionId } = decision;
        if (!doesSiteExist(siteKey)) continue;
        const decisions = sites.get(siteKey) ?? new Map<string, Decision>();
        sites.set(siteKey, decisions);
        if (!decisions.has(decisionId)) decisions.set(decisionId, decision);
      }
    },
    list: async ({ siteKey, limit, beforeId, recommendation, requestId }) =>
      [...(sites.get(siteKey)?.values() ?? [])]
        .filter((decision) => beforeId === undefined || decision.decisionId < beforeId)
        .filter((decision) => recommendation === undefined || decision.recommendation === recommendation)
        .filter((decision) => requestId === undefined || decision.requestId === requestId)
        .sort(newestFirst)
        .slice(0, limit),
    setLabel: async ({ siteKey, decisionId, label }) => {
      const decision = sites.get(siteKey)?.get(decisionId);
      if (decision === undefined) return false;
      sites.get(siteKey)?.set(decisionId, { ...decision, label });
      return true;
    },
    prune: async (nowMs) => {
      const oldestId = firstIdOf(nowMs - DECISION_DAYS * DAY_MS);
      let removed = 0;
      for (const decisions of sites.values()) {
        const sorted = [...decisions.values()].sort(newestFirst);
        for (const [place, { decisionId }] of sorted.entries()) {
          if (place < MAX_DECISIONS_PER_SITE && decisionId >= oldestId) continue;
          decisions.delete(decisionId);
          removed += 1;
        }
      }
      return removed;
    },
  };
}
