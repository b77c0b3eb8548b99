import type { Store } from "@stile/core/ports/store";
import { startPostgres, type ThrowAwayPostgres } from "@stile/testkit/postgres/throw-away-postgres";
import pg from "pg";
import type { LeaseBlock } from "../../postgres/engine/limit-leases.ts";
import { openPostgresStore } from "../../postgres/postgres-store.ts";

/** No deadline comes, however slow the machine: the guarantees are what is tested. */
const PATIENT_MS = 120_000;

/** Tables that hold rows from the beginning. */
const SEEDED = ["migrations", "turns", "heartbeat", "sweep_horizons"];
/**
 * Much less than a database of its own. A table that is truncated gets new files, so only one that holds rows is; sequences all
 * begin anew, whether or not rows are left that took from them.
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

/** An engine for a file of tests. */
export type TemporaryPostgres = {
  readonly engine: ThrowAwayPostgres;
  /** Address of the database that such tests share one after another, empty but for its tables. */
  readonly emptyDatabase: () => Promise<string>;
  /** A node; it leases blocks of limits if it is told of what size. */
  readonly open: (url: string, leaseBlock?: LeaseBlock) => Promise<Store>;
  readonly stop: () => Promise<void>;
};

/** Starts the engine; to be stopped after the tests. Its commits wait for the disk only if asked for. */
export async function startTemporaryPostgres({ isDurable = false } = {}): Promise<TemporaryPostgres> {
  const engine = await startPostgres({ isDurable });
  const open: TemporaryPostgres["open"] = (url, leaseBlock) =>
    openPostgresStore({ url, deadlineMs: PATIENT_MS, leaseBlock });
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
