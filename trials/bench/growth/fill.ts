import { statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { newSite } from "@stile/testkit/contract/sites";
import { fillSite, openBeside } from "../filled-service.ts";
import type { FillStore } from "../round.ts";
import type { SiteKeys } from "../workloads.ts";

/**
 * The content of a store before the load: sites with a secret key each, spent tokens, and 13 months
 * of statistics of the first site.
 */
export type Holding = {
  readonly sites: number;
  readonly tokens: number;
  readonly hasStatistics: boolean;
};

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
/** How many are inserted in one transaction: the running service waits for it only a moment. */
const SITES_AT_ONCE = 250;
const TOKENS_AT_ONCE = 50_000;
/**
 * How much longer they are kept: none is swept during the measurement. The longest-lived tokens are
 * kept for 16 minutes.
 */
const KEPT_MS = { from: 10 * MINUTE_MS, to: 16 * MINUTE_MS } as const;

type Beside = Awaited<ReturnType<typeof openBeside>>;

async function addSites(
  { fixture, accountId }: Beside,
  count: number,
): Promise<readonly SiteKeys[]> {
  const made: SiteKeys[] = [];
  while (made.length < count) {
    const some = Math.min(SITES_AT_ONCE, count - made.length);
    made.push(
      ...(await Promise.all(Array.from({ length: some }, () => newSite(fixture, {}, accountId)))),
    );
  }
  return made;
}

/** Adds spent tokens, as if redeemed at a steady rate. */
function addSpentTokens(database: DatabaseSync, count: number): void {
  const firstMs = Date.now() + KEPT_MS.from;
  const stepMs = (KEPT_MS.to - KEPT_MS.from) / count;
  const insert = database.prepare(
    `WITH RECURSIVE numbers(n) AS (VALUES (?) UNION ALL SELECT n + 1 FROM numbers WHERE n + 1 < ?)
      INSERT INTO token_marks (keep_until_ms, id, spent_at_ms)
        SELECT CAST(? + n * ? AS INTEGER), randomblob(12), ? FROM numbers`,
  );
  for (let from = 0; from < count; from += TOKENS_AT_ONCE) {
    insert.run(from, Math.min(from + TOKENS_AT_ONCE, count), firstMs, stepMs, Date.now());
  }
}

/**
 * Adds 13 months of statistics, as a service that ran all the time stores them; counts under load
 * begin with this minute.
 */
async function addStatistics({ store }: Beside, siteKey: string): Promise<void> {
  await fillSite(store, siteKey, "usual", Date.now() - HOUR_MS);
}

/** Bytes of the main file, with the log folded into it and nothing unused. */
function foldAndMeasure(database: DatabaseSync, file: string): number {
  database.exec("VACUUM; PRAGMA wal_checkpoint(TRUNCATE)");
  return statSync(file).size;
}

/**
 * Fills a service's store with `holding`; `onFilled` gets the size of the database file in bytes.
 */
export function createFill(
  { sites, tokens, hasStatistics }: Holding,
  onFilled: (bytes: number) => void,
): FillStore {
  return async ({ demo, ...service }) => {
    const beside = await openBeside(service);
    const file = join(service.dataDirectory, "stile.sqlite");
    const database = new DatabaseSync(file, { timeout: 10_000 });
    try {
      const added = await addSites(beside, sites - 1);
      addSpentTokens(database, tokens);
      if (hasStatistics) await addStatistics(beside, demo.siteKey);
      onFilled(foldAndMeasure(database, file));
      return [demo, ...added];
    } finally {
      database.close();
      await beside.store.close();
    }
  };
}
