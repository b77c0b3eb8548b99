import { existsSync, renameSync } from "node:fs";
import { resolve } from "node:path";
import { removeDraft } from "@stile/stores/private-draft";
import {
  copyDatabase,
  type DatabaseFinding,
  endWaysIn,
  holdAlone,
  inspectDatabase,
} from "@stile/stores/sqlite/engine/database-file";
import { refuseNewer } from "@stile/stores/sqlite/engine/migrate";
import type { Config } from "../config.ts";
import { type DataDirectory, openDataDirectory } from "../data-directory.ts";
import { DataDirectoryProblem } from "../data-directory-problem.ts";
import { makeForOwner } from "../give-to-owner.ts";
import { checkMasterKey } from "../installation.ts";
import { AS_IT_WAS, restoreShared } from "./shared-backup.ts";

/** Reads every page; throws with what is wrong before anything is touched. */
function checkBackup(file: string): DatabaseFinding {
  const finding = inspectDatabase(file, true);
  if (finding.kind === "missing") throw new DataDirectoryProblem(`There is no file ${file}.`);
  if (finding.kind === "installation") {
    refuseNewer(finding.step);
    return finding;
  }
  if (finding.kind === "unreadable") {
    throw new DataDirectoryProblem(
      `${file} can't be read (${finding.detail}). Check that it is a file that this user may read, and the disk.`,
    );
  }
  const detail = "detail" in finding ? finding.detail : "there is no installation in it";
  throw new DataDirectoryProblem(`${file} can't be restored: ${detail}.`);
}

/** Whether there is a master key, and it opens the service keys in the backup; throws if not. */
function checkKeys(config: Config, directory: DataDirectory, finding: DatabaseFinding): void {
  if (config.masterKey === undefined && !existsSync(directory.masterKeyFile)) {
    throw new DataDirectoryProblem(
      `The master key is missing. Put it at ${directory.masterKeyFile}, or set STILE_MASTER_KEY, and run this again.`,
    );
  }
  checkMasterKey(directory, config.masterKey, finding);
}

/** What SQLite keeps of a database. The log and its index belong to that file alone: another in its place would take in what they hold. */
const PARTS = ["", "-wal", "-shm"] as const;

/** Has nobody else work on the database that goes; the answer lets go of it. Throws DataDirectoryProblem if somebody does. */
function holdOld({ databaseFile, path }: DataDirectory): () => void {
  try {
    return holdAlone(databaseFile);
  } catch (cause) {
    throw new DataDirectoryProblem(`A command works on ${path}. Wait until it has ended, and run this again.`, {
      cause,
    });
  }
}

/**
 * Puts what is there aside, so that a restore of the wrong file loses nothing; answers where. The database goes first: what is
 * interrupted then leaves a log without a database, on which nothing starts, and not a database without its log.
 */
function putAside(databaseFile: string): string | undefined {
  const found = PARTS.filter((suffix) => existsSync(databaseFile + suffix));
  const aside = `${databaseFile}.before-restore-${new Date().toISOString().replaceAll(":", "-")}`;
  for (const suffix of found) renameSync(databaseFile + suffix, aside + suffix);
  return found[0] === undefined ? undefined : aside + found[0];
}

/**
 * Puts a backup in the place of the database (D16). The server must be stopped. What was issued before is refused from the next
 * start on, since the backup does not know what was spent after it (decision 0018). `mayReplace`: also where PostgreSQL holds an
 * installation, which is not kept aside.
 */
export async function restore(config: Config, path: string, mayReplace = false): Promise<number> {
  const file = resolve(path);
  if (config.databaseUrl !== undefined) return await restoreShared(config, config.databaseUrl, file, mayReplace);
  const finding = checkBackup(file);
  const directory = openDataDirectory(config.dataDirectory);
  checkKeys(config, directory, finding);
  directory.checkRoom();
  directory.lock();
  const draft = directory.restoreDraft;
  try {
    // One that was killed may have left its own.
    removeDraft(draft);
    makeForOwner(draft);
    await copyDatabase(file, draft);
    endWaysIn(draft);
    const letGo = holdOld(directory);
    const aside = putAside(directory.databaseFile);
    renameSync(draft, directory.databaseFile);
    letGo();
    process.stdout.write(
      `Restored ${file}. Start the server; tokens issued before are refused, so that none counts twice.\n${AS_IT_WAS}`,
    );
    if (aside !== undefined)
      process.stdout.write(`The database from before is now ${aside}; remove it once all is well.\n`);
    return 0;
  } finally {
    removeDraft(draft);
    directory.unlock();
  }
}
