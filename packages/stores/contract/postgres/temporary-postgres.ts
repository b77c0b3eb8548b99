import type { Store } from "@stile/core/ports/store";
import { startPostgres, type ThrowAwayPostgres } from "@stile/testkit/postgres/throw-away-postgres";
import pg from "pg";
import type { LeaseBlock } from "../../postgres/engine/limit-leases.ts";
import { openPostgresStore } from "../../postgres/postgres-store.ts";

/** No deadline comes, however slow the machine: the guarantees are what is tested. */
const PATIENT_MS = 120_000;

/** Tables that hold rows from the beginning. */
const SEEDED = ["migrations", "turns", "heartbeat", "sweep_horizons"];
/** A sixth of what a database of its own takes. */
const EMPTY = `DO $$ BEGIN
  EXECUTE (SELECT 'TRUNCATE ' || string_agg(oid::REGCLASS::TEXT, ', ') || ' RESTART IDENTITY' FROM pg_class
    WHERE relnamespace = 'public'::REGNAMESPACE AND relkind IN ('r', 'p')
      AND relname NOT IN (${SEEDED.map((name) => `'${name}'`).join(", ")}));
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
