import type { DatabaseSync } from "node:sqlite";
import { StoreUnavailable } from "@stile/core/ports/store-unavailable";
import {
  type ConnectionOptions,
  readConnectionOptions,
} from "../postgres/engine/connection-options.ts";
import { createDatabase, type Database, type Query } from "../postgres/engine/database.ts";
import { DatabaseProblem, explainOpening } from "../postgres/engine/database-problem.ts";
import { checkPooler } from "../postgres/engine/inspect-postgres.ts";
import { migrate } from "../postgres/engine/migrate-postgres.ts";
import { beginWithin } from "../postgres/engine/postgres-generation.ts";
import { selectOne } from "../sqlite/engine/select.ts";
import { openSqliteStore } from "../sqlite/sqlite-store.ts";
import { copyAhead, copyTables, type TableCount } from "./copy-tables.ts";
import { markMove } from "./move-mark.ts";
import { checkHeeds, checkUnmoved, holdWrites, openSource, writeMark } from "./move-source.ts";
import { attachSnapshot, removeSnapshot } from "./snapshot.ts";
import { readIdentity, settleMove } from "./unfinished-move.ts";

/**
 * The file to move, the target database, and whether a service runs on the file. The callbacks get
 * the copy that an upgrade made, and the progress of each table.
 */
export type MovePlan = {
  readonly file: string;
  readonly url: string;
  readonly isServed: boolean;
  readonly onUpgrade: (copy: string) => void;
  readonly onRows: (table: string, rows: number) => void;
};

/**
 * The result of a move: the moved rows, and how long (ms) nobody could write before it was
 * complete. `isRetired` says that the service keys were retired first, because the SQLite database
 * was a copy (decision 0010, retired keys). Or: an earlier move had already been completed.
 */
export type Moved =
  | {
      readonly kind: "moved";
      readonly counts: readonly TableCount[];
      readonly heldMs: number;
      readonly isRetired: boolean;
    }
  | { readonly kind: "was moved" };

/**
 * Upgrades the file and checks its generation, as a start would. Otherwise an older copy could be
 * moved as if it were complete.
 */
async function prepareStopped({ file, onUpgrade }: MovePlan): Promise<boolean> {
  const store = await openSqliteStore({ file, onUpgrade });
  try {
    return (await store.begin()) === "retired";
  } finally {
    await store.close();
  }
}

/**
 * Checks that nodes could use the database over this connection. Returns the database's identity.
 */
async function readTarget(database: Database): Promise<string> {
  await checkPooler(database);
  return await readIdentity(database.jobs.read);
}

/** Creates the tables in the empty database, and begins the nodes' generation. */
async function prepareTarget(query: Query): Promise<void> {
  await migrate({ transaction: (work) => work(query) });
  const { rows } = await query<{ accounts: number }>("SELECT count(*) AS accounts FROM accounts");
  if (rows[0]?.accounts !== 0) {
    throw new DatabaseProblem(
      "The PostgreSQL database already has an installation. Name an empty one.",
    );
  }
  // Before the service keys are copied, because it would retire them.
  await beginWithin(query, undefined);
}

/**
 * Copies the newest known time and the newest service key id, and adopts the copied marks in their
 * present state.
 */
async function handOver(query: Query, source: DatabaseSync): Promise<void> {
  const { seenMs, keyId } = selectOne<{ seenMs: number; keyId: number }>(
    source,
    "SELECT max(seen_ms) AS seenMs, max(newest_key_id) AS keyId FROM generations",
  );
  await query("UPDATE generations SET seen_ms = $1, newest_key_id = $2", [seenMs, keyId]);
  await query("SELECT note_partitions_1()");
}

/** The state of a move. */
type MoveWork = {
  readonly plan: MovePlan;
  readonly source: DatabaseSync;
  readonly database: Database;
  readonly to: string;
};

/**
 * Fills the database in one transaction. It marks SQLite right before the commit, so that the two
 * can never both spend.
 */
