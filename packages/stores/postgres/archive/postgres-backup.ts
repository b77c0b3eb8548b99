import { renameSync, rmSync } from "node:fs";
import { makePrivateDraft } from "../../private-draft.ts";
import { DatabaseProblem } from "../engine/database-problem.ts";
import { inspectPostgres } from "../engine/inspect-postgres.ts";
import { withLibpqEnvironment } from "./libpq-environment.ts";
import { readArchive } from "./postgres-archive.ts";
import { findPostgresPrograms, runProgram } from "./postgres-programs.ts";

/**
 * Writes the whole database into one file by `pg_dump`, also while nodes run, and reads all of it back. Throws
 * DatabaseProblem and then leaves nothing behind.
 */
export async function backupPostgres(url: string, file: string): Promise<void> {
  const { major, step } = await inspectPostgres(url);
  if (step === 0)
    throw new DatabaseProblem("There is no installation in the database of STILE_DATABASE_URL to back up.");
  const programs = findPostgresPrograms(major);
  // The file holds what the database does, so nobody else may read it.
  const draft = makePrivateDraft(file);
  try {
    const args = ["--format=custom", "--no-owner", "--no-privileges", "--no-unlogged-table-data", "--no-password"];
    await withLibpqEnvironment(url, (variables) =>
      runProgram(programs.pgDump, [...args, `--file=${draft}`], {
        variables,
        problem: "The database could not be backed up",
      }),
    );
    await readArchive(programs, draft);
    renameSync(draft, file);
  } finally {
    rmSync(draft, { force: true });
  }
}
