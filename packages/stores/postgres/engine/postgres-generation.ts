/**
 * Notices that the database may have lost spends, and then retires all service keys (decision
 * 0010). Otherwise a spent token could be spent again.
 *
 * A run is identified by the engine (cluster, timeline and database) and a random number. A new run
 * begins when the engine is another one, or when rows of marks or of nodes were lost or restored.
 *
 * Example: the run is 7301/1/16384/52. Node A last wrote number 41, both in its row and in its
 * file. An operator loads yesterday's dump, in which A's row has number 30. When A starts, it finds
 * that 30 is less than 41. It also finds that the row's `xmin` is not the transaction id that the
 * row states, because `pg_restore` wrote it in another transaction. So A retires the service keys
 * and draws a new number, say 918. The run is now 7301/1/16384/918.
 *
 * Node B ran meanwhile and still knows run 52. Its next batch names run 52, so the database refuses
 * the batch and nothing is spent. `follow` makes B load the service keys again; after that it names
 * run 918.
 */

import { randomInt, randomUUID } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { StoreUnavailable } from "@stile/core/ports/store-unavailable";
import type { Database, DatabaseConnections, Query } from "./database.ts";
import { type NodeMark, readNodeMark, writeNodeMark } from "./node-mark-file.ts";

/**
 * A node that is silent for this long is forgotten, ms. An older mark proves nothing, because
 * everything issued before it has expired.
 */
const MEMORY_MS = 30 * 86_400_000;
/** Runs draw a number from this many, so that no two runs draw the same. */
const NUMBERS = 2 ** 48 - 1;
/** The id of the writing transaction, in the form of the row's own `xmin`. */
const THIS_TRANSACTION = "pg_current_xact_id()::xid::text";
/** The engine's clock, epoch ms. */
export const DATABASE_NOW_MS = "(extract(epoch FROM clock_timestamp()) * 1000)::BIGINT";

/**
 * Whether something other than a node wrote the tables, or the tables know less than a node
 * remembers since the last such case.
 */
async function isPutBack(
  query: Query,
  mark: NodeMark | "damaged" | undefined,
  noticedMs: number,
): Promise<boolean> {
  if (mark === "damaged") return true;
  const { rows } = await query<{ node: string; number: number; isOwn: boolean; nowMs: number }>(
    `SELECT node, number, xmin::text = xid AS "isOwn", ${DATABASE_NOW_MS} AS "nowMs" FROM nodes`,
  );
  const [first] = rows;
  if (first === undefined || rows.some(({ isOwn }) => !isOwn)) return true;
  if (mark === undefined || mark.atMs < Math.max(noticedMs, first.nowMs - MEMORY_MS / 2))
    return false;
  return !rows.some(({ node, number }) => node === mark.node && number >= mark.number);
}

/** Writes the mark that the node will remember, and signs all rows that something else wrote. */
async function writeRow(query: Query, mark: NodeMark | undefined): Promise<NodeMark> {
  await query(`DELETE FROM nodes WHERE at_ms < ${DATABASE_NOW_MS} - ${MEMORY_MS}`);
  await query(`UPDATE nodes SET xid = ${THIS_TRANSACTION} WHERE xmin::text <> xid`);
  const { rows } = await query<NodeMark>(
    `INSERT INTO nodes AS n (node, number, at_ms, ahead_ms, xid)
      VALUES ($1, $2::BIGINT + 1, ${DATABASE_NOW_MS}, $3 - ${DATABASE_NOW_MS}, ${THIS_TRANSACTION})
      ON CONFLICT (node) DO UPDATE SET number = greatest(n.number + 1, excluded.number), at_ms = excluded.at_ms,
        ahead_ms = excluded.ahead_ms, xid = excluded.xid
      RETURNING node, number, at_ms AS "atMs"`,
    [mark?.node ?? randomUUID(), mark?.number ?? 0, Date.now()],
  );
  const [written] = rows;
  if (written === undefined) throw new Error("the database did not return the node's mark");
  return written;
}

/** How a node found the database, and the mark that the node wrote. */
type Beginning = { readonly outcome: "continued" | "retired"; readonly mark: NodeMark };

/**
 * Checks, within a transaction, whether the database may lack recent spends. If so, retires every
 * service key (decision 0010, retired keys). `remembered` is the mark that the node knows it wrote.
 */
