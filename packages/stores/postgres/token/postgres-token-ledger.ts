import type { TokenLedger } from "@stile/core/ports/token/token-ledger";
import type { DatabaseConnections } from "../engine/database.ts";
import type { Spending } from "../spending/spending.ts";

/**
 * Single use of tokens in PostgreSQL (D3, single use). A redemption shares one statement with the
 * other requests of the same moment.
 */
export function createPostgresTokenLedger(
  calls: DatabaseConnections,
  { redeem }: Pick<Spending, "redeem">,
): TokenLedger {
  const select = `SELECT FROM token_marks WHERE keep_until_ms = $1 AND id = $2
    AND keep_until_ms > (SELECT swept_until_ms FROM sweep_horizons WHERE mark_table = 'token_marks')`;
  return {
    redeem,
    isSpent: async ({ retainUntilMs, tokenId }) =>
      (await calls.read(select, [retainUntilMs, tokenId])).count > 0,
  };
}
