import type { ChallengeLedger } from "@stile/core/ports/challenge/challenge-ledger";
import type { RateLimiter } from "@stile/core/ports/rate-limiter";
import type { TokenLedger } from "@stile/core/ports/token/token-ledger";
import type { SpendOutcomes, Spends } from "../../single-use.ts";
import { createSiteTurns, type SiteTurns } from "../../site-turns.ts";
import type { Connections, Database } from "./database.ts";
import { makePartitions } from "./partitions.ts";
import { type BatchAnswer, packBatch, unpackAnswer } from "./spending-batch.ts";
import { type BatchObserver, createSpendingQueue } from "./spending-queue.ts";
import { isDataFault, isMissingPartition } from "./store-faults.ts";

/** The hot writes: what is spent, and counted with it. */
export type Spending = {
  readonly redeem: TokenLedger["redeem"];
  readonly spendChallenge: ChallengeLedger["spend"];
  readonly consume: RateLimiter["consume"];
  readonly turns: Pick<SiteTurns, "write">;
  /** Refuses further spends, and resolves when all earlier ones have ended. */
  readonly stop: () => Promise<void>;
};

async function sendBatch({ spending }: Database, spends: Spends, generation: string | null): Promise<SpendOutcomes> {
  const { rows } = await spending.write<{ answer: BatchAnswer }>("SELECT spend_2($1, $2) AS answer", [
    packBatch(spends),
    generation,
  ]);
  const [row] = rows;
  if (row === undefined) throw new Error("the database left out its answer");
  return unpackAnswer(spends, row.answer);
}

async function makeMissing(calls: Connections, { redemptions, challenges }: Spends): Promise<void> {
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

/**
 * Sends a batch. It is sent again only where the database said that it was undone: for want of a partition, which is made first.
 * Where the connection broke, nobody knows, and whoever asked is told so.
 */
async function send(database: Database, spends: Spends, generation: string | null): Promise<SpendOutcomes> {
  try {
    return await sendBatch(database, spends, generation);
  } catch (error) {
    if (!isMissingPartition(error)) throw error;
  }
  await makeMissing(database.calls, spends);
  return await sendBatch(database, spends, generation);
}

/** The hot writes of a process, over the one connection that is kept for them; `generation` is the run that it knows. */
export function createSpending(
  database: Database,
  generation: () => string | null,
  observer: BatchObserver | undefined,
): Spending {
  const queue = createSpendingQueue((spends) => send(database, spends, generation()), isDataFault, observer);
  const turns = createSiteTurns();
  return {
    redeem: (redemption) => turns.spend(redemption.siteKey, () => queue.spend("redemptions", redemption)),
    spendChallenge: (spend) => turns.spend(spend.siteKey, () => queue.spend("challenges", spend)),
    consume: (request) => queue.spend("rates", request),
    turns,
    stop: queue.stop,
  };
}
