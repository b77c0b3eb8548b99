import type { DatabaseSync } from "node:sqlite";
import type { KeyUsage } from "@stile/core/ports/site/key-usage";
import { createBufferedKeyUses, type RecordUses } from "../../buffers/buffered-key-uses.ts";
import { retryWhileBusy } from "../engine/busy.ts";
import type { Writer } from "../engine/group-commit.ts";
import { prepareSelect } from "../engine/select.ts";

/** The last uses, and the write of their `flush`. */
export type SqliteKeyUsage = KeyUsage & { readonly recordMany: RecordUses };

/**
 * The last accepted calls by digest, in SQLite. Only accepted keys are recorded, so there are no
 * more rows than keys.
 */
export function createSqliteKeyUsage(
  database: DatabaseSync,
  writer: Writer,
  now: () => number,
): SqliteKeyUsage {
  const upsert = database.prepare(
    `INSERT INTO key_usage (digest, last_used_at_ms) SELECT ?1, ?2 WHERE EXISTS
      (SELECT 1 FROM secret_keys WHERE digest = ?1)
      ON CONFLICT (digest) DO UPDATE SET last_used_at_ms = max(last_used_at_ms, excluded.last_used_at_ms)`,
  );
  const select = prepareSelect<{ readonly lastUsedAtMs: number }>(
    database,
    "SELECT last_used_at_ms AS lastUsedAtMs FROM key_usage WHERE digest = ?",
  );
  const recordMany: RecordUses = (uses) =>
    writer.write(() => {
      for (const [digest, lastUsedAtMs] of uses) upsert.run(digest, lastUsedAtMs);
    });
  return {
    ...createBufferedKeyUses(recordMany),
    recordMany,
    findLastUses: (digests) =>
      retryWhileBusy(() => {
        const found = new Map<string, number>();
        for (const digest of digests) {
          const row = select.get(digest);
          if (row !== undefined) found.set(digest, row.lastUsedAtMs);
        }
        return found;
      }, now),
  };
}
