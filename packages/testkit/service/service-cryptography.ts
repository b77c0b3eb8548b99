import type { Cryptography } from "@stile/core/ports/cryptography";
import { createKeyRing } from "@stile/server/cryptography/key-ring";
import { createNodeCryptography } from "@stile/server/cryptography/node-cryptography";
import { refreshKeyRing } from "@stile/server/cryptography/service-keys";
import { openDataDirectory } from "@stile/server/data-directory/data-directory";
import { openServiceStore } from "./service-store.ts";

/**
 * The cryptography of the service that owns the data directory. Its keys are in PostgreSQL if a
 * database is named; the master key is the given one, else that of the directory. The service may
 * be running (D16, operator).
 */
export async function openServiceCryptography(
  dataDirectory: string,
  databaseUrl = "",
  masterKey?: string,
): Promise<Cryptography> {
  const clock = { nowMs: () => Date.now() };
  const directory = openDataDirectory(dataDirectory);
  const store = await openServiceStore(dataDirectory, databaseUrl);
  const ring = createKeyRing();
  const key = masterKey === undefined ? directory.masterKey() : Buffer.from(masterKey, "base64");
  await refreshKeyRing(ring, store.serviceKeys, key, clock.nowMs());
  await store.close();
  return createNodeCryptography(ring, clock);
}
