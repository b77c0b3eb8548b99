import { existsSync, realpathSync, renameSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { removeDraft } from "@stile/stores/private-draft";
import {
  beginAt,
  copyDatabase,
  type DatabaseFinding,
  endWaysIn,
  holdAlone,
  inspectDatabase,
} from "@stile/stores/sqlite/engine/database-file";
import { MIGRATIONS } from "@stile/stores/sqlite/schema/sqlite-schema";
import type { Config } from "../config/config.ts";
import { type DataDirectory, openDataDirectory } from "../data-directory/data-directory.ts";
import { DataDirectoryProblem } from "../data-directory/data-directory-problem.ts";
import { makeForOwner } from "../data-directory/give-to-owner.ts";
import { AS_IT_WAS, checkBackupKeys, refuseOtherEngine } from "./check-backup.ts";

const NAME_A_BACKUP = "Name the file that backup wrote";

/**
 * Throws DataDirectoryProblem if there is no file to read. Reading a pipe would wait for its
 * writer.
 */
function checkIsFile(file: string): void {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined) throw new DataDirectoryProblem(`There is no file ${file}.`);
  if (found.isDirectory())
    throw new DataDirectoryProblem(`${file} is a directory. ${NAME_A_BACKUP}.`);
  if (!found.isFile())
    throw new DataDirectoryProblem(
      `${file} is not a file but a pipe or a device. ${NAME_A_BACKUP}, unpacked.`,
    );
}

/** Reads every page of the backup. Throws if something is wrong, before anything is changed. */
function checkBackup(file: string): Extract<DatabaseFinding, { readonly kind: "installation" }> {
  const finding = inspectDatabase(file, true);
  if (finding.kind === "installation") {
    const known = MIGRATIONS.length;
    if (finding.step <= known) return finding;
    throw new DataDirectoryProblem(
      `${file} was made with a newer version of Stile (its tables are at step ${finding.step}, this version knows ${known}). Restore it with that version or a later one.`,
    );
  }
  if (finding.kind === "unreadable") {
    throw new DataDirectoryProblem(
      `${file} can't be read (${finding.detail}). Check that it is a file that this user may read, and the disk.`,
    );
  }
  const detail = "detail" in finding ? finding.detail : "there is no installation in it";
  throw new DataDirectoryProblem(
    `${file} can't be restored: ${detail}. It is incomplete or not a backup. Use another one.`,
  );
}

/**
 * The files of a SQLite database. Log and index belong to that file only; another file with that
 * name would absorb them.
 */
const PARTS = ["", "-wal", "-shm"] as const;

/**
 * Keeps all other processes from the old database; call the result to release it. Throws
 * DataDirectoryProblem if it is in use.
 */
function holdOld({ databaseFile, path }: DataDirectory): () => void {
  try {
    return holdAlone(databaseFile);
  } catch (cause) {
    throw new DataDirectoryProblem(
      `Another command is using ${path}. Wait until it has ended, and run this again.`,
      {
        cause,
      },
    );
  }
}

/**
 * Moves the existing database aside, so that restoring the wrong file loses nothing; returns its
 * new path. The database file goes first. If this is interrupted, a log without a database remains,
 * with which nothing starts. The reverse order could leave a database without its log.
 */
function putAside(databaseFile: string): string | undefined {
  const found = PARTS.filter((suffix) => existsSync(databaseFile + suffix));
  const aside = `${databaseFile}.before-restore-${new Date().toISOString().replaceAll(":", "-")}`;
  for (const suffix of found) renameSync(databaseFile + suffix, aside + suffix);
  return found[0] === undefined ? undefined : aside + found[0];
}

/**
 * Replaces the database by a backup (D16, operator). The server must be stopped. The next start
 * refuses everything issued before, because the backup lacks the marks of what was spent after it
 * was made (decision 0010, retired keys). With `mayReplace` it also replaces an installation in
 * PostgreSQL, which is not kept.
 */
export async function restore(config: Config, path: string, mayReplace = false): Promise<number> {
  const file = resolve(path);
  checkIsFile(file);
  refuseOtherEngine(config, file);
  if (config.databaseUrl !== undefined) {
    const { restoreShared } = await import("./shared-backup.ts");
    return await restoreShared(config, config.databaseUrl, file, mayReplace);
  }
  const { serviceKeys } = checkBackup(file);
  const directory = openDataDirectory(config.dataDirectory);
  const draft = directory.restoreDraft;
  if (existsSync(draft) && realpathSync(draft) === realpathSync(file))
    throw new DataDirectoryProblem(
      `${file} is left over from an interrupted restore. ${NAME_A_BACKUP}.`,
    );
  checkBackupKeys(config, directory, file, serviceKeys);
  directory.checkRoom();
  directory.lock();
  try {
    // An earlier restore that was killed may have left its draft.
    removeDraft(draft);
    makeForOwner(draft);
    await copyDatabase(file, draft);
    endWaysIn(draft);
    beginAt(draft, Date.now());
    const letGo = holdOld(directory);
    const aside = putAside(directory.databaseFile);
    renameSync(draft, directory.databaseFile);
    letGo();
    process.stdout.write(
      `Restored ${file}. Start the server. Tokens issued before are refused, so that none is redeemed twice.\n${AS_IT_WAS}`,
    );
    if (aside !== undefined)
      process.stdout.write(`The old database is now ${aside}. Remove it when everything works.\n`);
    return 0;
  } finally {
    removeDraft(draft);
    directory.unlock();
  }
}
