import { existsSync, renameSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { StoreUnavailable } from "@stile/core/ports/store-unavailable";
import { readConnectionOptions } from "../postgres/engine/connection-options.ts";
import { createDatabase, type Query } from "../postgres/engine/database.ts";
import { DatabaseProblem, explainOpening } from "../postgres/engine/database-problem.ts";
import { migrate } from "../postgres/engine/migrate-postgres.ts";
import { beginWithin } from "../postgres/engine/postgres-generation.ts";
import { selectOne } from "../sqlite/engine/select.ts";
import { openSqliteStore } from "../sqlite/sqlite-store.ts";
import { copyTables, type TableCount } from "./copy-tables.ts";
import { movedFile } from "./moved-file.ts";

/** From which file, to which database; what is told meanwhile: of a copy that an upgrade made, and how far a table is. */
export type MovePlan = {
  readonly file: string;
  readonly url: string;
  readonly onUpgrade: (copy: string) => void;
  readonly onRows: (table: string, rows: number) => void;
};

/** What was moved, and whether the service keys were retired before, since the SQLite database was a copy (decision 0018). */
export type Moved = { readonly counts: readonly TableCount[]; readonly isRetired: boolean };

/** Brings it up to date, and holds it against its generation as a start would: an older copy must not be carried over as whole. */
async function prepareSource({ file, onUpgrade }: MovePlan): Promise<boolean> {
  const store = await openSqliteStore({ file, onUpgrade });
  try {
    return (await store.begin()) === "retired";
  } finally {
    await store.close();
  }
}

function rename(from: string, to: string): void {
  for (const suffix of ["", "-wal", "-shm"]) if (existsSync(from + suffix)) renameSync(from + suffix, to + suffix);
}

/** Whoever puts it back into its place later starts on a copy. */
function endSource(moved: string): void {
  const database = new DatabaseSync(moved);
  try {
    database.exec("UPDATE generations SET is_stopped = 0, boot_id = NULL");
  } finally {
    database.close();
  }
}

/** Fills the empty database within one transaction. */
async function fill(query: Query, source: DatabaseSync, onRows: MovePlan["onRows"]): Promise<readonly TableCount[]> {
  await migrate({ transaction: (work) => work(query) });
  const { rows } = await query<{ accounts: number }>("SELECT count(*) AS accounts FROM accounts");
  if (rows[0]?.accounts !== 0) {
    throw new DatabaseProblem("There is an installation in the PostgreSQL database already; name an empty one.");
  }
  const counts = await copyTables(source, query, onRows);
  await beginWithin(query, undefined);
  const { seenMs } = selectOne<{ seenMs: number }>(source, "SELECT max(seen_ms) AS seenMs FROM generations");
  await query("UPDATE generations SET seen_ms = $1", [seenMs]);
  return counts;
}

async function fillFrom(query: Query, { file, onRows }: MovePlan): Promise<readonly TableCount[]> {
  const source = new DatabaseSync(file);
  try {
    source.exec("BEGIN IMMEDIATE");
    return await fill(query, source, onRows);
  } finally {
    source.close();
  }
}

/** What is told of a move that failed. */
function explain(fault: unknown, { file }: MovePlan, isPutAway: boolean): unknown {
  if (fault instanceof DatabaseProblem) return fault;
  if (isPutAway) {
    return new DatabaseProblem(
      `The connection broke at the very end, so that nobody knows whether the move was done. If the PostgreSQL database has a ` +
        `table "accounts", it was; else rename ${movedFile(file)} to ${file}, and move again.`,
      { cause: fault },
    );
  }
  const { message } = (Object(fault) as { readonly cause?: Error }).cause ?? (fault as Error);
  return new DatabaseProblem(`Nothing was moved, and both databases are as they were (${message}).`, { cause: fault });
}

/**
 * Carries the installation of a SQLite file, which no process may use, over to an empty PostgreSQL database, in one transaction.
 * Service keys are moved as they are, so that tokens stay good; so the file is renamed before the commit, and never serves again by
 * itself. Throws DatabaseProblem; then PostgreSQL is as it was, and the file in its place, but where the message says otherwise.
 */
export async function moveToPostgres(plan: MovePlan): Promise<Moved> {
  const { file, url } = plan;
  const options = readConnectionOptions(url);
  if (existsSync(movedFile(file))) throw new DatabaseProblem(`${movedFile(file)} is in the way; move it elsewhere.`);
  const database = await createDatabase(options);
  let isPutAway = false;
  try {
    await database.jobs.read("SELECT 1").catch((fault: unknown) => {
      throw explainOpening(Object(fault).cause ?? fault, options.place);
    });
    const isRetired = await prepareSource(plan);
    const counts = await database.jobs.transaction(async (query) => {
      const copied = await fillFrom(query, plan);
      // Before the commit: at no moment may both of them serve.
      rename(file, movedFile(file));
      isPutAway = true;
      return copied;
    });
    endSource(movedFile(file));
    return { counts, isRetired };
  } catch (fault) {
    if (isPutAway && !(fault instanceof StoreUnavailable)) {
      rename(movedFile(file), file);
      isPutAway = false;
    }
    throw explain(fault, plan, isPutAway);
  } finally {
    await database.close();
  }
}
