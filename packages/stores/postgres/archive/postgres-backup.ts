import { rmSync } from "node:fs";
import { keepDraft, makePrivateDraft } from "../../private-draft.ts";
import { DatabaseProblem } from "../engine/database-problem.ts";
import { inspectPostgres } from "../engine/inspect-postgres.ts";
import { MARK_TABLES } from "../engine/partitions.ts";
import { withLibpqEnvironment } from "./libpq-environment.ts";
import { readArchive } from "./postgres-archive.ts";
import { findPostgresPrograms, runProgram } from "./postgres-programs.ts";

/**
 * pg_dump names a partition, in the server's language, that it saw and that a node had removed
 * before it was locked.
 */
const GONE = new RegExp(`\\b(${MARK_TABLES.join("|")})_\\d+\\b`);
/** Nodes remove partitions every quarter of an hour. */
const MOST_TRIES = 3;

async function dump(pgDump: string, url: string, draft: string): Promise<void> {
  const options = [
    "--format=custom",
    "--no-owner",
    "--no-privileges",
    "--no-unlogged-table-data",
    "--no-password",
  ];
  const args = [...options, `--file=${draft}`];
  const problem = "The database could not be backed up";
  for (let left = MOST_TRIES - 1; ; left--) {
    try {
      await withLibpqEnvironment(url, (variables) =>
        runProgram(pgDump, args, { variables, problem }),
      );
      return;
    } catch (fault) {
      if (left === 0 || !GONE.test((fault as Error).message)) throw fault;
    }
  }
}

/**
 * Writes the whole database into one file by `pg_dump`, also while nodes run, and reads all of it
 * back. Throws DatabaseProblem and then leaves nothing behind.
 */
export async function backupPostgres(url: string, file: string): Promise<void> {
  const { major, isEmpty } = await inspectPostgres(url);
  if (isEmpty)
    throw new DatabaseProblem(
      "There is no installation in the database of STILE_DATABASE_URL to back up.",
    );
  const programs = findPostgresPrograms(major);
  // The file holds what the database does, so nobody else may read it.
  const draft = makePrivateDraft(file);
  try {
    await dump(programs.pgDump, url, draft);
    await readArchive(programs, draft);
    if (!keepDraft(draft, file))
      throw new DatabaseProblem(`${file} exists by now. Name a new file.`);
  } finally {
    rmSync(draft, { force: true });
  }
}
