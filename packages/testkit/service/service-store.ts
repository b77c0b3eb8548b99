import { join } from "node:path";
import type { Store } from "@stile/core/ports/store";
import { openPostgresStore } from "@stile/stores/postgres/postgres-store";
import { openSqliteStore } from "@stile/stores/sqlite/sqlite-store";

/** So long that no deadline of the test's own passes, however busy the machine. */
const PATIENT_MS = 120_000;

/**
 * Another connection to the store of a service that may be running: its database if named, else its
 * data directory.
 */
export async function openServiceStore(dataDirectory: string, databaseUrl = ""): Promise<Store> {
  if (databaseUrl !== "")
    return await openPostgresStore({ url: databaseUrl, deadlineMs: PATIENT_MS });
  return await openSqliteStore({ file: join(dataDirectory, "stile.sqlite") });
}
