import type { DatabaseSync } from "node:sqlite";
import { StoreUnavailable } from "@stile/core/ports/store-unavailable";
import { createMoveCheck } from "../../move/move-mark.ts";
import { foldLog } from "../fold-log.ts";
import { BUSY_DEADLINE_MS, BUSY_RETRY_MS, isBusy, isOfMachine, toStoreError } from "./busy.ts";
import type { GenerationFence } from "./generation.ts";
import { createTransactions, type SqliteTransaction } from "./transaction.ts";

/**
 * The most writes that may wait. Further ones are refused at once. One turn makes that many in
 * about 0.1 s.
 */
export const MAX_WAITING_WRITES = 10_000;

/**
 * The most writes of a turn that may fail by their own fault. After each one the rest of the turn
 * is done again. If one more fails, the whole turn fails.
 */
const MOST_FAILING = 8;

/** The one writer of a connection: commits the writes of many callers as a group. */
export type Writer = {
  /**
   * Does `work` within the transaction of this turn of the event loop. All writes of the turn share
   * it: one COMMIT, one fsync. Resolves after the COMMIT.
   *
   * If `work` throws, the others are done again without it. If the transaction fails, it is rolled
   * back and all its writes reject. So `work` may run more than once, and must have no other
   * effect.
   *
   * Rejects with StoreUnavailable if another process locked the database for `busyDeadlineMs`, or
   * if the installation was moved to another database.
   */
  readonly write: <Answer>(work: (transaction: SqliteTransaction) => Answer) => Promise<Answer>;
  /**
   * Like `write`, for changes that must survive the loss of the write-ahead log, such as a revoked
   * key. Before it resolves, the log is copied into the database file (decision 0008, SQLite). If a
   * reader prevents that, it is tried again after each commit.
   */
  readonly writeThrough: Writer["write"];
  /** Refuses further writes, and resolves when all earlier ones have ended. */
  readonly stop: () => Promise<void>;
};

const refuse: Writer["write"] = () =>
  Promise.reject(new Error("this connection only reads: send the write to the writer's thread"));

/** The writer of a connection that only reads. */
export const NO_WRITER: Writer = {
  write: refuse,
  writeThrough: refuse,
  stop: () => Promise.resolve(),
};

type Waiting = {
  /**
   * Does the work. The function it returns passes the result to the caller; call it once that is
   * durable.
   */
  readonly work: (transaction: SqliteTransaction) => () => void;
  readonly reject: (error: unknown) => void;
  readonly sinceMs: number;
  readonly isThrough: boolean;
};

/** The checks and steps of a writer. */
type Parts = {
  readonly begin: () => SqliteTransaction;
  readonly checkMove: () => void;
  readonly fence: Pick<GenerationFence, "record">;
};

/** One attempt at a transaction. `working` is the write whose work is running. */
type BatchAttempt = { working: Waiting | undefined };

/**
 * Commits the batch. Returns functions that pass the results to the callers, or throws with nothing
 * written.
 */
function commitAll(
  database: DatabaseSync,
  { begin, checkMove, fence }: Parts,
  batch: readonly Waiting[],
  attempt: BatchAttempt,
): readonly (() => void)[] {
  database.exec("BEGIN IMMEDIATE");
  const transaction = begin();
  try {
    checkMove();
    const answers = batch.map((entry) => {
      attempt.working = entry;
      return entry.work(transaction);
    });
    attempt.working = undefined;
    transaction.writeSums();
    database.exec("COMMIT");
    const spent = transaction.lastSpent();
    if (spent !== undefined) fence.record(spent);
    return answers;
  } catch (error) {
    if (database.isTransaction) database.exec("ROLLBACK");
    transaction.undo();
    throw error;
  }
}

/**
 * Starts the writer. `now` is the monotonic clock for the deadline, and `busyDeadlineMs` is how
 * long another process may lock the database. After each COMMIT that spent something, and before
 * any caller gets an answer, the last spent record goes to the fence.
 */
export function createWriter(
  database: DatabaseSync,
  now: () => number,
  fence: Pick<GenerationFence, "record">,
  busyDeadlineMs = BUSY_DEADLINE_MS,
): Writer {
  const parts = {
    begin: createTransactions(database),
    checkMove: createMoveCheck(database),
    fence,
  };
  let waiting: Waiting[] = [];
  let isScheduled = false;
  let mustFold = false;
  let isStopped = false;
  let onIdle: (() => void) | undefined;

  const keepThoseInTime = (batch: readonly Waiting[], busy: unknown): void => {
    const oldestMs = now() - busyDeadlineMs;
    const error = toStoreError(busy);
    for (const { reject } of batch.filter(({ sinceMs }) => sinceMs <= oldestMs)) reject(error);
    waiting = [...batch.filter(({ sinceMs }) => sinceMs > oldestMs), ...waiting];
  };

  /**
   * Writes the batch and answers every caller. A write that fails by its own fault is rejected and
   * left out; this may happen `mayFail` times.
   */
  const writeBatch = (batch: readonly Waiting[], mayFail: number): void => {
    const attempt: BatchAttempt = { working: undefined };
    try {
      const answers = commitAll(database, parts, batch, attempt);
      mustFold ||= batch.some(({ isThrough }) => isThrough);
      if (mustFold) mustFold = !foldLog(database);
      for (const answer of answers) answer();
    } catch (error) {
      const { working } = attempt;
      if (working !== undefined && mayFail > 0 && !isOfMachine(error)) {
        working.reject(error);
        writeBatch(
          batch.filter((entry) => entry !== working),
          mayFail - 1,
        );
      } else if (isBusy(error)) keepThoseInTime(batch, error);
      else for (const { reject } of batch) reject(toStoreError(error));
    }
  };

  const turn = (): void => {
    const batch = waiting;
    waiting = [];
    isScheduled = false;
    writeBatch(batch, MOST_FAILING);
    if (waiting.length > 0) {
      isScheduled = true;
      setTimeout(turn, BUSY_RETRY_MS);
    } else onIdle?.();
  };

  const enqueue = (entry: Waiting): void => {
    if (isStopped) entry.reject(new StoreUnavailable("the store is closed"));
    else if (waiting.length >= MAX_WAITING_WRITES)
      entry.reject(new StoreUnavailable("too many writes are waiting"));
    else waiting.push(entry);
    if (isScheduled || waiting.length === 0) return;
    isScheduled = true;
    setImmediate(turn);
  };

  const writeAs =
    (isThrough: boolean): Writer["write"] =>
    (work) =>
      new Promise((resolve, reject) => {
        const workThenAnswer = (transaction: SqliteTransaction): (() => void) => {
          const answer = work(transaction);
          return () => resolve(answer);
        };
        enqueue({ work: workThenAnswer, reject, sinceMs: now(), isThrough });
      });

  return {
    write: writeAs(false),
    writeThrough: writeAs(true),
    stop: () => {
      isStopped = true;
      return new Promise((resolve) => {
        if (waiting.length === 0) resolve();
        else onIdle = resolve;
      });
    },
  };
}
