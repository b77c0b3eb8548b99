import type { Connections, Query } from "./database.ts";
import { DatabaseProblem } from "./database-problem.ts";
import { POSTGRES_MIGRATIONS } from "./postgres-migrations.ts";

/** Names the lock that a node holds while it brings the tables up to date: any number that no other program uses. */
export const MIGRATION_LOCK = 5_762_114_907;
/** The oldest that has all that is used here. */
const OLDEST_VERSION = 140_000;

type Engine = { readonly version: number; readonly encoding: string; readonly isStandby: boolean };

/** Throws DatabaseProblem for an engine, or a database, in which no tables of ours can be. */
export async function checkEngine(query: Query): Promise<void> {
  const { rows } = await query<Engine>(`SELECT current_setting('server_version_num')::int AS version,
    current_setting('server_encoding') AS encoding, pg_is_in_recovery() AS "isStandby"`);
  const [engine] = rows;
  if (engine === undefined) throw new Error("the engine says nothing of itself");
  if (engine.version < OLDEST_VERSION) {
    const version = Math.floor(engine.version / 10_000);
    throw new DatabaseProblem(
      `This is PostgreSQL ${version}, and Stile needs 14 or newer; name another in STILE_DATABASE_URL.`,
    );
  }
  if (engine.encoding !== "UTF8") {
    throw new DatabaseProblem(
      `The database is encoded in ${engine.encoding}, and names are in all languages; make one with: createdb -T template0 -E UTF8 NAME`,
    );
  }
  if (engine.isStandby) {
    throw new DatabaseProblem(
      "This PostgreSQL is a standby, which can't be written to; name the primary in STILE_DATABASE_URL.",
    );
  }
}

/**
 * Brings the tables up to date, all missing steps in one transaction, while every other node that starts waits. Throws
 * DatabaseProblem for a database that a later version wrote, or an engine that is too old.
 */
export async function migrate(
  jobs: Pick<Connections, "transaction">,
  migrations: readonly string[] = POSTGRES_MIGRATIONS,
): Promise<void> {
  await jobs.transaction(async (query) => {
    await checkEngine(query);
    await query("SELECT pg_advisory_xact_lock($1)", [MIGRATION_LOCK]);
    await query("CREATE TABLE IF NOT EXISTS migrations (number BIGINT PRIMARY KEY)");
    const { rows } = await query<{ last: number }>("SELECT coalesce(max(number), 0) AS last FROM migrations");
    const last = rows[0]?.last ?? 0;
    if (last > migrations.length) {
      throw new DatabaseProblem(
        `The database was written by a newer version of Stile (its tables are at step ${last}, this version knows ` +
          `${migrations.length}). Start that version or a later one, or restore a backup made with this one.`,
      );
    }
    for (const [index, sql] of migrations.entries()) {
      if (index < last) continue;
      await query(sql);
      await query("INSERT INTO migrations (number) VALUES ($1)", [index + 1]);
    }
  });
}
