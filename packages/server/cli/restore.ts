import { existsSync, renameSync, rmSync } from "node:fs";
import { copyDatabase, inspectDatabase } from "@stile/stores/sqlite/database-file";
import { openSqliteStore } from "@stile/stores/sqlite/store";
import type { Config } from "../config.ts";
import { unwrap } from "../cryptography/service-keys.ts";
import { type DataDirectory, DataDirectoryProblem, openDataDirectory } from "../data-directory.ts";
import { readFileName } from "./backup.ts";

/** Reads every page; throws with what is wrong before anything is touched. */
function checkBackup(file: string): void {
  const finding = inspectDatabase(file, true);
  if (finding.kind === "missing") throw new DataDirectoryProblem(`There is no file ${file}.`);
  if (finding.kind === "installation") return;
  const detail = finding.kind === "damaged" ? finding.detail : "there is no installation in it";
  throw new DataDirectoryProblem(`${file} can't be restored: ${detail}.`);
}

/** Whether the master key opens the service keys in it; throws if not. */
async function checkKeys(config: Config, directory: DataDirectory, draft: string): Promise<void> {
  if (config.masterKey === undefined && !existsSync(directory.masterKeyFile)) {
    throw new DataDirectoryProblem(
      `The master key is missing. Put it at ${directory.masterKeyFile}, or set STILE_MASTER_KEY, and run this again.`,
    );
  }
  const store = await openSqliteStore({ file: draft });
  try {
    const masterKey = config.masterKey ?? directory.masterKey();
    for (const key of await store.serviceKeys.listServiceKeys()) unwrap(masterKey, key);
  } finally {
    await store.close();
  }
}

/** Puts what is there aside, so that a restore of the wrong file loses nothing; answers where. */
function putAside(databaseFile: string): string | undefined {
  if (!existsSync(databaseFile)) return undefined;
  const aside = `${databaseFile}.before-restore-${new Date().toISOString().replaceAll(":", "-")}`;
  for (const suffix of ["", "-wal", "-shm"]) {
    if (existsSync(databaseFile + suffix)) renameSync(databaseFile + suffix, aside + suffix);
  }
  return aside;
}

/**
 * Puts a backup in the place of the database (D16). The server must be stopped. What was issued before is refused from the next
 * start on, since the backup does not know what was spent after it (decision 0018).
 */
export async function restore(config: Config, { words }: { readonly words: readonly string[] }): Promise<number> {
  const file = readFileName(words, "restore");
  checkBackup(file);
  const directory = openDataDirectory(config.dataDirectory);
  directory.lock();
  const draft = `${directory.databaseFile}.restoring`;
  try {
    await copyDatabase(file, draft);
    await checkKeys(config, directory, draft);
    const aside = putAside(directory.databaseFile);
    renameSync(draft, directory.databaseFile);
    process.stdout.write(
      `Restored ${file}. Start the server; tokens issued before are refused, so that none counts twice.\n`,
    );
    if (aside !== undefined)
      process.stdout.write(`What was there before lies in ${aside}; remove it when all is well.\n`);
    return 0;
  } finally {
    rmSync(draft, { force: true });
    directory.unlock();
  }
}
