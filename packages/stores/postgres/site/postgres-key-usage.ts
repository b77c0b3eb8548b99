import type { KeyUsage } from "@stile/core/ports/site/key-usage";
import { createBufferedKeyUses } from "../../buffers/buffered-key-uses.ts";
import type { Database } from "../engine/database.ts";

type Use = { readonly digest: string; readonly lastUsedAtMs: number };

/**
 * The last accepted calls by digest, in PostgreSQL. Nodes write them in the order of the digests,
 * so that they never deadlock.
 */
export function createPostgresKeyUsage({
  calls,
  jobs,
}: Pick<Database, "calls" | "jobs">): KeyUsage {
  const upsert = `INSERT INTO key_usage (digest, last_used_at_ms)
    SELECT u.digest, u."lastUsedAtMs" FROM jsonb_to_recordset($1) AS u (digest TEXT, "lastUsedAtMs" BIGINT)
      JOIN secret_keys ON secret_keys.digest = u.digest ORDER BY u.digest COLLATE "C"
    ON CONFLICT (digest) DO UPDATE SET last_used_at_ms = greatest(key_usage.last_used_at_ms, excluded.last_used_at_ms)`;
  const select = `SELECT digest, last_used_at_ms AS "lastUsedAtMs" FROM key_usage WHERE digest = ANY ($1::text[])`;
  return {
    ...createBufferedKeyUses(async (uses) => {
      const rows = [...uses].map(([digest, lastUsedAtMs]): Use => ({ digest, lastUsedAtMs }));
      await jobs.write(upsert, [JSON.stringify(rows)]);
    }),
    findLastUses: async (digests) => {
      const { rows } = await calls.read<Use>(select, [digests]);
      return new Map(rows.map(({ digest, lastUsedAtMs }) => [digest, lastUsedAtMs]));
    },
  };
}