export async function beginWithin(
  query: Query,
  remembered: NodeMark | "damaged" | undefined,
): Promise<Beginning> {
  await query("SELECT FROM turns WHERE name = 'write' FOR UPDATE");
  const { rows: engines } = await query<{ engine: string; isLossy: boolean }>(
    'SELECT engine_1() AS engine, are_marks_lost_1() AS "isLossy"',
  );
  const { engine = "", isLossy = true } = engines[0] ?? {};
  const { rows } = await query<{ engine: string; noticedMs: number }>(
    'SELECT engine, noticed_ms AS "noticedMs" FROM generations',
  );
  const [last] = rows;
  // Without a row, either nothing was ever sealed, or the row was lost.
  const isOther =
    last === undefined ||
    last.engine !== engine ||
    isLossy ||
    (await isPutBack(query, remembered, last.noticedMs));
  // The number is random. Two standbys that take over from one engine start from the same row and
  // timeline, and running nodes still know the number of a row that was lost.
  await query(
    `INSERT INTO generations AS g (id, engine, number) VALUES (1, $1, $3::BIGINT) ON CONFLICT (id) DO UPDATE SET
      engine = excluded.engine,
      noticed_ms = CASE WHEN $2 THEN ${DATABASE_NOW_MS} ELSE g.noticed_ms END,
      number = CASE WHEN $2 THEN $3 ELSE g.number END`,
    [engine, isOther, randomInt(NUMBERS)],
  );
  const mark = await writeRow(query, remembered === "damaged" ? undefined : remembered);
  if (!isOther) return { outcome: "continued", mark };
  await query("SELECT note_partitions_1()");
  const { count } = await query("UPDATE service_keys SET is_retired = TRUE WHERE NOT is_retired");
  return { outcome: count > 0 ? "retired" : "continued", mark };
}

/** The run of the database that this node knows, and how the node notices another one. */
export type PostgresGeneration = {
  /**
   * The run in which this node last loaded the service keys; null before that. A batch that names
   * another run spends nothing.
   */
  readonly known: () => string | null;
  /** Begins a node's run. Other nodes that start or run at the same time are unaffected. */
  readonly begin: () => Promise<"continued" | "retired">;
  /**
   * Checks, for a running node, whether the database still has the known run. If not, `load` reads
   * the service keys again; the node spends nothing before that.
   */
  readonly follow: (load: () => Promise<void>) => Promise<"continued" | "retired">;
  /**
   * Renews the mark, and retires the keys if the database was exchanged. Does nothing before
   * `begin`.
   */
  readonly renew: () => Promise<void>;
};

/** The run of the database, or null while the run changes. */
async function readGeneration(calls: DatabaseConnections): Promise<string | null> {
  const { rows } = await calls.read<{ generation: string | null }>(
    "SELECT current_run_1() AS generation FROM generations",
  );
  return rows[0]?.generation ?? null;
}

/**
 * Watches the runs for a node that keeps its mark in `file`. Without a file, the node forgets its
 * mark when it stops.
 */
export function createPostgresGeneration(
  { calls, jobs }: Database,
  file: string | undefined,
): PostgresGeneration {
  let mark: NodeMark | "damaged" | undefined;
  let known: string | null = null;
  const write = async (connections: DatabaseConnections): Promise<"continued" | "retired"> => {
    const begun = await connections.transaction((query) => beginWithin(query, mark));
    mark = begun.mark;
    // Write the database first: the file must never be ahead of the database.
    if (file !== undefined) writeNodeMark(file, begun.mark);
    return begun.outcome;
  };
  /**
   * Reads the run before the keys. If the run changes in between, the loaded keys belong to the
   * earlier run.
   */
  const adopt = async (load: () => Promise<void>): Promise<void> => {
    const next = await readGeneration(calls);
    // A batch that names no run is not compared with any.
    if (next === null) throw new StoreUnavailable("the database began another run at that moment");
    await load();
    // By the next turn, everything decided with the former keys has reached the queue, marked with
    // the former run.
    await setImmediate();
    known = next;
  };
  return {
    known: () => known,
    begin: async () => {
      mark ??= file === undefined ? undefined : readNodeMark(file);
      const outcome = await write(calls);
      await adopt(async () => {});
      return outcome;
    },
    follow: async (load) => {
      const current = await readGeneration(calls);
      if (current !== null && current === known) return "continued";
      const outcome = current === null ? await write(calls) : "continued";
      await adopt(load);
      return outcome;
    },
    renew: async () => {
      if (mark !== undefined) await write(jobs);
    },
  };
}
