import { randomInt, randomUUID } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { StoreUnavailable } from "@stile/core/ports/store-unavailable";
import type { Connections, Database, Query } from "./database.ts";
import { type NodeMark, readNodeMark, writeNodeMark } from "./node-mark-file.ts";

/** A node silent for this long is forgotten. An older mark proves nothing: what was issued then has expired. */
const MEMORY_MS = 30 * 86_400_000;
/** So many that no two runs draw the same. */
const NUMBERS = 2 ** 48 - 1;
/** The id of the writing transaction, as the row's own `xmin` will show it. */
const THIS_TRANSACTION = "pg_current_xact_id()::xid::text";
/** The engine's clock, epoch ms. */
export const DATABASE_NOW_MS = "(extract(epoch FROM clock_timestamp()) * 1000)::BIGINT";

/**
 * Whether something but nodes wrote the tables, or they know less than a node remembers since that was last noticed.
 */
async function isPutBack(query: Query, mark: NodeMark | "damaged" | undefined, noticedMs: number): Promise<boolean> {
  if (mark === "damaged") return true;
  const { rows } = await query<{ node: string; number: number; isOwn: boolean; nowMs: number }>(
    `SELECT node, number, xmin::text = xid AS "isOwn", ${DATABASE_NOW_MS} AS "nowMs" FROM nodes`,
  );
  const [first] = rows;
  if (first === undefined || rows.some(({ isOwn }) => !isOwn)) return true;
  if (mark === undefined || mark.atMs < Math.max(noticedMs, first.nowMs - MEMORY_MS / 2)) return false;
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

/** Running nodes disagree on where spends are kept; those that did not start last stop spending. */
export class SpendsElsewhere extends StoreUnavailable {
  constructor() {
    super(
      "nodes on one database do not agree on STILE_VALKEY_URL and STILE_VALKEY_HOLDS: give all of them the same and restart them",
    );
  }
}

/** How a node found the database, and the mark that it wrote there. */
type Beginning = { readonly outcome: "continued" | "retired"; readonly mark: NodeMark };

/**
 * Checks, within a transaction, whether recent spends may be missing from the database, and if so retires every service
 * key (decisions 0018, 0036, 0038 and 0113). `remembered` is what the node knows to have written. `spendsIn` is where a node
 * that starts will keep its spends, empty for this database: spends kept elsewhere before are missing there.
 */
export async function beginWithin(
  query: Query,
  remembered: NodeMark | "damaged" | undefined,
  spendsIn?: string,
): Promise<Beginning> {
  await query("SELECT FROM turns WHERE name = 'write' FOR UPDATE");
  const { rows: engines } = await query<{ engine: string; isLossy: boolean }>(
    'SELECT engine_1() AS engine, are_marks_lost_1() AS "isLossy"',
  );
  const { engine = "", isLossy = true } = engines[0] ?? {};
  const { rows } = await query<{ engine: string; spendsIn: string; noticedMs: number }>(
    'SELECT engine, spends_in AS "spendsIn", noticed_ms AS "noticedMs" FROM generations',
  );
  const [last] = rows;
  // Without a row, either nothing was ever sealed, or it was lost.
  const isOther =
    last === undefined ||
    last.engine !== engine ||
    isLossy ||
    last.spendsIn !== (spendsIn ?? last.spendsIn) ||
    (await isPutBack(query, remembered, last.noticedMs));
  // The number of a run is drawn: two standbys that take over from one engine go on from the same row and timeline, and
  // nodes that run while the row is lost know its number.
  await query(
    `INSERT INTO generations AS g (id, engine, spends_in, number) VALUES (1, $1, $3, $4::BIGINT) ON CONFLICT (id) DO UPDATE SET
      engine = excluded.engine, spends_in = excluded.spends_in,
      noticed_ms = CASE WHEN $2 THEN ${DATABASE_NOW_MS} ELSE g.noticed_ms END,
      number = CASE WHEN $2 THEN $4 ELSE g.number END`,
    [engine, isOther, spendsIn ?? last?.spendsIn ?? "", randomInt(NUMBERS)],
  );
  const mark = await writeRow(query, remembered === "damaged" ? undefined : remembered);
  if (!isOther) return { outcome: "continued", mark };
  await query("SELECT note_partitions_1()");
  const { count } = await query("UPDATE service_keys SET is_retired = TRUE WHERE NOT is_retired");
  return { outcome: count > 0 ? "retired" : "continued", mark };
}

/** Which run of the database this node knows, how it learns of another one, and what it remembers to notice one. */
export type PostgresGeneration = {
  /** The run in which service keys were last loaded; null before. A batch of another run spends nothing (`0008`). */
  readonly known: () => string | null;
  /** Begins a node's run. Nodes that start or run beside it change nothing. */
  readonly begin: () => Promise<"continued" | "retired">;
  /**
   * Checks, for a running node, whether the database is still the one that it knows. `load` reads the service keys
   * anew; only after that may anything be spent again. Rejects with SpendsElsewhere if other nodes have started that
   * keep their spends elsewhere.
   */
  readonly follow: (load: () => Promise<void>) => Promise<"continued" | "retired">;
  /** Renews what is remembered; retires the keys if the database was exchanged. Has no effect before `begin`. */
  readonly renew: () => Promise<void>;
};

type Found = { readonly generation: string | null; readonly spendsIn: string };

async function readGeneration(calls: Connections): Promise<Found> {
  const { rows } = await calls.read<Found>(
    `SELECT current_run_1() AS generation, spends_in AS "spendsIn" FROM generations`,
  );
  return rows[0] ?? { generation: null, spendsIn: "" };
}

/** The fence of a node that keeps its mark in that file; without a file, it remembers as long as it runs. */
export function createPostgresGeneration(
  { calls, jobs }: Database,
  file: string | undefined,
  spendsIn: () => string,
): PostgresGeneration {
  let mark: NodeMark | "damaged" | undefined;
  let known: string | null = null;
  const write = async (connections: Connections, startsIn?: string): Promise<"continued" | "retired"> => {
    const begun = await connections.transaction((query) => beginWithin(query, mark, startsIn));
    mark = begun.mark;
    // After the database: the file must never know of more writes than the database.
    if (file !== undefined) writeNodeMark(file, begun.mark);
    return begun.outcome;
  };
  /** Read before the keys: if the run changes meanwhile, the loaded keys count for the earlier run. */
  const adopt = async (load: () => Promise<void>): Promise<void> => {
    const next = await readGeneration(calls);
    if (next.spendsIn !== spendsIn()) throw new SpendsElsewhere();
    // A batch that names no run is not compared with any.
    if (next.generation === null) throw new StoreUnavailable("the database began another run at that moment");
    await load();
    // What was judged with the keys of before has by then reached the store, and is known to be of the former run.
    await setImmediate();
    known = next.generation;
  };
  return {
    known: () => known,
    begin: async () => {
      mark ??= file === undefined ? undefined : readNodeMark(file);
      const outcome = await write(calls, spendsIn());
      await adopt(async () => {});
      return outcome;
    },
    follow: async (load) => {
      const { generation: current } = await readGeneration(calls);
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
