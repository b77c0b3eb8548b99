import type { ServiceKeys, WrappedServiceKey } from "@stile/core/ports/service-keys";
import type { DatabaseConnections } from "./engine/database.ts";

/**
 * The service's wrapped keys in PostgreSQL, oldest id first. If two nodes create a key with the
 * same id, one succeeds.
 */
export function createPostgresServiceKeys(calls: DatabaseConnections): ServiceKeys {
  const select = `SELECT key_id AS "keyId", created_at_ms AS "createdAtMs", wrapped, is_retired AS "isRetired"
    FROM service_keys ORDER BY key_id`;
  const insert = `WITH added AS (INSERT INTO service_keys (key_id, created_at_ms, wrapped) VALUES ($1, $2, $3)
      ON CONFLICT (key_id) DO NOTHING RETURNING key_id),
    noted AS (UPDATE generations SET newest_key_id = greatest(newest_key_id, key_id) FROM added)
    SELECT FROM added`;
  return {
    listServiceKeys: async () => (await calls.read<WrappedServiceKey>(select)).rows,
    newestKeyId: async () =>
      (await calls.read<{ keyId: number }>('SELECT newest_key_id AS "keyId" FROM generations'))
        .rows[0]?.keyId ?? 0,
    insertServiceKey: async ({ keyId, createdAtMs, wrapped }) =>
      (await calls.write(insert, [keyId, createdAtMs, wrapped])).count === 1,
    deleteServiceKey: async (keyId) => {
      await calls.write("DELETE FROM service_keys WHERE key_id = $1", [keyId]);
    },
  };
}
