import { StoreUnavailable } from "@stile/core/ports/store-unavailable";
import type pg from "pg";
import { type PoolPlan, poolOptions } from "../connection/pool-options.ts";
import { clientFor, type PrimaryClient } from "../connection/postgres-client.ts";
import { type Breaker, createBreaker } from "./breaker.ts";
import type { ConnectionOptions } from "./connection-options.ts";
import { Silence, withinDeadline } from "./deadline.ts";
import { DriverFault, isConnectionFault, isUnfitSession, toStoreError } from "./store-faults.ts";

/** The answer to a statement: its rows, and how many rows it read or changed. */
export type QueryResult<Row> = { readonly rows: readonly Row[]; readonly count: number };

/**
 * Runs one statement; `values` are its parameters $1, $2, .... `Row` is the caller's claim about
 * the columns.
 */
export type Query = <Row = never>(
  sql: string,
  values?: readonly unknown[],
) => Promise<QueryResult<Row>>;

/**
 * Statements over one kind of connection. All faults of the engine or the network are
 * StoreUnavailable.
 */
export type DatabaseConnections = {
  /**
   * Runs one statement, once or not at all. If it rejects with StoreUnavailable, the outcome is
   * unknown.
   */
  readonly write: Query;
  /** Runs one statement that changes nothing, and repeats it if the connection was broken. */
  readonly read: Query;
  /** Runs `work` in a transaction on its own connection: all or nothing. */
  readonly transaction: <Result>(work: (query: Query) => Promise<Result>) => Promise<Result>;
  /** How long each statement may take, ms. */
  readonly deadlineMs: number;
};

/** The connections of a process, by the callers that wait for them. */
export type Database = {
  /** One connection, only for the spending batches. */
  readonly spending: DatabaseConnections;
  /** Connections for all statements that a request waits for. */
  readonly calls: DatabaseConnections;
  /** One connection, so that later figures are never older than earlier ones. */
  readonly figures: DatabaseConnections;
  /** One connection with a long deadline, for work that nobody waits for. */
  readonly jobs: DatabaseConnections;
  /**
   * Runs `work` on a connection of its own with a long deadline, and closes it afterwards. `work`
   * may use the others freely.
   */
  readonly aside: <Result>(work: (own: DatabaseConnections) => Promise<Result>) => Promise<Result>;
  /**
   * Fails all calls that run or wait for a connection, and all later calls, as if the database did
   * not answer.
   */
  readonly giveUp: () => void;
  readonly close: () => Promise<void>;
};

/** How long a statement may take that a request waits for, ms; D15 (outage) allows 2 s. */
const CALL_DEADLINE_MS = 1000;
const PATIENT_MS = 60_000;
const FIGURES_MS = 10_000;
const PROBE_DEADLINE_MS = 500;
const CALL_CONNECTIONS = 6;

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

