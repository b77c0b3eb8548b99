import { existsSync } from "node:fs";
import { backupPostgres } from "@stile/stores/postgres/archive/postgres-backup";
import { restorePostgres } from "@stile/stores/postgres/archive/postgres-restore";
import type { Config } from "../config/config.ts";
import { openDataDirectory } from "../data-directory/data-directory.ts";
import { AS_IT_WAS, checkBackupKeys } from "./check-backup.ts";

/** Backs up a database that nodes share, into a new file (D16, operator). */
export async function backupShared(config: Config, url: string, file: string): Promise<number> {
  await backupPostgres(url, file);
  process.stdout.write(`Wrote the whole database to ${file}, and verified the copy.\n`);
  const { masterKeyFile } = openDataDirectory(config.dataDirectory);
  const key =
    config.masterKey === undefined && existsSync(masterKeyFile) ? masterKeyFile : "the master key";
  process.stdout.write(`Also keep ${key}, in another place. A backup is useless without it.\n`);
  return 0;
}

/**
 * Restores such a file while all nodes are stopped. Afterwards everything issued before is refused
 * (D16, operator).
 */
export async function restoreShared(
  config: Config,
  url: string,
  file: string,
  mayReplace: boolean,
): Promise<number> {
  const directory = openDataDirectory(config.dataDirectory);
  await restorePostgres(url, file, mayReplace, ({ serviceKeys }) =>
    checkBackupKeys(config, directory, file, serviceKeys),
  );
  process.stdout.write(
    `Restored ${file}. Start the nodes. Tokens issued before are refused, so that none is redeemed twice.\n${AS_IT_WAS}`,
  );
  return 0;
}
