import type { Store } from "@stile/core/ports/store";
import { consumeRate, settleChallenge } from "../settlement.ts";
import { retryWhileBusy } from "./busy.ts";
import { describeDatabase } from "./describe.ts";
import { createHousekeeping } from "./housekeeping.ts";
import { openDatabase } from "./open-database.ts";
import { createServiceKeys } from "./service-keys.ts";
import { createSites } from "./sites.ts";
import { createStatistics } from "./statistics.ts";
import { createTokenLedger } from "./token-ledger.ts";
import { createWriter } from "./writer.ts";

/** Where the store lies, and the monotonic clock (ms) that measures how long a held database is waited for. */
export type SqliteOptions = { readonly file: string; readonly now?: () => number };

/**
 * Opens the embedded store: one file, one connection, one writer. Class strict: what was answered survives kill -9 and
 * loss of power. Rejects with StoreUnavailable if the file can't be opened or stays held, with NewerDatabase if a later
 * version wrote it.
 */
export async function openSqliteStore({ file, now = () => performance.now() }: SqliteOptions): Promise<Store> {
  const database = await openDatabase(file, now);
  const writer = createWriter(database, now);
  const statistics = createStatistics(database, writer, now);
  const beat = database.prepare("UPDATE heartbeat SET beats = beats + 1 WHERE id = 1");
  return {
    sites: createSites(database, writer, now),
    tokens: createTokenLedger(database, writer, now),
    challenges: {
      spendMany: (batch) => writer.write((transaction) => batch.map((spend) => settleChallenge(transaction, spend))),
    },
    limiter: {
      consumeMany: (batch) => writer.write((transaction) => batch.map((request) => consumeRate(transaction, request))),
    },
    statistics,
    serviceKeys: createServiceKeys(database, writer, now),
    housekeeping: createHousekeeping(database, writer),
    ping: () =>
      writer.write(() => {
        beat.run();
      }),
    describe: () => retryWhileBusy(() => describeDatabase(database), now),
    close: async () => {
      if (!database.isOpen) return;
      try {
        await statistics.flush();
      } finally {
        await writer.stop();
        database.close();
      }
    },
  };
}
