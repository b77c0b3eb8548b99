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

/** The frequent writes: spending, and the counts that go with it. */
export type Spending = {
  readonly redeem: TokenLedger["redeem"];
  readonly spendChallenge: ChallengeLedger["spend"];
  readonly consume: RateLimiter["consume"];
  readonly turns: Pick<SiteTurns, "write">;
  /** Refuses further spends, and resolves when all earlier ones have ended. */
  readonly stop: () => Promise<void>;
};

/** What one statement carries, and the database's run as the node knows it. */
type SpendBatch = { readonly spends: Spends; readonly generation: string | null };
type SendBatch = (database: Database, batch: SpendBatch) => Promise<SpendOutcomes>;

/**
 * Asks a function that spends. Rejects if something else removed what was spent, or did so while
 * the function waited: that compared the run before, and may have written again what was gone by
 * then. FROM is done first, so the run is read behind the writes.
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
    throw new StoreUnavailable("what was spent was removed");
  return answer ?? undefined;
}

/** Spends the whole batch; or nothing, and returns undefined, if any of it is refused. */
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

/** Spends each item separately. */
async function spendSingly(
  database: Database,
  { spends, generation }: SpendBatch,
): Promise<BatchAnswer> {
  const answer = await ask<BatchAnswer>(database, "spend_1($1, $2)", [
    packBatch(spends),
    generation,
  ]);
  if (answer === undefined) throw new Error("the database left out its answer");
  return answer;
}

/**
 * After a refusal, this many batches are not tried at once: where many tokens are sent twice, it
 * would fail again.
 */
const SINGLY_AFTER_REFUSAL = 10;

/** Sends a batch in the faster of the two ways that works for it. */
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

/** A sweep of a node whose clock is ahead may remove a new partition before anything lies in it. */
const MOST_TRIES = 3;

/**
 * Sends a batch, and sends it again only if the database said that it was undone for lack of a
 * partition, which is created first. If the connection broke, the outcome is unknown, and callers
 * are told so.
 */
function withPartitions(sendBatch: SendBatch): SendBatch {
  return async (database, batch) => {
    for (let left = MOST_TRIES - 1; ; left--) {
      try {
        return await sendBatch(database, batch);
      } catch (error) {
        if (!isMissingPartition(error)) throw error;
        if (left === 0)
          throw new StoreUnavailable("partitions are removed at once: nothing was written", {
            cause: error,
          });
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

/** The frequent writes of a process, over the one connection that is reserved for them. */
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
    // The run is that of the moment of the call: what was judged with its keys may wait for longer
    // than it lasts.
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
