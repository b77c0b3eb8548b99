import { setTimeout as delay } from "node:timers/promises";
import { LEAST_KNOWN, POSTGRES_MIGRATIONS } from "../schema/postgres-schema.ts";
import type { DatabaseConnections, Query } from "./database.ts";
import { DatabaseProblem } from "./database-problem.ts";
import { isLockMissing } from "./store-faults.ts";

/** The lock that a node holds while it upgrades the tables: a number that no other program uses. */
export const MIGRATION_LOCK = 5_762_114_907;
/** The oldest version with all features used here. */
const OLDEST_VERSION = 140_000;

const HELD =
  "The tables can't be upgraded while another program reads them, such as a backup. Start again when it has ended; nodes of the previous version keep running.";

type EngineState = {
  readonly version: number;
  readonly encoding: string;
  readonly isStandby: boolean;
};

/** Throws DatabaseProblem if the engine or the database cannot hold our tables. */
export async function checkEngine(query: Query): Promise<void> {
  const { rows } =
    await query<EngineState>(`SELECT current_setting('server_version_num')::int AS version,
    current_setting('server_encoding') AS encoding, pg_is_in_recovery() AS "isStandby"`);
  const [engine] = rows;
  if (engine === undefined) throw new Error("PostgreSQL did not answer the query for its settings");
  if (engine.version < OLDEST_VERSION) {
    const version = Math.floor(engine.version / 10_000);
    throw new DatabaseProblem(
      `This is PostgreSQL ${version}, and Stile needs 14 or newer; name another in STILE_DATABASE_URL.`,
    );
  }
  if (engine.encoding !== "UTF8") {
    throw new DatabaseProblem(
      `The database is encoded in ${engine.encoding}, but Stile needs UTF8; create one with: createdb -T template0 -E UTF8 NAME`,
    );
  }
  if (engine.isStandby) {
    throw new DatabaseProblem(
      "This PostgreSQL is a standby, which can't be written to; name the primary in STILE_DATABASE_URL.",
    );
  }
}

/**
 * The last migration taken, and how many a program must know to run on the tables. If the row does
 * not say, that is the same number.
 */
export const TAKEN_STEPS = `SELECT coalesce(max(number), 0) AS last,
  coalesce(max(coalesce(least_known, number)), 0) AS "leastKnown" FROM migrations`;

/** The answer to TAKEN_STEPS. */
export type TakenSteps = { readonly last: number; readonly leastKnown: number };

const TAKE_STEP = "INSERT INTO migrations (number, least_known) VALUES ($1, $2)";

/**
 * How long an attempt waits for its locks, ms. While a step waits for its lock, every access to the
 * table waits behind it, and the step itself waits for readers such as a backup. So attempts are
 * short, and running nodes get their turn between them.
 */
const LOCK_MS = 100;
const TRY_AGAIN_MS = 500;
/**
 * How long a start keeps trying in all, ms. After that it fails, and the operator can start it
 * again.
 */
const PATIENT_MS = 60_000;

/** Takes all missing steps in one transaction, while every other starting node waits. */
async function takeSteps(
  jobs: Pick<DatabaseConnections, "transaction">,
  migrations: readonly string[],
  leastKnown: number,
): Promise<void> {
  await jobs.transaction(async (query) => {
    await checkEngine(query);
    await query("SELECT pg_advisory_xact_lock($1)", [MIGRATION_LOCK]);
    await query(
      "CREATE TABLE IF NOT EXISTS migrations (number BIGINT PRIMARY KEY, least_known BIGINT)",
    );
    const { rows } = await query<TakenSteps>(TAKEN_STEPS);
    const { last, leastKnown: needed } = rows[0] ?? { last: 0, leastKnown: 0 };
    if (needed > migrations.length) {
      throw new DatabaseProblem(
        `The database was written by a newer version of Stile (its tables are at step ${last}, this version knows ` +
          `${migrations.length}), or before 0.1.0. Start that version or a later one, or restore a backup made with this one.`,
      );
    }
    await query(`SET LOCAL lock_timeout = ${LOCK_MS}`);
    for (const [index, sql] of migrations.entries()) {
      if (index < last) continue;
      await query(sql);
      await query(TAKE_STEP, [index + 1, leastKnown]);
    }
  });
}

/**
 * Upgrades the tables, and keeps what a later version added. Throws DatabaseProblem if only later
 * versions can run on the tables, if the engine is too old, or if a program reads the tables for
 * longer than `patientMs`.
 */
export async function migrate(
  jobs: Pick<DatabaseConnections, "transaction">,
  migrations: readonly string[] = POSTGRES_MIGRATIONS,
  leastKnown = LEAST_KNOWN,
  patientMs = PATIENT_MS,
): Promise<void> {
  for (let triedMs = 0; ; triedMs += TRY_AGAIN_MS) {
    try {
      return await takeSteps(jobs, migrations, leastKnown);
    } catch (fault) {
      if (!isLockMissing(fault)) throw fault;
      if (triedMs >= patientMs) throw new DatabaseProblem(HELD);
    }
    await delay(TRY_AGAIN_MS);
  }
}
