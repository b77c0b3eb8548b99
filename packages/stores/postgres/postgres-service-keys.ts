import type { ServiceKeys, WrappedServiceKey } from "@stile/core/ports/service-keys";
import type { Connections } from "./engine/database.ts";

/** The service's wrapped keys in PostgreSQL, oldest id first; if two nodes make one with the same id, one succeeds. */
export function createPostgresServiceKeys(calls: Connections): ServiceKeys {
  const select = `SELECT key_id AS "keyId", created_at_ms AS "createdAtMs", wrapped, is_retired AS "isRetired"
    FROM service_keys ORDER BY key_id`;
  const insert =
    "INSERT INTO service_keys (key_id, created_at_ms, wrapped) VALUES ($1, $2, $3) ON CONFLICT (key_id) DO NOTHING";
  return {
    listServiceKeys: async () => (await calls.read<WrappedServiceKey>(select)).rows,
    insertServiceKey: async ({ keyId, createdAtMs, wrapped }) =>
      (await calls.write(insert, [keyId, createdAtMs, wrapped])).count === 1,
    deleteServiceKey: async (keyId) => {
      await calls.write("DELETE FROM service_keys WHERE key_id = $1", [keyId]);
    },
  };
}
