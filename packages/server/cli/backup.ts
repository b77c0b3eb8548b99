import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { isTaken, keepDraft, makePrivateDraft, removeDraft } from "@stile/stores/private-draft";
import { copyDatabase, inspectDatabase } from "@stile/stores/sqlite/engine/database-file";
import { COMMAND_LINE } from "../command-line.ts";
import type { Config } from "../config/config.ts";
import { openDataDirectory } from "../data-directory/data-directory.ts";
import { DataDirectoryProblem } from "../data-directory/data-directory-problem.ts";
import { refuseMoved } from "../data-directory/installation.ts";
import { explainFile } from "../faults/file-reasons.ts";
import { noInstallation } from "./no-installation.ts";

const SQLITE_FULL = 13;

/**
 * Explains a fault of the file that is being written; undefined for other faults. SQLite names no
 * file when the disk is full, so the fault belongs to this file.
 */
function explainTarget(file: string, cause: unknown): DataDirectoryProblem | undefined {
  const { errcode, path } = cause as NodeJS.ErrnoException & { readonly errcode?: number };
  const explained = explainFile(cause);
  if (
    explained === undefined ||
    !(((errcode ?? 0) & 0xff) === SQLITE_FULL || path?.startsWith(file))
  )
    return undefined;
  const message = `${file} can't be written (${explained.reason}). Fix that, or name a file elsewhere.`;
  return new DataDirectoryProblem(message, { cause });
}

async function backupFile(config: Config, file: string): Promise<number> {
  const directory = openDataDirectory(config.dataDirectory);
  const found = inspectDatabase(directory.databaseFile, false);
  if (found.kind !== "installation") throw noInstallation(config);
  refuseMoved(directory, found);
  const draft = makePrivateDraft(file);
  try {
    await copyDatabase(directory.databaseFile, draft);
    const finding = inspectDatabase(draft, true);
    if (finding.kind !== "installation") {
      const detail = finding.kind === "damaged" ? finding.detail : "it is empty";
      throw new DataDirectoryProblem(
        `The copy has errors (${detail}), so the database is damaged. Run: ${COMMAND_LINE} doctor`,
      );
    }
    if (!keepDraft(draft, file))
      throw new DataDirectoryProblem(`${file} was created in the meantime. Name a new file.`);
  } finally {
    removeDraft(draft);
  }
  process.stdout.write(`Wrote the whole database to ${file}, and verified the copy.\n`);
  if (config.masterKey === undefined && existsSync(directory.masterKeyFile)) {
    process.stdout.write(
      `Also keep ${directory.masterKeyFile}, in another place. A backup is useless without it.\n`,
    );
  }
  return 0;
}

/**
 * Copies the database into a new file, even while a server runs. Then opens the copy and reads
 * every page of it (D16, operator). Refuses to overwrite a file.
 */
export async function backup(config: Config, path: string): Promise<number> {
  const file = resolve(path);
  if (isTaken(file)) throw new DataDirectoryProblem(`${file} already exists. Name a new file.`);
  if (!existsSync(dirname(file)))
    throw new DataDirectoryProblem(`There is no folder ${dirname(file)}. Create it first.`);
  try {
    return config.databaseUrl === undefined
      ? await backupFile(config, file)
      : await (await import("./shared-backup.ts")).backupShared(config, config.databaseUrl, file);
  } catch (cause) {
    throw explainTarget(file, cause) ?? cause;
  }
}