async function carryOver(work: MoveWork, onMarked: () => void) {
  const { plan, source, database, to } = work;
  if (plan.isServed) attachSnapshot(source, plan.file);
  let heldAtMs = 0;
  const counts = await database.jobs.transaction(async (query) => {
    const copying = { source, query, onRows: plan.onRows };
    await prepareTarget(query);
    if (plan.isServed) await copyAhead(copying);
    await holdWrites(source);
    heldAtMs = performance.now();
    checkUnmoved(source);
    const compared = await copyTables(copying, plan.isServed);
    await handOver(query, source);
    markMove(source, { to, isDone: false });
    source.exec("COMMIT");
    onMarked();
    return compared;
  });
  return { counts, heldMs: performance.now() - heldAtMs };
}

/** The error to report for a move that failed. */
function explain(fault: unknown): unknown {
  if (fault instanceof DatabaseProblem) return fault;
  const { message } = (Object(fault) as { readonly cause?: Error }).cause ?? (fault as Error);
  return new DatabaseProblem(`Nothing was moved, and both databases are unchanged (${message}).`, {
    cause: fault,
  });
}

const UNKNOWN =
  "The connection broke at the very end, so it is unknown whether the move was done, and nothing is redeemed until it is known. " +
  "Run it again, with the same address: it finishes the move, or undoes it and starts again.";

/**
 * Handles a fault after the mark was set: removes the mark if the database surely did not commit.
 * If it may have, finds out.
 */
async function settleFault(
  { plan, source, to }: MoveWork,
  options: ConnectionOptions,
  fault: unknown,
): Promise<void> {
  if (!(fault instanceof StoreUnavailable)) {
    await writeMark(source, undefined);
    throw fault;
  }
  // The connections opened before are presumed broken.
  const database = await createDatabase(options);
  try {
    if ((await settleMove(source, plan.file, database.jobs, to)) === "done") return;
  } catch (cause) {
    throw new DatabaseProblem(UNKNOWN, { cause });
  } finally {
    await database.close();
  }
  throw fault;
}

async function moveFrom(work: MoveWork, options: ConnectionOptions): Promise<Moved> {
  const { plan, source, database, to } = work;
  if ((await settleMove(source, plan.file, database.jobs, to)) === "done")
    return { kind: "was moved" };
  if (plan.isServed) checkHeeds(source);
  const isRetired = plan.isServed ? false : await prepareStopped(plan);
  let isMarked = false;
  const onMarked = (): void => {
    isMarked = true;
  };
  try {
    const done = await carryOver(work, onMarked);
    // If this write fails, the old mark still says that the outcome is unknown, which also prevents
    // all writes.
    await writeMark(source, { to, isDone: true }).catch(() => {});
    return { kind: "moved", ...done, isRetired };
  } catch (fault) {
    if (!isMarked) throw fault;
    await settleFault(work, options, fault);
    return { kind: "was moved" };
  }
}

/**
 * Moves the installation of a SQLite file to an empty PostgreSQL database, in one transaction, even
 * while a service runs on the file. Large tables are copied first; then writes are held up while
 * the rest is copied. The service keys are moved unchanged, so that tokens stay valid. Therefore
 * SQLite is marked before the commit and accepts no more writes (decision 0011, moves). Throws
 * DatabaseProblem; then PostgreSQL is unchanged and SQLite serves, unless the message says
 * otherwise.
 */
export async function moveToPostgres(plan: MovePlan): Promise<Moved> {
  const options = readConnectionOptions(plan.url);
  const database = await createDatabase(options);
  const source = openSource(plan.file);
  try {
    const to = await readTarget(database).catch((fault: unknown) => {
      throw explainOpening(Object(fault).cause ?? fault, options.place);
    });
    return await moveFrom({ plan, source, database, to }, options);
  } catch (fault) {
    throw explain(fault);
  } finally {
    source.close();
    removeSnapshot(plan.file);
    await database.close();
  }
}
