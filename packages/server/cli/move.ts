import { moveToPostgres } from "@stile/stores/move/move-to-postgres";
import type { Config } from "../config.ts";
import { openDataDirectory } from "../data-directory.ts";
import { DataDirectoryProblem } from "../data-directory-problem.ts";
import { checkInstallation, checkMasterKey } from "../installation.ts";

/** Says on a terminal how far a table is. */
function showRows(table: string, rows: number): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K  ${table}: ${rows}`);
}

/**
 * Carries the installation of the data directory over to an empty PostgreSQL database, by `to` or STILE_DATABASE_URL, and prints the
 * number of rows of each table (D16). The server must be stopped.
 */
export async function move(config: Config, to: string | undefined): Promise<number> {
  const url = to ?? config.databaseUrl;
  if (url === undefined)
    throw new DataDirectoryProblem("Name the empty database: --to postgres://USER:PASSWORD@HOST/NAME");
  const directory = openDataDirectory(config.dataDirectory);
  const finding = checkInstallation(directory, false);
  if (finding.kind !== "installation") {
    throw new DataDirectoryProblem(`There is no installation in ${config.dataDirectory} to move.`);
  }
  checkMasterKey(directory, config.masterKey, finding);
  directory.checkRoom();
  directory.lock();
  try {
    const onUpgrade = (copy: string): void => {
      process.stderr.write(`stile: the database was upgraded to this version; as it was, it lies in ${copy}\n`);
    };
    const { counts, isRetired } = await moveToPostgres({
      file: directory.databaseFile,
      url,
      onUpgrade,
      onRows: showRows,
    });
    if (process.stderr.isTTY) process.stderr.write("\r\x1b[K");
    for (const { table, rows } of counts) process.stdout.write(`${String(rows).padStart(10)}  ${table}\n`);
    if (isRetired) {
      process.stdout.write(
        "The SQLite database was a copy, so tokens issued before are refused and none counts twice.\n",
      );
    }
    process.stdout.write(
      "All of it was moved, and each table has as many rows as before. Set STILE_DATABASE_URL to that address and start the " +
        "service; further nodes need the same master key.\n" +
        `What was there before lies in ${directory.movedFile}; remove it when all is well.\n`,
    );
    return 0;
  } finally {
    directory.unlock();
  }
}
