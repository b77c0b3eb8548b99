import { join } from "node:path";
import type { Store } from "@stile/core/ports/store";
import { openPostgresStore } from "@stile/stores/postgres/postgres-store";
import { openSqliteStore } from "@stile/stores/sqlite/sqlite-store";

/** A further connection to a service's store, which may be running: its database where one is named, else its data directory's. */
export async function openServiceStore(dataDirectory: string, databaseUrl = ""): Promise<Store> {
  if (databaseUrl !== "") return await openPostgresStore({ url: databaseUrl });
  return await openSqliteStore({ file: join(dataDirectory, "stile.sqlite") });
}
