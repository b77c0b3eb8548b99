import { checkRate, type LimitState } from "@stile/core/domain/rate-window";
import type { Metric } from "@stile/core/domain/statistics/metrics";
import type { Statistics } from "@stile/core/ports/statistics/statistics";
import type { Redemption, RedemptionOutcome, TokenLedger } from "@stile/core/ports/token/token-ledger";
import { redeemedScope } from "../../single-use.ts";
import type { SiteAnswer, SiteCalls } from "../engine/site-calls.ts";
import type { ValkeyConnection } from "../engine/valkey-connection.ts";
import { FUNCTIONS } from "../engine/valkey-functions.ts";
import { marksName, rateNames } from "../engine/valkey-keys.ts";

function toOutcome([word, first = 0, second = 0]: SiteAnswer, { nowMs, perMinute }: Redemption): RedemptionOutcome {
  const limit = (): LimitState => checkRate({ current: first, previous: second }, perMinute, nowMs);
  switch (word) {
    case "spent":
      return { kind: word, atMs: nowMs, limit: limit() };
    case "limited":
      return { kind: word, limit: limit() };
    case "repeated":
      return { kind: word, atMs: first };
    case "already_used":
    case "not_repeated":
    case "site_changed":
      return { kind: word };
    default:
      throw new Error(`the hot store answered "${word}"`);
  }
}

function countedBy({ kind }: RedemptionOutcome, { onSpent, onReplayed }: Redemption): readonly Metric[] {
  if (kind === "spent") return onSpent;
  return kind === "already_used" ? onReplayed : [];
}

/**
 * Single use of tokens in Valkey, one function call for each redemption (D3). The counts that go with it are buffered
 * by this process and written within a second: a process that dies loses that second of the statistics, and nothing
 * else.
 */
export function createValkeyTokenLedger(
  connection: ValkeyConnection,
  { call }: SiteCalls,
  { count }: Pick<Statistics, "count">,
): TokenLedger {
  return {
    redeem: async (redemption) => {
      const { siteKey, siteRevision, tokenId, issuedAtMs, retainUntilMs, nowMs, perMinute } = redemption;
      const digest = redemption.repeatDigest ?? "";
      const args = [
        siteRevision,
        tokenId,
        retainUntilMs,
        nowMs,
        perMinute,
        digest,
        redemption.isRepeatOnly ? 1 : 0,
        issuedAtMs,
      ];
      const keys = [marksName(siteKey, "tokens", retainUntilMs), ...rateNames(redeemedScope(siteKey), nowMs)];
      const answer = await call({ siteKey, name: FUNCTIONS.redeem, keys, args });
      if (answer === undefined) return { kind: "site_changed" };
      const outcome = toOutcome(answer, redemption);
      for (const metric of countedBy(outcome, redemption)) count({ siteKey, metric, atMs: nowMs });
      return outcome;
    },
    isSpent: async ({ siteKey, tokenId, retainUntilMs }) => {
      const args = [marksName(siteKey, "tokens", retainUntilMs), tokenId];
      return (await connection.call(connection.session(), "HEXISTS", args)) === 1;
    },
  };
}
