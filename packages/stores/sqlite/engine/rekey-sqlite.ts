import { DatabaseSync } from "node:sqlite";
import type { Reseal, SealedSecrets } from "@stile/core/ports/sealed-secrets";
import { prepareSelect } from "./select.ts";

function readSecrets(database: DatabaseSync): SealedSecrets {
  const keys = "SELECT key_id AS keyId, wrapped FROM service_keys";
  const secrets =
    "SELECT user_id AS userId, totp_secret AS sealed FROM members WHERE totp_secret IS NOT NULL";
  return {
    serviceKeys: prepareSelect<SealedSecrets["serviceKeys"][number]>(database, keys).all(),
    memberSecrets: prepareSelect<SealedSecrets["memberSecrets"][number]>(database, secrets).all(),
  };
}

function writeSecrets(database: DatabaseSync, { serviceKeys, memberSecrets }: SealedSecrets): void {
  const updateKey = database.prepare(
    "UPDATE service_keys SET wrapped = ?, is_retired = 1 WHERE key_id = ?",
  );
  for (const { keyId, wrapped } of serviceKeys) updateKey.run(wrapped, keyId);
  const updateMember = database.prepare("UPDATE members SET totp_secret = ? WHERE user_id = ?");
  for (const { userId, sealed } of memberSecrets) updateMember.run(sealed, userId);
}

/**
 * Seals everything in the database file under a new master key, and retires all service keys, in
 * one durable transaction. No server may run. Returns the written secrets, or undefined if `reseal`
 * returned none. If `reseal` throws, the file stays as it was.
 */
export function rekeySqlite(file: string, reseal: Reseal): SealedSecrets | undefined {
  const database = new DatabaseSync(file);
  try {
    database.exec("PRAGMA synchronous = FULL; BEGIN IMMEDIATE");
    const resealed = reseal(readSecrets(database));
    if (resealed !== undefined) writeSecrets(database, resealed);
    database.exec("COMMIT");
    return resealed;
  } finally {
    // An open transaction is rolled back.
    database.close();
  }
}
