import type { Statistics } from "@stile/core/ports/statistics/statistics";
import type { Store } from "@stile/core/ports/store";
import { startValkey, type ThrowAwayValkey } from "@stile/testkit/valkey/throw-away-valkey";
import { openValkeyLimits } from "../../valkey/valkey-limits.ts";
import { openValkeyStore } from "../../valkey/valkey-store.ts";
import { startTemporaryPostgres, type TemporaryPostgres } from "../postgres/temporary-postgres.ts";

/** No deadline comes, however slow the machine: the guarantees are what is tested. */
const PATIENT_MS = 120_000;

/** Both engines for a file of tests. */
export type TemporaryValkey = {
  readonly engine: ThrowAwayValkey;
  readonly postgres: TemporaryPostgres;
  /** Empties both; answers the address of the database. */
  readonly empty: () => Promise<string>;
  /**
   * A node, which reaches the engine directly or as is said; what any node has counted is written before it is read, as it is a second
   * later in earnest.
   */
  readonly open: (databaseUrl: string, valkeyUrl?: string) => Promise<Store>;
  /** A node that keeps limits alone there. */
  readonly openLimits: (databaseUrl: string) => Promise<Store>;
  readonly stop: () => Promise<void>;
};

function flushFirst(statistics: Statistics, flushAll: () => Promise<unknown>): Statistics {
  return {
    ...statistics,
    readSeries: async (query) => {
      await flushAll();
      return await statistics.readSeries(query);
    },
    readSums: async (query) => {
      await flushAll();
      return await statistics.readSums(query);
    },
  };
}

/** Starts both, to be stopped after the tests. */
export async function startTemporaryValkey(): Promise<TemporaryValkey> {
  const [postgres, engine] = await Promise.all([startTemporaryPostgres(), startValkey({ appendFsync: "always" })]);
  const cleaner = await engine.connect();
  const openStores = new Set<Store>();
  let flushing: Promise<unknown> = Promise.resolve();
  // One after another: a flush that finds nothing held may find it under way in another.
  const flushAll = (): Promise<unknown> => {
    flushing = flushing.then(() => Promise.all([...openStores].map(({ statistics }) => statistics.flush())));
    return flushing;
  };
  return {
    engine,
    postgres,
    empty: async () => {
      await cleaner.flushall();
      return await postgres.emptyDatabase();
    },
    open: async (databaseUrl, url = engine.url) => {
      // The suites' times are long ago, and so is the fence then.
      const plan = { url, nowMs: () => 0, deadlineMs: PATIENT_MS };
      const store = await openValkeyStore({ ...plan, postgres: { url: databaseUrl, deadlineMs: PATIENT_MS } });
      openStores.add(store);
      const close = async (): Promise<void> => {
        openStores.delete(store);
        await store.close();
      };
      return { ...store, close, statistics: flushFirst(store.statistics, flushAll) };
    },
    openLimits: (databaseUrl) =>
      openValkeyLimits({
        postgres: { url: databaseUrl, deadlineMs: PATIENT_MS },
        url: engine.url,
        patienceMs: PATIENT_MS,
      }),
    stop: async () => {
      await Promise.all([postgres.stop(), engine.stop()]);
    },
  };
}