/** Running calls, so that all can fail together. */
function createUnderWay() {
  const rejects = new Set<(fault: Error) => void>();
  let isOver = false;
  const fault = () =>
    new DriverFault("given up", {
      cause: new Silence("the store is closing, so this call was given up"),
    });
  return {
    /** Resolves like `work`, unless everything is given up before. */
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

/** A pool, and whether each statement is prepared once per session. */
type ConnectionsPlan = PoolPlan & { readonly isPrepared?: boolean };

/** Runs one statement on a connection. */
type RunStatement = <Row>(
  client: pg.ClientBase,
  sql: string,
  values?: readonly unknown[],
) => Promise<QueryResult<Row>>;

function createAsk({ deadlineMs, isPrepared = false }: ConnectionsPlan): RunStatement {
  const nameOf = createStatementNames();
  return async <Row>(
    client: pg.ClientBase,
    sql: string,
    values: readonly unknown[] = [],
  ): Promise<QueryResult<Row>> => {
    const statement = { text: sql, values: [...values], ...(isPrepared && { name: nameOf(sql) }) };
    const answer = withinDeadline(client.query(statement), deadlineMs);
    const { rows, rowCount } = await answer.catch(asDriverFault);
    return { rows: rows as Row[], count: rowCount ?? 0 };
  };
}

/** Runs work on a connection of the pool, and reports to the breaker how it ended. */
type WithClient = <Result>(work: (client: pg.PoolClient) => Promise<Result>) => Promise<Result>;

function createLending(
  { pool, servers }: { readonly pool: pg.Pool; readonly servers: number },
  breaker: Breaker,
  underWay: ReturnType<typeof createUnderWay>,
): WithClient {
  // The pool replaces a connection that breaks while idle. A call that uses it gets the error from
  // its own statement.
  pool.on("error", () => {});

  const onFault = (error: unknown): boolean => {
    const isBroken = isConnectionFault(error);
    if (!isBroken) breaker.onAnswer();
    else if (isSilence(error)) breaker.open();
    else breaker.onFault();
    return isBroken;
  };

  /** Closes connections to a former primary, once the process has met the server that took over. */
  const connectTo = async (): Promise<pg.PoolClient> => {
    for (;;) {
      const client = await pool.connect();
      if (!(client as unknown as PrimaryClient).isLeft()) return client;
      client.release(true);
    }
  };
  /** Tries each server once: when a connection fails, the next one tries the next server. */
  const connect = async (): Promise<pg.PoolClient> => {
    for (let left = servers - 1; ; left--) {
      try {
        return await connectTo();
      } catch (fault) {
        if (left <= 0 || ALL_IN_USE.test(messageOf(fault))) throw fault;
      }
    }
  };

  const borrow = async (): Promise<pg.PoolClient> => {
    const connecting = connect();
    return await underWay.orGivenUp(connecting).catch((cause: unknown) => {
      // A connection that is made too late is no longer needed.
      void connecting.then(
        (late) => late.release(true),
        () => {},
      );
      // This says nothing about the database: the connections may be held by calls that wait for a
      // lock only they need.
      if (ALL_IN_USE.test(messageOf(cause))) {
        throw new StoreUnavailable("too many requests wait for the database", { cause });
      }
      const fault =
        cause instanceof DriverFault ? cause : new DriverFault("no connection", { cause });
      onFault(fault);
      throw fault;
    });
  };

  return async (work) => {
    breaker.check();
    const client = await borrow();
    try {
      const result = await underWay.orGivenUp(work(client));
      breaker.onAnswer();
      client.release();
      return result;
    } catch (error) {
      // A connection whose answer is missing may be in any state. Close it, and so its session on
      // the server.
      const isBroken = onFault(error);
      client.release(isBroken || isUnfitSession(error));
      throw error;
    }
  };
}

function createConnections(
  ask: RunStatement,
  withClient: WithClient,
  deadlineMs: number,
): DatabaseConnections {
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

/**
 * Creates the pools, which connect on first use. `deadlineMs` is the deadline of statements that
 * requests wait for.
 */
export async function createDatabase(
  options: ConnectionOptions,
  deadlineMs = CALL_DEADLINE_MS,
): Promise<Database> {
  const { default: driver } = await import("pg");
  const Client = clientFor(driver, options);
  const probe = async (): Promise<void> => {
    const client = new Client({
      connectionTimeoutMillis: PROBE_DEADLINE_MS,
      query_timeout: PROBE_DEADLINE_MS,
    });
    try {
      await client.connect();
    } finally {
      void client.end().catch(() => {});
    }
  };
  const breaker = createBreaker(probe);
  const pools: pg.Pool[] = [];
  const underWay = createUnderWay();
  const open = (plan: ConnectionsPlan) => {
    const pool = new driver.Pool(poolOptions(driver, Client, plan));
    const withClient = createLending(
      { pool, servers: options.place.hosts.length },
      breaker,
      underWay,
    );
    return { pool, connections: createConnections(createAsk(plan), withClient, plan.deadlineMs) };
  };
  const keep = (plan: ConnectionsPlan): DatabaseConnections => {
    const { pool, connections } = open(plan);
    pools.push(pool);
    return connections;
  };
  const patient = { max: 1, deadlineMs: Math.max(deadlineMs, PATIENT_MS) };
  return {
    spending: keep({ max: 1, deadlineMs, isPrepared: true }),
    calls: keep({ max: CALL_CONNECTIONS, deadlineMs }),
    figures: keep({ max: 1, deadlineMs: Math.max(deadlineMs, FIGURES_MS) }),
    jobs: keep(patient),
    aside: async (work) => {
      const { pool, connections } = open(patient);
      return await work(connections).finally(() => pool.end());
    },
    giveUp: underWay.giveUp,
    close: async () => {
      breaker.stop();
      // After giving up, callers already know what was not written, so closing waits for no
      // connection.
      await underWay.orGivenUp(Promise.all(pools.map((pool) => pool.end()))).catch(() => {});
    },
  };
}
