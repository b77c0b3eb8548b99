import { rmSync } from "node:fs";
import { keepDraft, makePrivateDraft } from "../../private-draft.ts";
import { DatabaseProblem } from "../engine/database-problem.ts";
import { inspectPostgres } from "../engine/inspect-postgres.ts";
import { MARK_TABLES } from "../engine/partitions.ts";
import { withLibpqEnvironment } from "./libpq-environment.ts";
import { readArchive } from "./postgres-archive.ts";
import { findPostgresPrograms, runProgram } from "./postgres-programs.ts";

/**
 * pg_dump's error, in the server's language, names a partition that a node removed before pg_dump
 * locked it.
 */
const GONE = new RegExp(`\\b(${MARK_TABLES.join("|")})_\\d+\\b`);
/** Nodes remove partitions every 15 minutes. */
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
 * Writes the whole database into one file with `pg_dump`, even while nodes run, and reads all of it
 * back. Throws DatabaseProblem, and then leaves no file behind.
 */
export async function backupPostgres(url: string, file: string): Promise<void> {
  const { major, isEmpty } = await inspectPostgres(url);
  if (isEmpty)
    throw new DatabaseProblem(
      "There is no installation in the database of STILE_DATABASE_URL to back up.",
    );
  const programs = findPostgresPrograms(major);
  // The file has all data of the database, so only its owner may read it.
  const draft = makePrivateDraft(file);
  try {
    await dump(programs.pgDump, url, draft);
    await readArchive(programs, draft);
    if (!keepDraft(draft, file))
      throw new DatabaseProblem(`${file} was created in the meantime. Name a new file.`);
  } finally {
    rmSync(draft, { force: true });
  }
}
