import type { DatabaseSync } from "node:sqlite";
import type { DatabaseConnections, Query } from "../postgres/engine/database.ts";
import { DatabaseProblem } from "../postgres/engine/database-problem.ts";
import { MIGRATION_LOCK } from "../postgres/engine/migrate-postgres.ts";
import { selectOne } from "../sqlite/engine/select.ts";
import { readMove } from "./move-mark.ts";
import { writeMark } from "./move-source.ts";

/** The identity of a database: its cluster, and its number within the cluster. */
export async function readIdentity(query: Query): Promise<string> {
  const { rows } = await query<{ identity: string }>(
    `SELECT system_identifier || '/' || (SELECT oid FROM pg_database WHERE datname = current_database()) AS identity
      FROM pg_control_system()`,
  );
  return rows[0]?.identity ?? "";
}

/**
 * Whether the move that filled the database was committed. Waits for a commit that is still
 * running.
 */
async function hasArrived(query: Query, source: DatabaseSync): Promise<boolean> {
  await query("SELECT pg_advisory_xact_lock($1)", [MIGRATION_LOCK]);
  const { rows } = await query<{ isThere: boolean }>(
    `SELECT to_regclass('accounts') IS NOT NULL AS "isThere"`,
  );
  if (rows[0]?.isThere !== true) return false;
  const { accountId } = selectOne<{ accountId: string }>(
    source,
    "SELECT account_id AS accountId FROM accounts ORDER BY account_id LIMIT 1",
  );
  const { count } = await query("SELECT FROM accounts WHERE account_id = $1", [accountId]);
  return count > 0;
}

/**
 * Finds out what became of a move that ended between marking SQLite and the commit in PostgreSQL.
 * Marks SQLite accordingly: as moved, or as serving as if nothing had happened. Returns undefined
 * if there was no such move. `to` is the identity of the database. Throws DatabaseProblem if the
 * move went to another database, or was completed long ago.
 */
export async function settleMove(
  source: DatabaseSync,
  file: string,
  jobs: DatabaseConnections,
  to: string,
): Promise<"done" | "undone" | undefined> {
  const move = readMove(source);
  if (move === undefined) return undefined;
  if (move.isDone) {
    throw new DatabaseProblem(
      "The installation was moved already. Set STILE_DATABASE_URL and restart the service.",
    );
  }
  if (move.to !== to) {
    throw new DatabaseProblem(
      "A move to another database was not finished. Run it again with the address of that one; if it is gone, stop the service " +
        `and run the command "restore ${file}"`,
    );
  }
  const isDone = await jobs.transaction((query) => hasArrived(query, source));
  await writeMark(source, isDone ? { to, isDone } : undefined);
  return isDone ? "done" : "undone";
}
