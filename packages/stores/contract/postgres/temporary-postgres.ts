import type { Store } from "@stile/core/ports/store";
import { startPostgres, type ThrowAwayPostgres } from "@stile/testkit/postgres/throw-away-postgres";
import pg from "pg";
import { openPostgresStore } from "../../postgres/postgres-store.ts";

/** So long that no deadline passes on any machine: these suites test guarantees, not deadlines. */
const PATIENT_MS = 120_000;

/** Tables that the migrations fill with rows. */
const SEEDED = ["migrations", "turns", "heartbeat", "sweep_horizons"];
/**
 * Much cheaper than a new database. Truncating a table creates new files, so only tables with rows
 * are truncated. All sequences restart, since they may have advanced although no row is left.
 */
const EMPTY = `DO $$ DECLARE
  name REGCLASS;
  has_rows BOOLEAN;
  used TEXT[] := '{}';
BEGIN
  FOR name IN SELECT oid FROM pg_class WHERE relnamespace = 'public'::REGNAMESPACE AND relkind IN ('r', 'p')
    AND NOT relispartition AND relname NOT IN (${SEEDED.map((name) => `'${name}'`).join(", ")})
  LOOP
    EXECUTE 'SELECT EXISTS (SELECT FROM ' || name || ')' INTO has_rows;
    IF has_rows THEN used := used || name::TEXT; END IF;
  END LOOP;
  IF used <> '{}' THEN EXECUTE 'TRUNCATE ' || array_to_string(used, ', ') || ' CASCADE'; END IF;
  PERFORM setval(oid::REGCLASS, 1, FALSE) FROM pg_class WHERE relnamespace = 'public'::REGNAMESPACE AND relkind = 'S';
  UPDATE sweep_horizons SET swept_until_ms = -1;
END $$`;

/** A PostgreSQL engine for one file of tests. */
export type TemporaryPostgres = {
  readonly engine: ThrowAwayPostgres;
  /**
   * The address of the database that these tests share one after another, with its tables emptied.
   */
  readonly emptyDatabase: () => Promise<string>;
  /** Opens a node. */
  readonly open: (url: string) => Promise<Store>;
  readonly stop: () => Promise<void>;
};

/** Starts the engine; stop it after the tests. Commits wait for the disk only if `isDurable`. */
export async function startTemporaryPostgres({
  isDurable = false,
} = {}): Promise<TemporaryPostgres> {
  const engine = await startPostgres({ isDurable });
  const open: TemporaryPostgres["open"] = (url) =>
    openPostgresStore({ url, deadlineMs: PATIENT_MS });
  const url = engine.createDatabase("shared");
  await (await open(url)).close();
  const cleaner = new pg.Client({ connectionString: url });
  await cleaner.connect();
  const emptyDatabase = async (): Promise<string> => {
    await cleaner.query(EMPTY);
    return url;
  };
  const stop = async (): Promise<void> => {
    await cleaner.end();
    await engine.stop();
  };
  return { engine, emptyDatabase, open, stop };
}
