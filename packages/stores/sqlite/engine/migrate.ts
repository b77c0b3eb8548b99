import type { DatabaseSync } from "node:sqlite";
import { MIGRATIONS } from "../schema/sqlite-schema.ts";
import { selectOne } from "./select.ts";

/**
 * The database was written by a later version of the service; the message says what to do. Nothing
 * was changed.
 */
export class NewerDatabase extends Error {
  override readonly name = "NewerDatabase";
}

/** Throws NewerDatabase if the database took a step beyond the `known` number of steps. */
export function refuseNewer(step: number, known: number = MIGRATIONS.length): void {
  if (step <= known) return;
  throw new NewerDatabase(
    `The database was written by a newer version of Stile (its tables are at step ${step}, this version ` +
      `knows ${known}), or before 0.1.0. Start that version or a later one, or restore a backup made with this one.`,
  );
}

/**
 * Brings the tables up to date, with all missing steps in one transaction: a crash or a failed step
 * leaves the database as it was, and the version that wrote it can still start. Does nothing if the
 * database is up to date. Throws NewerDatabase; throws SQLITE_BUSY while another process writes,
 * and can then simply be called again.
 */
export function migrate(database: DatabaseSync, migrations: readonly string[] = MIGRATIONS): void {
  inTransaction(database, () => {
    database.exec("CREATE TABLE IF NOT EXISTS migrations (number INTEGER PRIMARY KEY) STRICT");
    const { last } = selectOne<{ last: number }>(
      database,
      "SELECT coalesce(max(number), 0) AS last FROM migrations",
    );
    refuseNewer(last, migrations.length);
    const insert = database.prepare("INSERT INTO migrations (number) VALUES (?)");
    for (const [index, sql] of migrations.entries()) {
      if (index < last) continue;
      database.exec(sql);
      insert.run(index + 1);
    }
  });
}

function inTransaction(database: DatabaseSync, work: () => void): void {
  database.exec("BEGIN IMMEDIATE");
  try {
    work();
    database.exec("COMMIT");
  } catch (error) {
    if (database.isTransaction) database.exec("ROLLBACK");
    throw error;
  }
}
