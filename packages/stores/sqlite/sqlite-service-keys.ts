import type { DatabaseSync } from "node:sqlite";
import type { ServiceKeys, WrappedServiceKey } from "@stile/core/ports/service-keys";
import { retryWhileBusy } from "./engine/busy.ts";
import type { Writer } from "./engine/group-commit.ts";
import { prepareSelect } from "./engine/select.ts";

/** SQLite has no booleans. */
type ServiceKeyRow = Omit<WrappedServiceKey, "isRetired"> & { readonly isRetired: number };

function toServiceKey({ isRetired, ...key }: ServiceKeyRow): WrappedServiceKey {
  return { ...key, isRetired: isRetired === 1 };
}

/** The wrapped keys of the service in SQLite, oldest id first. */
export function createSqliteServiceKeys(
  database: DatabaseSync,
  writer: Writer,
  now: () => number,
): ServiceKeys {
  const select = prepareSelect<ServiceKeyRow>(
    database,
    "SELECT key_id AS keyId, created_at_ms AS createdAtMs, wrapped, is_retired AS isRetired FROM service_keys ORDER BY key_id",
  );
  const insert = database.prepare(
    "INSERT INTO service_keys (key_id, created_at_ms, wrapped) VALUES (?, ?, ?) ON CONFLICT (key_id) DO NOTHING",
  );
  const selectNewest = prepareSelect<{ readonly keyId: number }>(
    database,
    "SELECT newest_key_id AS keyId FROM generations",
  );
  const noteNewest = database.prepare(
    "UPDATE generations SET newest_key_id = max(newest_key_id, ?)",
  );
  const remove = database.prepare("DELETE FROM service_keys WHERE key_id = ?");
  return {
    listServiceKeys: () => retryWhileBusy(() => select.all().map(toServiceKey), now),
    newestKeyId: () => retryWhileBusy(() => selectNewest.get()?.keyId ?? 0, now),
    insertServiceKey: ({ keyId, createdAtMs, wrapped }) =>
      writer.writeThrough(() => {
        if (insert.run(keyId, createdAtMs, wrapped).changes === 0) return false;
        noteNewest.run(keyId);
        return true;
      }),
    deleteServiceKey: (keyId) =>
      writer.write(() => {
        remove.run(keyId);
      }),
  };
}
