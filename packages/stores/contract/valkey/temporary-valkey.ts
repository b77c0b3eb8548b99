import type { Statistics } from "@stile/core/ports/statistics/statistics";
import type { Store } from "@stile/core/ports/store";
import { startValkey, type ThrowAwayValkey } from "@stile/testkit/valkey/throw-away-valkey";
import { GENERATION_KEY } from "../../valkey/engine/valkey-keys.ts";
import { openValkeyLimits } from "../../valkey/valkey-limits.ts";
import { openValkeyStore } from "../../valkey/valkey-store.ts";
import { startTemporaryPostgres, type TemporaryPostgres } from "../postgres/temporary-postgres.ts";

/** So long that no deadline passes, however slow the machine: these suites test guarantees, not deadlines. */
const PATIENT_MS = 120_000;

/** Both engines for a file of tests. */
export type TemporaryValkey = {
  readonly engine: ThrowAwayValkey;
  readonly postgres: TemporaryPostgres;
  /** Empties both; returns the address of the database. */
  readonly empty: () => Promise<string>;
  /**
   * Opens a node, which reaches Valkey directly or at `valkeyUrl`. Counts of any node are flushed before they are read;
   * in production that happens within a second.
   */
  readonly open: (databaseUrl: string, valkeyUrl?: string) => Promise<Store>;
  /** Opens a node that keeps only limits in Valkey. */
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

/** Starts both engines; stop them after the tests. */
export async function startTemporaryValkey(): Promise<TemporaryValkey> {
  const [postgres, engine] = await Promise.all([startTemporaryPostgres(), startValkey({ appendFsync: "always" })]);
  const cleaner = await engine.connect();
  const openStores = new Set<Store>();
  let flushing: Promise<unknown> = Promise.resolve();
  // One after another: otherwise a flush that finds nothing buffered may return while another is still writing.
  const flushAll = (): Promise<unknown> => {
    flushing = flushing.then(() => Promise.all([...openStores].map(({ statistics }) => statistics.flush())));
    return flushing;
  };
  return {
    engine,
    postgres,
    empty: async () => {
      const names = await cleaner.keys("*");
      // Nodes that are open would take the loss of this key for the loss of everything.
      const emptied = names.filter((name) => name !== GENERATION_KEY || openStores.size === 0);
      if (emptied.length > 0) await cleaner.del(emptied);
      return await postgres.emptyDatabase();
    },
    open: async (databaseUrl, url = engine.url) => {
      // The suites' times lie in the past, so the clock that sets the fence must as well.
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
