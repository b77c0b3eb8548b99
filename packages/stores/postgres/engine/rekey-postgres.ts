import { randomInt } from "node:crypto";
import type { Reseal, SealedSecrets } from "@stile/core/ports/sealed-secrets";
import { StoreUnavailable } from "@stile/core/ports/store-unavailable";
import { readConnectionOptions } from "./connection-options.ts";
import { createDatabase, type Query } from "./database.ts";
import { explainOpening } from "./database-problem.ts";
import { DATABASE_NOW_MS } from "./postgres-generation.ts";

const RUN_NUMBERS = 2 ** 47;

async function readSecrets(query: Query): Promise<SealedSecrets> {
  const keys = await query<SealedSecrets["serviceKeys"][number]>(
    'SELECT key_id AS "keyId", wrapped FROM service_keys FOR UPDATE',
  );
  const members = await query<SealedSecrets["memberSecrets"][number]>(
    'SELECT user_id AS "userId", totp_secret AS sealed FROM members WHERE totp_secret IS NOT NULL FOR UPDATE',
  );
  return { serviceKeys: keys.rows, memberSecrets: members.rows };
}

async function writeSecrets(
  query: Query,
  { serviceKeys, memberSecrets }: SealedSecrets,
): Promise<void> {
  for (const { keyId, wrapped } of serviceKeys) {
    await query("UPDATE service_keys SET wrapped = $1, is_retired = TRUE WHERE key_id = $2", [
      wrapped,
      keyId,
    ]);
  }
  for (const { userId, sealed } of memberSecrets) {
    await query("UPDATE members SET totp_secret = $1 WHERE user_id = $2", [sealed, userId]);
  }
  // Nodes agree on new day keys, which name addresses in their counters.
  await query("DELETE FROM day_keys");
  // Starts another run, so that every running node reads the service keys again before it spends
  // anything.
  await query(`UPDATE generations SET number = $1, noticed_ms = ${DATABASE_NOW_MS}`, [
    randomInt(RUN_NUMBERS),
  ]);
}

/**
 * Replaces everything in the database that is sealed under the master key, and retires all service
 * keys, in one transaction. Running nodes read the keys again within 2 s. Returns the secrets that
 * were written, or undefined if `reseal` left them unchanged. If `reseal` throws, the database is
 * unchanged. Rejects with DatabaseProblem.
 */
export async function rekeyPostgres(
  url: string,
  reseal: Reseal,
): Promise<SealedSecrets | undefined> {
  const options = readConnectionOptions(url);
  const database = await createDatabase(options);
  try {
    return await database.jobs.transaction(async (query) => {
      // Takes the lock of a start, so that no node begins a run meanwhile.
      await query("SELECT FROM turns WHERE name = 'write' FOR UPDATE");
      const resealed = reseal(await readSecrets(query));
      if (resealed !== undefined) await writeSecrets(query, resealed);
      return resealed;
    });
  } catch (fault) {
    if (!(fault instanceof StoreUnavailable)) throw fault;
    throw explainOpening(fault.cause ?? fault, options.place);
  } finally {
    await database.close();
  }
}
