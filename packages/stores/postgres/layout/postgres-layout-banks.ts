import type { LayoutBanks } from "@stile/core/ports/layout/layout-banks";
import { type LayoutBankRow, nextVersion, packScenes, toLayoutBank } from "../../layout-content.ts";
import type { Connections } from "../engine/database.ts";

type Newest = Pick<LayoutBankRow, "version"> & { readonly bankId: number };

const SELECT = `SELECT version, baked_at_ms AS "bakedAtMs", content FROM layout_banks ORDER BY bank_id DESC`;
const NEWEST = `SELECT bank_id AS "bankId", version FROM layout_banks
  ORDER BY bank_id DESC LIMIT 1`;
const INSERT = "INSERT INTO layout_banks (bank_id, version, baked_at_ms, content) VALUES ($1, $2, $3, $4)";

/** Banks of scenes in PostgreSQL, over connections with a long deadline: a bank has a megabyte. */
export function createPostgresLayoutBanks(jobs: Connections): LayoutBanks {
  return {
    listBanks: async () => (await jobs.read<LayoutBankRow>(SELECT)).rows.map(toLayoutBank),
    newestVersion: async () => (await jobs.read<Newest>(NEWEST)).rows[0]?.version,
    addBank: async (bank, after) => {
      const content = Buffer.from(packScenes(bank));
      return await jobs.transaction(async (query) => {
        // One at a time, so that two banks added at once get different numbers.
        await query("LOCK TABLE layout_banks IN EXCLUSIVE MODE");
        const { bankId = 0, version: before = 0 } = (await query<Newest>(NEWEST)).rows[0] ?? {};
        if (after !== undefined && after !== before) return undefined;
        const version = nextVersion(before);
        await query(INSERT, [bankId + 1, version, bank.bakedAtMs, content]);
        await query("DELETE FROM layout_banks WHERE bank_id < $1", [bankId]);
        return version;
      });
    },
  };
}
