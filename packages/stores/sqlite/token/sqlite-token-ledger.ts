import type { DatabaseSync } from "node:sqlite";
import type { TokenLedger } from "@stile/core/ports/token/token-ledger";
import { settleRedemption } from "../../settlement.ts";
import { retryWhileBusy } from "../engine/busy.ts";
import type { Writer } from "../engine/writer.ts";

/** Single use of tokens in SQLite: the batch, and all other writes of the turn, in one transaction (D3). */
export function createSqliteTokenLedger(database: DatabaseSync, writer: Writer, now: () => number): TokenLedger {
  const selectMark = database.prepare("SELECT 1 FROM token_marks WHERE keep_until_ms = ? AND id = ?");
  return {
    redeemMany: (batch) =>
      writer.write((transaction) => batch.map((redemption) => settleRedemption(transaction, redemption))),
    isSpent: ({ keepUntilMs, tokenId }) =>
      retryWhileBusy(() => selectMark.get(keepUntilMs, tokenId) !== undefined, now),
  };
}
