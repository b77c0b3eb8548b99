import type { StoreDescription } from "@stile/core/ports/store";
import type { Finding } from "@stile/protocol/dashboard-api";
import { inspectServers } from "../connection/inspect-servers.ts";
import { findMissingTables } from "../own-tables.ts";
import { readConnectionOptions } from "./connection-options.ts";
import { createDatabase, type Database, type DatabaseConnections, type Query } from "./database.ts";
import { DatabaseProblem, explainOpening } from "./database-problem.ts";
import { describePostgres } from "./describe-postgres.ts";
import { checkEngine, TAKEN_STEPS, type TakenSteps } from "./migrate-postgres.ts";

/** A database as it is before it is opened as a store. */
export type PostgresFinding = {
  /** The server's major version. */
  readonly major: number;
  /** Its last migration; 0 if it has nothing of the service. */
  readonly step: number;
  /** Whether its tables hold no installation, as after a start that was refused or killed. */
  readonly isEmpty: boolean;
  /** How many steps a program must know to run on it. */
  readonly leastKnown: number;
  /** Tables of this version that are missing. */
  readonly missing: readonly string[];
  /** The schema in which tables without a schema's name are found. */
  readonly schema: string;
  /** Sessions of nodes and commands, except this one. */
  readonly sessions: number;
  readonly description: StoreDescription;
  /** Findings for each server, if the address names several. */
  readonly servers: readonly Finding[];
};

/** Sessions of the service in this database, except the one that asks. */
export const OTHER_SESSIONS = `SELECT count(*) FROM pg_stat_activity
  WHERE datname = current_database() AND application_name = 'stile' AND pid <> pg_backend_pid()`;

/** Rejects if the first start, which creates the tables, would. */
async function checkEmpty(query: Query): Promise<void> {
  await checkEngine(query);
  const { rows } = await query<{ isAllowed: boolean | null }>(
    `SELECT has_schema_privilege(current_schema(), 'CREATE') AS "isAllowed"`,
  );
  // The engine's own code for this refusal: insufficient_privilege.
  if (rows[0]?.isAllowed !== true)
    throw Object.assign(new Error("the user may not create tables"), { code: "42501" });
}

async function isWithoutRows(query: Query): Promise<boolean> {
  const { rows } = await query<{ isEmpty: boolean }>(
    `SELECT NOT EXISTS (SELECT FROM accounts) AND NOT EXISTS (SELECT FROM service_keys) AS "isEmpty"`,
  );
  return rows[0]?.isEmpty === true;
}

async function inspect(query: Query): Promise<Omit<PostgresFinding, "servers">> {
  const { rows } = await query<
    Pick<PostgresFinding, "major" | "schema" | "sessions"> & { hasMigrations: boolean }
  >(`SELECT
    current_setting('server_version_num')::int / 10000 AS major, current_schema() AS schema, (${OTHER_SESSIONS}) AS sessions,
    to_regclass('migrations') IS NOT NULL AS "hasMigrations"`);
  const [row] = rows;
  if (row === undefined) throw new Error("PostgreSQL did not answer the query for its settings");
  const { hasMigrations, ...rest } = row;
  const finding = { ...rest, description: await describePostgres(query) };
  if (!hasMigrations) {
    await checkEmpty(query);
    return { ...finding, step: 0, isEmpty: true, leastKnown: 0, missing: [] };
  }
  const { rows: steps } = await query<TakenSteps>(TAKEN_STEPS);
  const missing = await findMissingTables(query);
  const isEmpty = missing.length === 0 && (await isWithoutRows(query));
  return {
    ...finding,
    missing,
    isEmpty,
    step: steps[0]?.last ?? 0,
    leastKnown: steps[0]?.leastKnown ?? 0,
  };
}

/** The pooler may serve other clients too, so it may happen to have another session free. */
const TRIES = 3;

async function readSession({ read }: DatabaseConnections): Promise<number | undefined> {
  return (await read<{ session: number }>("SELECT pg_backend_pid() AS session")).rows[0]?.session;
}

/**
 * Throws DatabaseProblem if two open connections share one session of the engine, because a pooler
 * lends sessions per transaction. Deadlines and prepared statements belong to a session, so they
 * would apply to other clients or to none.
 */
export async function checkPooler({
  jobs,
  figures,
}: Pick<Database, "jobs" | "figures">): Promise<void> {
  for (let tries = 0; tries < TRIES; tries++) {
    if ((await readSession(jobs)) !== (await readSession(figures))) continue;
    throw new DatabaseProblem(
      "A pooler hands PostgreSQL's sessions from one transaction to the next (pool_mode = transaction), and Stile needs sessions of " +
        "its own: name PostgreSQL itself in STILE_DATABASE_URL, or let the pooler keep a session for each connection (pool_mode = session).",
    );
  }
}

/**
 * Only reads. Rejects with DatabaseProblem if nodes could not reach the database with this address,
 * or could not create its tables.
 */
export async function inspectPostgres(url: string): Promise<PostgresFinding> {
  const options = readConnectionOptions(url);
  const database = await createDatabase(options);
  try {
    const finding = await inspect(database.jobs.read);
    // After the sessions were counted, because this opens another one.
    await checkPooler(database);
    return { ...finding, servers: await inspectServers(options) };
  } catch (fault) {
    throw explainOpening(Object(fault).cause ?? fault, options.place);
  } finally {
    await database.close();
  }
}
