import { join } from "node:path";
import type { Cryptography } from "@stile/core/ports/cryptography";
import { openSqliteStore } from "@stile/stores/sqlite/store";
import { createKeyRing } from "../packages/server/cryptography/key-ring.ts";
import { createNodeCryptography } from "../packages/server/cryptography/node-cryptography.ts";
import { refreshKeyRing } from "../packages/server/cryptography/service-keys.ts";
import { openDataDirectory } from "../packages/server/data-directory.ts";

/** The cryptography of the service that owns the data directory, with its keys; the service may be running (D16). */
export async function openServiceCryptography(dataDirectory: string): Promise<Cryptography> {
  const clock = { nowMs: () => Date.now() };
  const directory = openDataDirectory(dataDirectory);
  const store = await openSqliteStore({ file: join(dataDirectory, "stile.sqlite") });
  const ring = createKeyRing();
  await refreshKeyRing(ring, store.serviceKeys, directory.masterKey(), clock.nowMs());
  await store.close();
  return createNodeCryptography(ring, clock);
}
