import { createCachedDirectory } from "@stile/stores/cached-directory";
import { openSqliteStore } from "@stile/stores/sqlite/store";
import type { Config } from "../config.ts";
import { createKeyRing } from "../cryptography/key-ring.ts";
import { createNodeCryptography } from "../cryptography/node-cryptography.ts";
import { openDataDirectory } from "../data-directory.ts";
import { initialize } from "../first-start.ts";

const clock = { nowMs: () => Date.now() };

/** Makes the first account and site unless they exist, and prints the demo site's keys (D16). */
export async function init(config: Config, options: { readonly json: boolean }): Promise<number> {
  const directory = openDataDirectory(config.dataDirectory);
  const store = await openSqliteStore({ file: directory.databaseFile });
  const ports = {
    clock,
    // Making keys takes digests and random bytes only, no key of the service.
    cryptography: createNodeCryptography(createKeyRing(), clock),
    sites: store.sites,
    directory: createCachedDirectory({ sites: store.sites, clock, maxEntries: 1 }),
  };
  const { isFirst, demoKeys } = await initialize(ports, directory, config.baseUrl).finally(() => store.close());
  if (demoKeys === undefined) {
    process.stderr.write(`stile: ${config.dataDirectory} has accounts, but no demo site whose secret is known.\n`);
    return 1;
  }
  if (options.json) {
    process.stdout.write(`${JSON.stringify({ site_key: demoKeys.siteKey, secret_key: demoKeys.secretKey })}\n`);
  } else {
    process.stdout.write(
      isFirst ? "Made the first account and the demo site.\n" : "The store is initialized already.\n",
    );
    process.stdout.write(`Site key    ${demoKeys.siteKey}\nSecret key  ${demoKeys.secretKey}\n`);
  }
  return 0;
}
