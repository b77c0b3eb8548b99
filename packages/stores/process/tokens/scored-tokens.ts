import { createBoundedMap } from "@stile/core/domain/bounded-map";
import type { ScoredTokens } from "@stile/core/ports/token/scored-tokens";

/**
 * An empty counter for at most `maxTokens` tokens, about 150 bytes each. If it is full, it evicts
 * the token that was used longest ago. To fill it, an attacker needs that many valid tokens, and
 * each costs work.
 */
export function createScoredTokens(maxTokens: number): ScoredTokens {
  const uses = createBoundedMap<string, number>(maxTokens);
  return {
    countUse: (tokenId) => {
      const key = Buffer.from(tokenId).toString("hex");
      const count = (uses.get(key) ?? 0) + 1;
      uses.set(key, count);
      return count;
    },
  };
}
