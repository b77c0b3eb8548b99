import type { DatabaseSync } from "node:sqlite";
import { applyRedemption } from "@stile/core/domain/token/single-use";
import type { TokenLedger } from "@stile/core/ports/token/token-ledger";
import { retryWhileBusy } from "../engine/busy.ts";
import type { Writer } from "../engine/group-commit.ts";

/**
 * Single use of tokens in SQLite: a redemption shares one transaction with all other writes of the
 * turn (D3, single use).
 */
export function createSqliteTokenLedger(
  database: DatabaseSync,
  writer: Writer,
  now: () => number,
): TokenLedger {
  const selectSpentToken = database.prepare(
    "SELECT 1 FROM token_marks WHERE keep_until_ms = ? AND id = ?",
  );
  return {
    redeem: (redemption) => writer.write((transaction) => applyRedemption(transaction, redemption)),
    isSpent: ({ retainUntilMs, tokenId }) =>
      retryWhileBusy(() => selectSpentToken.get(retainUntilMs, tokenId) !== undefined, now),
  };
}
