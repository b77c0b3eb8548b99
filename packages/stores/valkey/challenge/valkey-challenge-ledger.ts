import type { ChallengeLedger } from "@stile/core/ports/challenge/challenge-ledger";
import type { Statistics } from "@stile/core/ports/statistics/statistics";
import type { SiteCalls } from "../engine/site-calls.ts";
import { FUNCTIONS } from "../engine/valkey-functions.ts";
import { marksName } from "../engine/valkey-keys.ts";

/**
 * Single use of challenges in Valkey, one function call each (D9); their statistics are written as redemptions' are.
 */
export function createValkeyChallengeLedger(
  { call }: SiteCalls,
  { count }: Pick<Statistics, "count">,
): ChallengeLedger {
  return {
    spend: async ({ siteKey, siteRevision, challengeId, issuedAtMs, retainUntilMs, nowMs, onSpent }) => {
      const keys = [marksName(siteKey, "challenges", retainUntilMs)];
      const args = [siteRevision, challengeId, retainUntilMs, issuedAtMs];
      const [word] = (await call({ siteKey, name: FUNCTIONS.spend, keys, args })) ?? ["site_changed"];
      if (word === "already_spent" || word === "site_changed") return word;
      if (word !== "spent") throw new Error(`the hot store answered "${word}"`);
      for (const metric of onSpent) count({ siteKey, metric, atMs: nowMs });
      return word;
    },
  };
}
