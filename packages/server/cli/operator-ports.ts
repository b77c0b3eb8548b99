import type { ServicePorts } from "@stile/core/ports/service-ports";
import type { Store } from "@stile/core/ports/store";
import { createCachedDirectory } from "@stile/stores/cached-directory";
import { readStep } from "@stile/stores/sqlite/engine/database-file";
import { MIGRATIONS } from "@stile/stores/sqlite/engine/migrate";
import { openSqliteStore } from "@stile/stores/sqlite/sqlite-store";
import { openSharedStore } from "../compose/compose-store.ts";
import type { Config } from "../config/config.ts";
import { createKeyRing } from "../cryptography/key-ring.ts";
import { createNodeCryptography } from "../cryptography/node-cryptography.ts";
import type { DataDirectory } from "../data-directory/data-directory.ts";
import { DataDirectoryProblem } from "../data-directory/data-directory-problem.ts";
import { makeForOwner } from "../data-directory/give-to-owner.ts";
import { checkInstallation } from "../data-directory/installation.ts";

/** Whether there is anything to look at; a database that nodes share tells it once it is open. Makes nothing. */
export function hasInstallation({ databaseUrl }: Config, directory: DataDirectory, mayBeginAnew = false): boolean {
  return databaseUrl !== undefined || checkInstallation(directory, mayBeginAnew).kind === "installation";
}

/** What is thrown where there is none: most often the command was run without the settings of the service. */
export const noInstallation = ({ dataDirectory }: Config): DataDirectoryProblem =>
  new DataDirectoryProblem(
    `There is no installation in ${dataDirectory}. Run this with the settings of the service, such as its STILE_DATA_DIR, or start the service first.`,
  );

/** What the commands need of the store's rules. */
export type OperatorPorts = Pick<
  ServicePorts,
  "clock" | "cryptography" | "sites" | "directory" | "members" | "links" | "auditLog"
>;

/** How long a command waits for a server that holds the database: nobody waits for a command as a visitor does. */
const PATIENCE_MS = 15_000;

/** Throws DataDirectoryProblem where opening would upgrade the database under a server that knows only the tables as they are. */
function refuseUpgradeBelow({ databaseFile, path, isServed }: DataDirectory): void {
  const step = readStep(databaseFile);
  if (step === 0 || step >= MIGRATIONS.length || !isServed()) return;
  throw new DataDirectoryProblem(
    `An older version of Stile runs on ${path}, and can't use a database of this version. Restart it with this version, and run this again.`,
  );
}

/**
 * Opens the store of the directory, or the database that the settings name; says on standard error where the copy lies if it had to be
 * upgraded. Throws DataDirectoryProblem where a server would be left with a database of a later version.
 */
export async function openOperatorStore(
  config: Config,
  directory: DataDirectory,
  mayBeginAnew = false,
): Promise<Store> {
  const { databaseFile, checkRoom } = directory;
  checkRoom();
  const { databaseUrl } = config;
  // Not the Valkey beside it, so that the commands work while that is away: what they change of a site holds there within 2 s.
  if (databaseUrl !== undefined)
    return await openSharedStore({ config, directory, mayBeginAnew }, { url: databaseUrl });
  const onUpgrade = (copy: string): void => {
    process.stderr.write(
      `stile: the database was upgraded to this version; a copy from before the upgrade is in ${copy}\n`,
    );
  };
  refuseUpgradeBelow(directory);
  makeForOwner(databaseFile);
  return await openSqliteStore({ file: databaseFile, busyDeadlineMs: PATIENCE_MS, onUpgrade });
}

/**
 * Ports over a store that a server may be using too. A server does not go back behind the newest time in the store, so neither do these:
 * where the system's clock was ahead for a while, a link would else be over, for the server, when it is made.
 */
export async function openOperatorPorts(store: Store): Promise<OperatorPorts> {
  const newestMs = await store.housekeeping.newestMs();
  const clock = { nowMs: () => Math.max(newestMs, Date.now()) };
  return {
    clock,
    // Making keys and links takes digests and random bytes only, no key of the service.
    cryptography: createNodeCryptography(createKeyRing(), clock),
    sites: store.sites,
    directory: createCachedDirectory({ sites: store.sites, clock, maxEntries: 1 }),
    members: store.members,
    links: store.links,
    auditLog: store.auditLog,
  };
}
