import type { DatabaseSync } from "node:sqlite";
import type { LayoutBanks } from "@stile/core/ports/layout/layout-banks";
import { type LayoutBankRow, nextVersion, packScenes, toLayoutBank } from "../../layout-content.ts";
import { retryWhileBusy } from "../engine/busy.ts";
import type { Writer } from "../engine/group-commit.ts";
import { prepareSelect } from "../engine/select.ts";

type Newest = Pick<LayoutBankRow, "version"> & { readonly bankId: number };

/** Banks of scenes in SQLite. */
export function createSqliteLayoutBanks(database: DatabaseSync, writer: Writer, now: () => number): LayoutBanks {
  const select = prepareSelect<LayoutBankRow>(
    database,
    "SELECT version, baked_at_ms AS bakedAtMs, content FROM layout_banks ORDER BY bank_id DESC",
  );
  const selectNewest = prepareSelect<Newest>(
    database,
    "SELECT bank_id AS bankId, version FROM layout_banks ORDER BY bank_id DESC LIMIT 1",
  );
  const insert = database.prepare(
    "INSERT INTO layout_banks (bank_id, version, baked_at_ms, content) VALUES (?, ?, ?, ?)",
  );
  const forget = database.prepare("DELETE FROM layout_banks WHERE bank_id < ?");
  return {
    listBanks: () => retryWhileBusy(() => select.all().map(toLayoutBank), now),
    newestVersion: () => retryWhileBusy(() => selectNewest.all()[0]?.version, now),
    addBank: (bank, after) => {
      const content = packScenes(bank);
      return writer.write(() => {
        const { bankId = 0, version: before = 0 } = selectNewest.all()[0] ?? {};
        if (after !== undefined && after !== before) return undefined;
        const version = nextVersion(before);
        insert.run(bankId + 1, version, bank.bakedAtMs, content);
        forget.run(bankId);
        return version;
      });
    },
  };
}
