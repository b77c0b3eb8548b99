import { randomInt, randomUUID } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { StoreUnavailable } from "@stile/core/ports/store-unavailable";
import type { Database, DatabaseConnections, Query } from "./database.ts";
import { type NodeMark, readNodeMark, writeNodeMark } from "./node-mark-file.ts";

/**
 * A node silent for this long is forgotten. An older mark proves nothing: what was issued then has
 * expired.
 */
const MEMORY_MS = 30 * 86_400_000;
/** So many that no two runs draw the same. */
const NUMBERS = 2 ** 48 - 1;
/** The id of the writing transaction, as the row's own `xmin` will show it. */
const THIS_TRANSACTION = "pg_current_xact_id()::xid::text";
/** The engine's clock, epoch ms. */
export const DATABASE_NOW_MS = "(extract(epoch FROM clock_timestamp()) * 1000)::BIGINT";

/**
 * Whether something but nodes wrote the tables, or they know less than a node remembers since that
 * was last noticed.
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

/** Writes what the node is to remember next, and signs all rows that something else wrote. */
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
  if (written === undefined) throw new Error("the database kept no mark of the node");
  return written;
}

/** How a node found the database, and the mark that it wrote there. */
type Beginning = { readonly outcome: "continued" | "retired"; readonly mark: NodeMark };

/**
 * Checks, within a transaction, whether recent spends may be missing from the database, and if so
 * retires every service key (decision 0010, retired keys). `remembered` is what the node
 * knows to have written.
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
  // Without a row, either nothing was ever sealed, or it was lost.
  const isOther =
    last === undefined ||
    last.engine !== engine ||
    isLossy ||
    (await isPutBack(query, remembered, last.noticedMs));
  // The number of a run is drawn: two standbys that take over from one engine go on from the same
  // row and timeline, and nodes that run while the row is lost know its number.
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

/**
 * Which run of the database this node knows, how it learns of another one, and what it remembers to
 * notice one.
 */
export type PostgresGeneration = {
  /**
   * The run in which service keys were last loaded; null before. A batch of another run spends
   * nothing (`0008`).
   */
  readonly known: () => string | null;
  /** Begins a node's run. Nodes that start or run beside it change nothing. */
  readonly begin: () => Promise<"continued" | "retired">;
  /**
   * Checks, for a running node, whether the database is still the one that it knows. `load` reads
   * the service keys again; only after that may anything be spent.
   */
  readonly follow: (load: () => Promise<void>) => Promise<"continued" | "retired">;
  /**
   * Renews what is remembered; retires the keys if the database was exchanged. Has no effect before
   * `begin`.
   */
  readonly renew: () => Promise<void>;
};

/** The run of the database, or null if it just changes. */
async function readGeneration(calls: DatabaseConnections): Promise<string | null> {
  const { rows } = await calls.read<{ generation: string | null }>(
    "SELECT current_run_1() AS generation FROM generations",
  );
  return rows[0]?.generation ?? null;
}

/**
 * The fence of a node that keeps its mark in that file; without a file, it remembers as long as it
 * runs.
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
    // After the database: the file must never know of more writes than the database.
    if (file !== undefined) writeNodeMark(file, begun.mark);
    return begun.outcome;
  };
  /**
   * Read before the keys: if the run changes meanwhile, the loaded keys count for the earlier run.
   */
  const adopt = async (load: () => Promise<void>): Promise<void> => {
    const next = await readGeneration(calls);
    // A batch that names no run is not compared with any.
    if (next === null) throw new StoreUnavailable("the database began another run at that moment");
    await load();
    // What was judged with the keys of before has by then reached the store, and is known to be of
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
