import { moveToPostgres } from "@stile/stores/move/move-to-postgres";
import type { Config } from "../config/config.ts";
import { type DataDirectory, openDataDirectory } from "../data-directory/data-directory.ts";
import { DataDirectoryProblem } from "../data-directory/data-directory-problem.ts";
import { checkMasterKey, lookAtInstallation } from "../data-directory/installation.ts";
import { noInstallation } from "./no-installation.ts";

const isTerminal = process.stderr.isTTY === true;

/** Shows the progress of a table on a terminal. */
function showRows(table: string, rows: number): void {
  if (isTerminal) process.stderr.write(`\r\x1b[K  ${table}: ${rows}`);
}

const onUpgrade = (copy: string): void => {
  process.stderr.write(
    `stile: the database was upgraded to this version; a copy from before the upgrade is in ${copy}\n`,
  );
};

async function carryOver(
  { databaseFile, path }: DataDirectory,
  url: string,
  isServed: boolean,
): Promise<string[]> {
  const moved = await moveToPostgres({
    file: databaseFile,
    url,
    isServed,
    onUpgrade,
    onRows: showRows,
  });
  if (isTerminal) process.stderr.write("\r\x1b[K");
  const next = `Set STILE_DATABASE_URL to that address and ${isServed ? "restart" : "start"} the service. Other nodes need the same master key.`;
  if (moved.kind === "was moved") return ["The previous move had already finished.", next];
  const counts = moved.counts.map(({ table, rows }) => `${String(rows).padStart(10)}  ${table}`);
  const copied =
    "The SQLite database was a restored copy, so tokens issued before are refused and none can be redeemed twice.";
  const held = `The running service redeemed tokens until ${Math.ceil(moved.heldMs)} ms before the end. It answers 503 until it is restarted.`;
  return [
    ...counts,
    ...(moved.isRetired ? [copied] : []),
    "Everything was moved. Every table has as many rows as before.",
    ...(isServed ? [held] : []),
    next,
    `Keep ${path}, which contains this node's own files. The database in it is no longer used. Remove ${databaseFile} when everything works.`,
  ];
}

/**
 * Moves the installation of the data directory to the empty PostgreSQL database of
 * STILE_DATABASE_URL, and prints the number of rows of each table (D16, operator). A server may be
 * running; its writes are refused at the end.
 */
export async function move(config: Config): Promise<number> {
  const { databaseUrl: url } = config;
  if (url === undefined) {
    throw new DataDirectoryProblem(
      "Set STILE_DATABASE_URL to the address of the empty database, postgres://USER:PASSWORD@HOST/NAME, or name a file with this address in STILE_DATABASE_URL_FILE.",
    );
  }
  const directory = openDataDirectory(config.dataDirectory);
  const finding = lookAtInstallation(directory, false);
  if (finding.kind !== "installation") {
    throw noInstallation(config);
  }
  checkMasterKey(directory, config.masterKey, finding);
  directory.checkRoom();
  const isServed = directory.isServed();
  if (!isServed) directory.lock();
  try {
    const lines = await carryOver(directory, url, isServed);
    process.stdout.write(`${lines.join("\n")}\n`);
    return 0;
  } finally {
    if (!isServed) directory.unlock();
  }
}
