import { StoreUnavailable } from "@stile/core/ports/store-unavailable";
import type pg from "pg";
import { clientFor, type PostgresClient } from "../connection/postgres-client.ts";
import { type Breaker, createBreaker } from "./breaker.ts";
import type { ConnectionOptions } from "./connection-options.ts";
import { Silence, withinDeadline } from "./deadline.ts";
import { DriverFault, isConnectionFault, isReadOnlySession, toStoreError } from "./store-faults.ts";

/** The answer to a statement: its rows, and how many rows it read or changed. */
export type Answer<Row> = { readonly rows: readonly Row[]; readonly count: number };

/** Runs one statement; `values` are its parameters $1, $2, .... `Row` is the caller's claim about the columns. */
export type Query = <Row = never>(sql: string, values?: readonly unknown[]) => Promise<Answer<Row>>;

/** Statements over one kind of connection. All faults of the engine or the network are StoreUnavailable. */
export type Connections = {
  /** One statement, done once or not at all; if this rejects with StoreUnavailable, the outcome is unknown. */
  readonly write: Query;
  /** One statement that changes nothing: it is repeated if the connection turned out to be broken. */
  readonly read: Query;
  /** Does `work` in a transaction on a connection of its own: all or nothing. */
  readonly transaction: <Result>(work: (query: Query) => Promise<Result>) => Promise<Result>;
  /** How long each statement may take, ms. */
  readonly deadlineMs: number;
};

/** The connections of a process, by who waits for them. */
export type Database = {
  /** One connection, only for the spending batches. */
  readonly spending: Connections;
  /** For everything that a request waits for. */
  readonly calls: Connections;
  /** One connection, so that figures read one after another are never older than those before. */
  readonly figures: Connections;
  /** One connection with a long deadline, for what nobody waits for. */
  readonly jobs: Connections;
  /** Does `work` over a connection of its own, patient and closed afterwards: it may use the others freely. */
  readonly aside: <Result>(work: (own: Connections) => Promise<Result>) => Promise<Result>;
  /** Fails everything that is under way or waits for a connection, and all later calls, as if there were no answer. */
  readonly giveUp: () => void;
  readonly close: () => Promise<void>;
};

/** How long a statement may take that somebody waits for, and the share of it for connecting: D15 allows 2 s. */
const CALL_DEADLINE_MS = 1000;
const CONNECT_SHARE = 0.6;
/** The server gives up a little earlier than the client, so that its answer, "undone", usually arrives in time. */
const SERVER_SHARE = 0.9;
const PATIENT_MS = 60_000;
const FIGURES_MS = 10_000;
const PROBE_DEADLINE_MS = 500;
const CALL_CONNECTIONS = 6;
const KEEP_ALIVE_MS = 10_000;
const IDLE_MS = 30_000;

/** OIDs of BIGINT and BYTEA. */
const [BIGINT, BYTEA] = [20, 17];

/** Bytes in a plain array: the driver's own type is Buffer. */
function toBytes(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text.slice(2), "hex"));
}

/** Numbers for BIGINT: times and counts are far below 2^53. */
function typesOf(driver: typeof pg): pg.CustomTypesConfig {
  return {
    getTypeParser: (oid: number, format?: "text" | "binary") => {
      if (oid === BIGINT) return Number;
      if (oid === BYTEA) return toBytes;
      return driver.types.getTypeParser(oid, format as "text");
    },
  } as pg.CustomTypesConfig;
}

/**
 * Settings of every session that this store's rules depend on, whatever the database's defaults are. They are set after
 * connecting: a pooler such as PgBouncer refuses a connection whose first message has settings that it does not know.
 */
function settingsOfSession(deadlineMs: number): string {
  const serverMs = Math.round(deadlineMs * SERVER_SHARE);
  return `SET default_transaction_isolation = 'read committed'; SET client_min_messages = 'warning';
    SET statement_timeout = ${serverMs}; SET lock_timeout = ${serverMs};
    SET idle_in_transaction_session_timeout = ${2 * deadlineMs}`;
}

function poolOptions(driver: typeof pg, Client: PostgresClient, max: number, deadlineMs: number): pg.PoolConfig {
  const settings = settingsOfSession(deadlineMs);
  return {
    Client,
    types: typesOf(driver),
    max,
    connectionTimeoutMillis: Math.round(deadlineMs * CONNECT_SHARE),
    idleTimeoutMillis: IDLE_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    application_name: "stile",
    fallback_application_name: "stile",
    onConnect: async (client) => void (await withinDeadline(client.query(settings), deadlineMs)),
  };
}

/** The driver's message when a connection was not made in time. */
const NOT_CONNECTED = /timeout/i;
/** The pool's message when all connections were in use for too long. */
const ALL_IN_USE = /^timeout exceeded when trying to connect$/;

const messageOf = (error: unknown): string => String(Object(error).message);

/** Whether nothing came back within the deadline. */
function isSilence(error: unknown): boolean {
  if (!(error instanceof DriverFault)) return false;
  return error.cause instanceof Silence || NOT_CONNECTED.test(messageOf(error.cause));
}

function asDriverFault(cause: unknown): never {
  throw new DriverFault("the driver failed", { cause });
}

/** The name under which a session keeps a statement prepared. */
function createStatementNames(): (sql: string) => string {
  const names = new Map<string, string>();
  return (sql) => {
    const name = names.get(sql) ?? `statement_${names.size}`;
    names.set(sql, name);
    return name;
  };
}

