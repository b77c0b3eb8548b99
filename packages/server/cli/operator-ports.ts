import type { ServicePorts } from "@stile/core/ports/service-ports";
import type { Store } from "@stile/core/ports/store";
import { createCachedDirectory } from "@stile/stores/process/cached-directory";
import { readStep } from "@stile/stores/sqlite/engine/database-file";
import { MIGRATIONS } from "@stile/stores/sqlite/schema/sqlite-schema";
import { openSqliteStore } from "@stile/stores/sqlite/sqlite-store";
import type { Config } from "../config/config.ts";
import { createKeyRing } from "../cryptography/key-ring.ts";
import { createNodeCryptography } from "../cryptography/node-cryptography.ts";
import type { DataDirectory } from "../data-directory/data-directory.ts";
import { DataDirectoryProblem } from "../data-directory/data-directory-problem.ts";
import { makeForOwner } from "../data-directory/give-to-owner.ts";
import { checkInstallation } from "../data-directory/installation.ts";

/**
 * Whether there is an installation; a shared database is only checked once it is open. Creates
 * nothing.
 */
export function hasInstallation(
  { databaseUrl }: Config,
  directory: DataDirectory,
  mayCreateNew = false,
): boolean {
  return (
    databaseUrl !== undefined || checkInstallation(directory, mayCreateNew).kind === "installation"
  );
}

/** The ports that the commands need. */
export type OperatorPorts = Pick<
  ServicePorts,
  "clock" | "cryptography" | "sites" | "directory" | "members" | "links" | "auditLog"
>;

/** How long, in ms, a command waits for a server that holds the database. Visitors wait less. */
const PATIENCE_MS = 15_000;

/**
 * Throws DataDirectoryProblem if opening would upgrade the database under a running server of an
 * older version.
 */
function refuseUpgradeBelow({ databaseFile, path, isServed }: DataDirectory): void {
  const step = readStep(databaseFile);
  if (step === 0 || step >= MIGRATIONS.length || !isServed()) return;
  throw new DataDirectoryProblem(
    `An older version of Stile runs on ${path}, and can't use a database of this version. Restart it with this version, and run this again.`,
  );
}

/**
 * Opens the store of the directory, or the database of the settings. If it has to be upgraded,
 * reports on standard error where the copy is. Throws DataDirectoryProblem if the upgrade would
 * leave a running server with a newer database.
 */
export async function openOperatorStore(
  config: Config,
  directory: DataDirectory,
  mayCreateNew = false,
): Promise<Store> {
  const { databaseFile, checkRoom } = directory;
  checkRoom();
  const { databaseUrl } = config;
  if (databaseUrl !== undefined) {
    const { openSharedStore } = await import("../compose/compose-store.ts");
    return await openSharedStore({ config, directory, mayCreateNew }, { url: databaseUrl });
  }
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
 * Ports for a store that a server may be using too. Like a server, they never go behind the newest
 * time in the store. Otherwise, after the system's clock was ahead for a while, the server would
 * treat a new link as expired.
 */
export async function openOperatorPorts(store: Store): Promise<OperatorPorts> {
  const newestMs = await store.housekeeping.newestMs();
  const clock = { nowMs: () => Math.max(newestMs, Date.now()) };
  return {
    clock,
    // Keys and links need only digests and random bytes, and no service key.
    cryptography: createNodeCryptography(createKeyRing(), clock),
    sites: store.sites,
    directory: createCachedDirectory({ sites: store.sites, clock, maxEntries: 1 }),
    members: store.members,
    links: store.links,
    auditLog: store.auditLog,
  };
}
