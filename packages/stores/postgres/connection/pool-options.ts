import type pg from "pg";
import { withinDeadline } from "../engine/deadline.ts";
import type { PostgresClient } from "./postgres-client.ts";

/** The most connections of a pool, and how long a statement may take, ms. */
export type PoolPlan = { readonly max: number; readonly deadlineMs: number };

/** The share of a statement's deadline that connecting may take. */
const CONNECT_SHARE = 0.6;
/**
 * The server gives up a little earlier than the client, so that its answer "undone" usually arrives
 * in time.
 */
const SERVER_SHARE = 0.9;
const KEEP_ALIVE_MS = 10_000;
const IDLE_MS = 30_000;

/** OIDs of BIGINT and BYTEA. */
const [BIGINT, BYTEA] = [20, 17];

/** Bytes as a plain array; the driver's own type is Buffer. */
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
 * Settings that each session needs, whatever the database's defaults are. They are set after
 * connecting, because a pooler such as PgBouncer refuses a connection whose first message has
 * settings that it does not know.
 */
function settingsOfSession(deadlineMs: number): string {
  const serverMs = Math.round(deadlineMs * SERVER_SHARE);
  return `SET default_transaction_isolation = 'read committed'; SET client_min_messages = 'warning';
    SET statement_timeout = ${serverMs}; SET lock_timeout = ${serverMs};
    SET idle_in_transaction_session_timeout = ${2 * deadlineMs}`;
}

/** The options of a pool whose connections are made by `Client`. */
export function poolOptions(
  driver: typeof pg,
  Client: PostgresClient,
  { max, deadlineMs }: PoolPlan,
): pg.PoolConfig {
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
