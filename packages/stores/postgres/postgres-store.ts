import type { Store } from "@stile/core/ports/store";
import { StoreUnavailable } from "@stile/core/ports/store-unavailable";
import { readConnectionOptions } from "./engine/connection-options.ts";
import { createDatabase, type Database } from "./engine/database.ts";
import { explainOpening } from "./engine/database-problem.ts";
import { describePostgres } from "./engine/describe-postgres.ts";
import { checkPooler } from "./engine/inspect-postgres.ts";
import { migrate } from "./engine/migrate-postgres.ts";
import { createPostgresGeneration, DATABASE_NOW_MS } from "./engine/postgres-generation.ts";
import { checkWhole, describeMissing, findMissingTables, putBackRows } from "./own-tables.ts";
import { createPostgresNodeFeeds } from "./postgres-node-feed.ts";
import { createPostgresPorts } from "./postgres-ports.ts";
import type { BatchObserver } from "./spending/spending-queue.ts";

/**
 * The database's address, the deadline (ms) of statements that requests wait for, and an observer
 * of spending batches. `markFile` keeps this node's last mark, by which the node recognises the
 * database.
 */
export type PostgresOptions = {
  readonly url: string;
  readonly deadlineMs?: number | undefined;
  readonly observer?: BatchObserver | undefined;
  readonly markFile?: string | undefined;
};

const READ_NOW = `SELECT ${DATABASE_NOW_MS} AS "nowMs"`;

/**
 * Nodes that start at the same moment do this work one after another. A node that dies during the
 * work releases its turn.
 */
function createAlone({ aside }: Database): Store["alone"] {
  return (work) =>
    aside((own) =>
      own.transaction(async (query) => {
        await query("SELECT FROM turns WHERE name = 'first start' FOR UPDATE");
        return await work();
      }),
    );
}

/**
 * Opens the scaled store, which any number of nodes share (decision 0009, PostgreSQL). Answered
 * writes are as durable as the engine's settings make them; `describe` reads these. Rejects with
 * DatabaseProblem, whose message tells the operator what to do.
 */
export async function openPostgresStore(given: PostgresOptions): Promise<Store> {
  const { url, deadlineMs, observer, markFile } = given;
  const options = readConnectionOptions(url);
  const database = await createDatabase(options, deadlineMs);
  try {
    await checkPooler(database);
    await migrate(database.jobs);
    await checkWhole(database.jobs.read);
    await putBackRows(database.jobs);
  } catch (fault) {
    await database.close();
    throw explainOpening(Object(fault).cause ?? fault, options.place);
  }
  const generation = createPostgresGeneration(database, markFile);
  const { ports, spending } = createPostgresPorts(database, {
    generation: generation.known,
    observer,
  });
  const { statistics, decisions, keyUsage, housekeeping } = ports;
  const closeOnce = async (): Promise<void> => {
    try {
      await Promise.all([statistics.flush(), decisions.flush(), keyUsage.flush(), spending.stop()]);
      await generation.renew();
    } finally {
      await database.close();
    }
  };
  let closing: Promise<void> | undefined;
  return {
    ...ports,
    alone: createAlone(database),
    nodes: {
      nowMs: async () =>
        (await database.jobs.read<{ nowMs: number }>(READ_NOW)).rows[0]?.nowMs ?? 0,
      openFeed: createPostgresNodeFeeds(database.calls),
      follow: generation.follow,
      giveUp: database.giveUp,
    },
    housekeeping: {
      ...housekeeping,
      sweep: async (nowMs) => {
        try {
          return await housekeeping.sweep(nowMs);
        } finally {
          await generation.renew();
        }
      },
    },
    begin: generation.begin,
    ping: async () => {
      const missing = describeMissing(await findMissingTables(database.calls.read));
      if (missing !== undefined) throw new StoreUnavailable(missing);
      await database.calls.write("UPDATE heartbeat SET beats = beats + 1 WHERE id = 1");
    },
    describe: () => describePostgres(database.calls.read),
    close: () => {
      closing ??= closeOnce();
      return closing;
    },
  };
}
