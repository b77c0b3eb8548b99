import type { DatabaseSync } from "node:sqlite";
import { MIGRATIONS } from "../schema/sqlite-schema.ts";
import { selectOne } from "./select.ts";

/**
 * A later version of the service wrote the database. Nothing was changed, and the message says what
 * to do.
 */
export class NewerDatabase extends Error {
  override readonly name = "NewerDatabase";
}

/** Throws NewerDatabase if the database has a step beyond the `known` number of steps. */
export function refuseNewer(step: number, known: number = MIGRATIONS.length): void {
  if (step <= known) return;
  throw new NewerDatabase(
    `The database was written by a newer version of Stile (its tables are at step ${step}, this version ` +
      `knows ${known}), or before 0.1.0. Start that version or a later one, or restore a backup made with this one.`,
  );
}

/**
 * Applies all missing steps in one transaction. If it crashes or a step fails, the database stays
 * as it was, and the version that wrote it can still start. Throws NewerDatabase. Throws
 * SQLITE_BUSY while another process writes; call it again then.
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
