import { minuteOf } from "@stile/core/domain/rate-window";
import {
  applyChallengeSpend,
  applyRedemption,
  consumeRate,
  type SpentToken,
  type Transaction,
} from "@stile/core/domain/token/single-use";
import type { ServiceKeys, WrappedServiceKey } from "@stile/core/ports/service-keys";
import type { Store } from "@stile/core/ports/store";
import { createMemoryAccounts } from "./memory-accounts.ts";
import { createMemoryAuditLog } from "./memory-audit-log.ts";
import { createMemoryDecisionLog } from "./memory-decision-log.ts";
import { createMemoryKeyUsage } from "./memory-key-usage.ts";
import { createMemoryNodeFeeds } from "./memory-node-feed.ts";
import { createMemorySites } from "./memory-sites.ts";
import { createMemoryStatistics } from "./memory-statistics.ts";
import { createSpentRecords } from "./spent-records.ts";

function createMemoryServiceKeys(): ServiceKeys {
  const keys = new Map<number, WrappedServiceKey>();
  let newestKeyId = 0;
  return {
    listServiceKeys: async () => [...keys.values()].sort((a, b) => a.keyId - b.keyId),
    newestKeyId: async () => newestKeyId,
    insertServiceKey: async (key) => {
      if (keys.has(key.keyId)) return false;
      newestKeyId = Math.max(newestKeyId, key.keyId);
      keys.set(key.keyId, { ...key, isRetired: false });
      return true;
    },
    deleteServiceKey: async (keyId) => {
      keys.delete(keyId);
    },
  };
}

/**
 * A throw-away store in the memory of one process, for development and tests: single use holds as
 * long as the process lives. Every step is one synchronous stretch of code, and therefore atomic.
 */
export function createMemoryStore(): Store {
  let newestMs = 0;
  const spentTokens = createSpentRecords<SpentToken>();
  const spentChallenges = createSpentRecords<true>();
  const rateCounts = new Map<string, { readonly minute: number; count: number }>();
  const doesSiteExist = (siteKey: string): boolean => sites.revisionOf(siteKey) !== undefined;
  const {
    addCount,
    removeSite: removeStatistics,
    ...statistics
  } = createMemoryStatistics((siteKey) => sites.domainsOf(siteKey));
  const { auditLog, write: writeAudit } = createMemoryAuditLog();
  const { removeSite: removeDecisions, ...decisions } = createMemoryDecisionLog(
    doesSiteExist,
    writeAudit,
  );
  const sites = createMemorySites((siteKey) => {
    removeStatistics(siteKey);
    removeDecisions(siteKey);
  }, writeAudit);

  const transaction: Transaction = {
    findRevision: sites.revisionOf,
    countOf: (scope, minute) => rateCounts.get(`${minute} ${scope}`)?.count ?? 0,
    addRequest: (scope, minute) => {
      const counted = rateCounts.get(`${minute} ${scope}`);
      if (counted === undefined) rateCounts.set(`${minute} ${scope}`, { minute, count: 1 });
      else counted.count += 1;
    },
    addCount,
    findSpentToken: ({ tokenId }) => spentTokens.find(tokenId),
    insertSpentToken: ({ tokenId, retainUntilMs, nowMs, repeatDigest }) =>
      spentTokens.insert(tokenId, retainUntilMs, { spentAtMs: nowMs, repeatDigest }),
    insertSpentChallenge: ({ challengeId, retainUntilMs }) =>
      spentChallenges.insert(challengeId, retainUntilMs, true),
  };

  const sweepRates = (nowMs: number): void => {
    for (const [key, { minute }] of rateCounts)
      if (minute < minuteOf(nowMs) - 2) rateCounts.delete(key);
  };

  return {
    sites,
    tokens: {
      redeem: async (redemption) => applyRedemption(transaction, redemption),
      isSpent: async ({ tokenId }) => spentTokens.find(tokenId) !== undefined,
    },
    challenges: { spend: async (spend) => applyChallengeSpend(transaction, spend) },
    limiter: { consume: async (request) => consumeRate(transaction, request) },
    statistics,
    decisions,
    keyUsage: createMemoryKeyUsage(sites),
    serviceKeys: createMemoryServiceKeys(),
    ...createMemoryAccounts(writeAudit),
    auditLog,
    housekeeping: {
      newestMs: async () => newestMs,
      sweep: async (nowMs) => {
        newestMs = Math.max(newestMs, nowMs);
        sweepRates(nowMs);
        return spentTokens.sweep(nowMs) + spentChallenges.sweep(nowMs);
      },
    },
    nodes: {
      nowMs: async () => Number.POSITIVE_INFINITY,
      openFeed: createMemoryNodeFeeds(),
      giveUp: () => {},
      follow: async () => "continued",
    },
    // Everything is forgotten with the process, the service keys included, so there is no other
    // generation.
    begin: async () => "continued",
    alone: (work) => work(),
    ping: async () => {},
    describe: async () => ({
      engine: "memory",
      durability: "best-effort",
      detail: "gone when the process ends",
      findings: [],
    }),
    close: async () => {},
  };
}
