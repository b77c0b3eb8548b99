import { closeSync, existsSync, openSync, readSync } from "node:fs";
import type { WrappedServiceKey } from "@stile/core/ports/service-keys";
import { COMMAND_LINE } from "../command-line.ts";
import type { Config } from "../config/config.ts";
import { WrongMasterKey } from "../cryptography/wrapped-key.ts";
import type { DataDirectory } from "../data-directory/data-directory.ts";
import { DataDirectoryProblem } from "../data-directory/data-directory-problem.ts";
import { checkMasterKey } from "../data-directory/installation.ts";

/**
 * Warns that a restore brings back everything that was revoked since the backup, and removes
 * everything that was created since.
 */
export const AS_IT_WAS =
  "Everyone must sign in again, and you must create links again. All other data is as it was when the backup was made. Secret keys that\n" +
  "were revoked since and passwords that were changed since are valid again, and removed members are back. Check these first.\n" +
  "Secret keys, sites and members that were created since are gone.\n";

const SQLITE = "SQLite format 3";
const POSTGRES = "PGDMP";

/** The first bytes; "" for a file that can't be read, since the next read reports why. */
function firstBytes(file: string): string {
  let handle: number | undefined;
  try {
    handle = openSync(file, "r");
    const bytes = Buffer.alloc(SQLITE.length);
    return bytes.toString("latin1", 0, readSync(handle, bytes));
  } catch {
    return "";
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}

/** Throws DataDirectoryProblem if the backup is from another engine than the settings name. */
export function refuseOtherEngine({ databaseUrl }: Config, file: string): void {
  const begins = firstBytes(file);
  if (databaseUrl === undefined && begins.startsWith(POSTGRES))
    throw new DataDirectoryProblem(
      `${file} is a backup of PostgreSQL. Set STILE_DATABASE_URL to the database to restore it into, and run this again.`,
    );
  if (databaseUrl !== undefined && begins.startsWith(SQLITE))
    throw new DataDirectoryProblem(
      `${file} is a backup of SQLite. Restore it without STILE_DATABASE_URL. Then set that again and move the data to PostgreSQL: ${COMMAND_LINE} move`,
    );
}

/**
 * Checks that a master key exists and opens the backup's keys. Throws DataDirectoryProblem or
 * WrongMasterKey.
 */
export function checkBackupKeys(
  { masterKey }: Config,
  directory: DataDirectory,
  file: string,
  serviceKeys: readonly Pick<WrappedServiceKey, "keyId" | "wrapped">[],
): void {
  const { masterKeyFile } = directory;
  if (masterKey === undefined && !existsSync(masterKeyFile))
    throw new DataDirectoryProblem(
      `The master key is missing. Put it at ${masterKeyFile}, or set STILE_MASTER_KEY, and run this again.`,
    );
  try {
    checkMasterKey(directory, masterKey, { kind: "installation", step: 0, serviceKeys });
  } catch (cause) {
    if (!(cause instanceof WrongMasterKey)) throw cause;
    const place =
      masterKey === undefined
        ? `at ${masterKeyFile}, or set STILE_MASTER_KEY`
        : "into STILE_MASTER_KEY";
    throw new WrongMasterKey(
      `The master key does not open the keys in ${file}. Put the key that was kept with this backup ${place}, and run this again.`,
      { cause },
    );
  }
}