/** Calls that are under way, so that they can be failed together. */
function createUnderWay() {
  const rejects = new Set<(fault: Error) => void>();
  let isOver = false;
  const fault = () => new DriverFault("given up", { cause: new Silence("not waited for any longer") });
  return {
    /** Resolves as `work` does, unless everything is given up before. */
    orGivenUp: async <Result>(work: Promise<Result>): Promise<Result> => {
      const { promise, reject } = Promise.withResolvers<never>();
      if (isOver) reject(fault());
      rejects.add(reject);
      return await Promise.race([work, promise]).finally(() => rejects.delete(reject));
    },
    giveUp: (): void => {
      isOver = true;
      for (const reject of rejects) reject(fault());
    },
  };
}

/** How long a statement on these connections may take, ms, and whether each is prepared once per session. */
type ConnectionsPlan = {
  readonly deadlineMs: number;
  readonly isPrepared: boolean;
  readonly underWay: ReturnType<typeof createUnderWay>;
};

function createConnections(pool: pg.Pool, breaker: Breaker, plan: ConnectionsPlan): Connections {
  const { deadlineMs, isPrepared, underWay } = plan;
  // The pool replaces a connection that breaks while idle; a call that uses it gets the error by its own statement.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));

  const nameOf = createStatementNames();
  const ask = async <Row>(
    client: pg.ClientBase,
    sql: string,
    values: readonly unknown[] = [],
  ): Promise<Answer<Row>> => {
    const statement = { text: sql, values: [...values], ...(isPrepared && { name: nameOf(sql) }) };
    const answer = withinDeadline(client.query(statement), deadlineMs);
    const { rows, rowCount } = await answer.catch(asDriverFault);
    return { rows: rows as Row[], count: rowCount ?? 0 };
  };

  const onFault = (error: unknown): boolean => {
    const isBroken = isConnectionFault(error);
    if (!isBroken) breaker.onAnswer();
    else if (isSilence(error)) breaker.open();
    else breaker.onFault();
    return isBroken;
  };

  const withClient = async <Result>(work: (client: pg.PoolClient) => Promise<Result>): Promise<Result> => {
    breaker.check();
    // The driver reads TLS files before it returns a promise: a missing file is a fault of the connection too.
    const connecting = (async () => await pool.connect())();
    const client = await underWay.orGivenUp(connecting).catch((cause: unknown) => {
      // A connection that is made after all is no longer wanted.
      void connecting.then(
        (late) => late.release(true),
        () => {},
      );
      // This says nothing about the database: those who hold the connections may wait for a lock that only they need.
      if (ALL_IN_USE.test(messageOf(cause))) {
        throw new StoreUnavailable("too many requests wait for the database", { cause });
      }
      const fault = cause instanceof DriverFault ? cause : new DriverFault("no connection", { cause });
      onFault(fault);
      throw fault;
    });
    try {
      const result = await underWay.orGivenUp(work(client));
      breaker.onAnswer();
      client.release();
      return result;
    } catch (error) {
      // A connection whose answer did not come may be in any state: it is closed, and its session on the server too.
      const isBroken = onFault(error);
      client.release(isBroken || isReadOnlySession(error));
      throw error;
    }
  };

  const write: Query = async (sql, values) => {
    try {
      return await withClient((client) => ask(client, sql, values));
    } catch (error) {
      throw toStoreError(error);
    }
  };

  const read: Query = async (sql, values) => {
    try {
      return await withClient((client) => ask(client, sql, values));
    } catch (error) {
      if (!isConnectionFault(error) || isSilence(error)) throw toStoreError(error);
      return await write(sql, values);
    }
  };

  return {
    write,
    read,
    deadlineMs,
    transaction: async (work) => {
      try {
        return await withClient(async (client) => {
          await ask(client, "BEGIN");
          try {
            const result = await work((sql, values) => ask(client, sql, values));
            await ask(client, "COMMIT");
            return result;
          } catch (error) {
            if (!isConnectionFault(error)) await ask(client, "ROLLBACK");
            throw error;
          }
        });
      } catch (error) {
        throw toStoreError(error);
      }
    },
  };
}

/** Creates the pools, which connect on first use. `deadlineMs` is the deadline of statements that requests wait for. */
export async function createDatabase(options: ConnectionOptions, deadlineMs = CALL_DEADLINE_MS): Promise<Database> {
  const { default: driver } = await import("pg");
  const Client = clientFor(driver, options);
  const probe = async (): Promise<void> => {
    const client = new Client({ connectionTimeoutMillis: PROBE_DEADLINE_MS, query_timeout: PROBE_DEADLINE_MS });
    client.on("error", () => {});
    try {
      await client.connect();
      await client.query("SELECT 1");
    } finally {
      void client.end().catch(() => {});
    }
  };
  const breaker = createBreaker(probe);
  const pools: pg.Pool[] = [];
  const underWay = createUnderWay();
  const open = (max: number, ms: number, isPrepared = false) => {
    const pool = new driver.Pool(poolOptions(driver, Client, max, ms));
    return { pool, connections: createConnections(pool, breaker, { deadlineMs: ms, isPrepared, underWay }) };
  };
  const connect = (max: number, ms: number, isPrepared = false): Connections => {
    const { pool, connections } = open(max, ms, isPrepared);
    pools.push(pool);
    return connections;
  };
  const patientMs = Math.max(deadlineMs, PATIENT_MS);
  return {
    spending: connect(1, deadlineMs, true),
    calls: connect(CALL_CONNECTIONS, deadlineMs),
    figures: connect(1, Math.max(deadlineMs, FIGURES_MS)),
    jobs: connect(1, patientMs),
    aside: async (work) => {
      const { pool, connections } = open(1, patientMs);
      return await work(connections).finally(() => pool.end());
    },
    giveUp: underWay.giveUp,
    close: async () => {
      breaker.stop();
      // Once given up, callers have already heard what was not written, and no connection is waited for.
      await underWay.orGivenUp(Promise.all(pools.map((pool) => pool.end()))).catch(() => {});
    },
  };
}
