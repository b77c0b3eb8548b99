import { type DatabaseFinding, inspectDatabase } from "@stile/stores/sqlite/database-file";
import { type DataDirectory, DataDirectoryProblem } from "./data-directory.ts";

function explainMissing(directory: DataDirectory, finding: DatabaseFinding, trace: string): string {
  const state = finding.kind === "missing" ? "is missing" : "is empty, as it is when its -wal file was left behind";
  return (
    `${directory.databaseFile} ${state}, but ${trace} belongs to an installation. Put its database back ` +
    '("npm run stile -- restore FILE"), or begin a new installation on purpose with --new.'
  );
}

/**
 * Looks at the database before it is opened, and changes nothing. Throws DataDirectoryProblem if it is damaged, or if starting
 * would begin a new installation without a word in the place of one whose database got lost.
 */
export function checkInstallation(directory: DataDirectory, mayBeginAnew: boolean): void {
  const finding = inspectDatabase(directory.databaseFile, false);
  if (finding.kind === "damaged") {
    throw new DataDirectoryProblem(
      `${directory.databaseFile} is damaged (${finding.detail}). Check STILE_DATA_DIR, or put a backup in its place: npm run stile -- restore FILE`,
    );
  }
  const [trace] = directory.listTraces();
  if (finding.kind === "installation" || mayBeginAnew || trace === undefined) return;
  throw new DataDirectoryProblem(explainMissing(directory, finding, trace));
}
