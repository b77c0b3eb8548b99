import type { MinuteCount } from "@stile/core/domain/metrics";
import { MINUTE_MS, minuteOf } from "@stile/core/domain/rate-window";
import type { ServiceKeys, WrappedServiceKey } from "@stile/core/ports/service-keys";
import type { Store } from "@stile/core/ports/store";
import { consumeRate, settleChallenge, settleRedemption, type TokenMark, type Transaction } from "../settlement.ts";
import { createMarks } from "./marks.ts";
import { createMemorySites } from "./sites.ts";

function createMemoryServiceKeys(): ServiceKeys {
  const keys = new Map<number, WrappedServiceKey>();
  return {
    listServiceKeys: async () => [...keys.values()].sort((a, b) => a.keyId - b.keyId),
    insertServiceKey: async (key) => {
      if (keys.has(key.keyId)) return false;
      keys.set(key.keyId, key);
      return true;
    },
    deleteServiceKey: async (keyId) => {
      keys.delete(keyId);
    },
  };
}

function inTimeOrder(a: MinuteCount, b: MinuteCount): number {
  return a.minuteStartMs - b.minuteStartMs || (a.metric < b.metric ? -1 : 1);
}

/**
 * A throw-away store in the memory of one process, for development and tests: single use holds as long as the process
 * lives. Every step is one synchronous stretch of code, and so atomic.
 */
export function createMemoryStore(): Store {
  const tokenMarks = createMarks<TokenMark>();
  const challengeMarks = createMarks<true>();
  const rateCounts = new Map<string, { readonly minute: number; count: number }>();
  const statistics = new Map<string, Map<string, MinuteCount>>();
  const sites = createMemorySites((siteKey) => statistics.delete(siteKey));

  const transaction: Transaction = {
    findRevision: sites.revisionOf,
    countOf: (scope, minute) => rateCounts.get(`${minute} ${scope}`)?.count ?? 0,
    addRequest: (scope, minute) => {
      const counted = rateCounts.get(`${minute} ${scope}`);
      if (counted === undefined) rateCounts.set(`${minute} ${scope}`, { minute, count: 1 });
      else counted.count += 1;
    },
    addCount: (siteKey, metric, atMs, count) => {
      if (sites.revisionOf(siteKey) === undefined) return;
      const minutes = statistics.get(siteKey) ?? new Map<string, MinuteCount>();
      statistics.set(siteKey, minutes);
      const key = `${minuteOf(atMs)} ${metric}`;
      const before = minutes.get(key)?.count ?? 0;
      minutes.set(key, { minuteStartMs: minuteOf(atMs) * MINUTE_MS, metric, count: before + count });
    },
    findTokenMark: ({ tokenId }) => tokenMarks.find(tokenId),
    insertTokenMark: ({ tokenId, keepUntilMs, nowMs, repeatDigest }) =>
      tokenMarks.insert(tokenId, keepUntilMs, { spentAtMs: nowMs, repeatDigest }),
    insertChallengeMark: ({ challengeId, keepUntilMs }) => challengeMarks.insert(challengeId, keepUntilMs, true),
  };

  const sweepRates = (nowMs: number): void => {
    for (const [key, { minute }] of rateCounts) if (minute < minuteOf(nowMs) - 2) rateCounts.delete(key);
  };

  return {
    sites,
    tokens: {
      redeemMany: async (batch) => batch.map((redemption) => settleRedemption(transaction, redemption)),
      isSpent: async ({ tokenId }) => tokenMarks.find(tokenId) !== undefined,
    },
    challenges: { spendMany: async (batch) => batch.map((spend) => settleChallenge(transaction, spend)) },
    limiter: { consumeMany: async (batch) => batch.map((request) => consumeRate(transaction, request)) },
    statistics: {
      count: ({ siteKey, metric, atMs }) => transaction.addCount(siteKey, metric, atMs, 1),
      flush: async () => {},
      read: async (siteKey, fromMs, toMs) =>
        [...(statistics.get(siteKey)?.values() ?? [])]
          .filter(({ minuteStartMs }) => minuteStartMs >= fromMs && minuteStartMs < toMs)
          .sort(inTimeOrder),
    },
    serviceKeys: createMemoryServiceKeys(),
    housekeeping: {
      sweep: async (nowMs) => {
        sweepRates(nowMs);
        return tokenMarks.sweep(nowMs) + challengeMarks.sweep(nowMs);
      },
    },
    ping: async () => {},
    describe: async () => ({ engine: "memory", durability: "best-effort", detail: "gone when the process ends" }),
    close: async () => {},
  };
}
