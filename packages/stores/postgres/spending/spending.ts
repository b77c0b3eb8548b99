/**
 * Spends tokens and challenges, and counts limits, in PostgreSQL.
 *
 * A spend waits for the writes of its site (`site-turns.ts`), joins a batch (`spending-queue.ts`)
 * and is sent in one of two ways. `spend_all_1` takes a third of the time, but fails as a whole
 * (`spending-at-once.ts`); `spend_1` decides each item separately (`spending-batch.ts`).
 *
 * Example: a batch has 400 spends and one token that was already spent. `spend_all_1` does nothing
 * and answers null, so the same 400 go to `spend_1`: 399 are spent and one is already used. The
 * next 9 batches go directly to `spend_1`, and the one after that tries `spend_all_1` again.
 *
 * Each batch names the run of the database (`postgres-generation.ts`). If the run changed, nothing
 * is spent.
 */

import type { SpendOutcomes, Spends } from "@stile/core/domain/token/single-use";
import type { ChallengeLedger } from "@stile/core/ports/challenge/challenge-ledger";
import type { RateLimiter } from "@stile/core/ports/rate-limiter";
import { StoreUnavailable } from "@stile/core/ports/store-unavailable";
import type { TokenLedger } from "@stile/core/ports/token/token-ledger";
import type { Database, DatabaseConnections } from "../engine/database.ts";
import { makePartitions } from "../engine/partitions.ts";
import { isDataFault, isMissingPartition } from "../engine/store-faults.ts";
import { createSiteTurns, type SiteTurns } from "./site-turns.ts";
import { type AtOnceAnswer, packAtOnce, unpackAtOnce } from "./spending-at-once.ts";
import { type BatchAnswer, packBatch, unpackAnswer } from "./spending-batch.ts";
import { type BatchObserver, createSpendingQueue } from "./spending-queue.ts";

/** The frequent writes: spends, and the counts that belong to them. */
export type Spending = {
  readonly redeem: TokenLedger["redeem"];
  readonly spendChallenge: ChallengeLedger["spend"];
  readonly consume: RateLimiter["consume"];
  readonly turns: Pick<SiteTurns, "write">;
  /** Refuses further spends, and resolves when all earlier ones have ended. */
  readonly stop: () => Promise<void>;
};

/** The content of one statement, and the database's run as the node knows it. */
type SpendBatch = { readonly spends: Spends; readonly generation: string | null };
type SendBatch = (database: Database, batch: SpendBatch) => Promise<SpendOutcomes>;

/**
 * Calls a function that spends. Rejects if the run changed, because something removed spent marks
 * before or while the function ran. The function compared the earlier run, so it may have spent a
 * token again. PostgreSQL evaluates FROM first, so the run is read after the writes.
 */
async function ask<Answer>(
  { spending }: Database,
  call: string,
  values: readonly [spends: string, generation: string | null, ...string[]],
): Promise<Answer | undefined> {
  const sql = `SELECT answer, current_run_1() AS run FROM ${call} AS answer`;
  const { rows } = await spending.write<{ answer: Answer | null; run: string | null }>(sql, values);
  const [{ answer, run } = { answer: null, run: null }] = rows;
  const [, generation] = values;
  if (generation !== null && run !== generation)
    throw new StoreUnavailable("spent marks were removed from the database");
  return answer ?? undefined;
}

/** Spends the whole batch. If any of it is refused, spends nothing and returns undefined. */
async function spendAtOnce(
  database: Database,
  { spends, generation }: SpendBatch,
): Promise<SpendOutcomes | undefined> {
  const packed = packAtOnce(spends);
  if (packed === undefined) return undefined;
  const [batch, ...arrays] = packed;
  const call = "spend_all_1($1, $2, $3, $4, $5, $6, $7, $8)";
  const answer = await ask<AtOnceAnswer>(database, call, [batch, generation, ...arrays]);
  return answer === undefined ? undefined : unpackAtOnce(spends, answer);
}

/** Decides and spends each item separately. */
async function spendSingly(
  database: Database,
  { spends, generation }: SpendBatch,
): Promise<BatchAnswer> {
  const answer = await ask<BatchAnswer>(database, "spend_1($1, $2)", [
    packBatch(spends),
    generation,
  ]);
  if (answer === undefined) throw new Error("the database returned no answer");
  return answer;
}

/**
 * After a refusal, this many batches go directly to `spend_1`: where many tokens are sent twice,
 * `spend_all_1` would fail again.
 */
const SINGLY_AFTER_REFUSAL = 10;

/** Sends a batch in the fastest way that works for it. */
function createSend(): SendBatch {
  let singly = 0;
  return async (database, batch) => {
    if (singly === 0) {
      const outcomes = await spendAtOnce(database, batch);
      if (outcomes !== undefined) return outcomes;
      singly = SINGLY_AFTER_REFUSAL;
    }
    singly -= 1;
    return unpackAnswer(batch.spends, await spendSingly(database, batch));
  };
}

async function makeMissing(
  calls: DatabaseConnections,
  { redemptions, challenges }: Spends,
): Promise<void> {
  await makePartitions(
    calls,
    "token_marks",
    redemptions.map(({ retainUntilMs }) => retainUntilMs),
  );
  await makePartitions(
    calls,
    "challenge_marks",
    challenges.map(({ retainUntilMs }) => retainUntilMs),
  );
}

/** A sweep of a node whose clock is ahead may remove a new partition while it is still empty. */
const MOST_TRIES = 3;

/**
 * Sends a batch. If the database reports a missing partition, nothing was done, so it creates the
 * partition and sends the batch again. If the connection broke, the outcome is unknown, and callers
 * get that error.
 */
function withPartitions(sendBatch: SendBatch): SendBatch {
  return async (database, batch) => {
    for (let left = MOST_TRIES - 1; ; left--) {
      try {
        return await sendBatch(database, batch);
      } catch (error) {
        if (!isMissingPartition(error)) throw error;
        if (left === 0)
          throw new StoreUnavailable(
            "a partition was removed at that moment, and nothing was written",
            {
              cause: error,
            },
          );
      }
      await makeMissing(database.calls, batch.spends);
    }
  };
}

/** The run of the database that the node knows, and the observer of its batches. */
export type SpendingPlan = {
  readonly generation: () => string | null;
  readonly observer?: BatchObserver | undefined;
};

/** Creates the frequent writes of a process, on the one connection reserved for them. */
export function createSpending(
  database: Database,
  { generation, observer }: SpendingPlan,
): Spending {
  const send = withPartitions(createSend());
  const queue = createSpendingQueue({
    send: (spends, run) => send(database, { spends, generation: run }),
    currentRun: generation,
    isForOne: isDataFault,
    mostWaitMs: database.spending.deadlineMs,
    observer,
  });
  const turns = createSiteTurns(database.spending.deadlineMs);
  return {
    // Takes the run at the moment of the call, because a spend may wait longer than the run lasts.
    redeem: (redemption) => {
      const run = generation();
      return turns.spend(redemption.siteKey, () => queue.spend("redemptions", redemption, run));
    },
    spendChallenge: (spend) => {
      const run = generation();
      return turns.spend(spend.siteKey, () => queue.spend("challenges", spend, run));
    },
    consume: (request) => queue.spend("rates", request),
    turns,
    stop: queue.stop,
  };
}
