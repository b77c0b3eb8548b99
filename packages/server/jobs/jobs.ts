import type { Clock } from "@stile/core/ports/clock";
import type { Store } from "@stile/core/ports/store";
import { RESTORE_DAYS } from "@stile/protocol/limits";
import { notAhead } from "../clock/not-ahead.ts";
import { createFaultLog } from "../telemetry/fault-log.ts";
import type { Logger } from "../telemetry/log.ts";

/** Work that is repeated. Its runs never overlap. */
export type Job = {
  readonly name: string;
  readonly everyMs: number;
  readonly run: () => Promise<unknown>;
};

const DAY_MS = 86_400_000;

/** The objects that the jobs work on. */
export type JobParts = {
  readonly store: Store;
  readonly clock: Clock;
  /** The time by which old data is removed. */
  readonly retention: Clock;
  readonly log: Logger;
  /** Loads, makes and removes service keys when due. */
  readonly refreshKeys: () => Promise<void>;
  /** Exchanges what nodes remember; undefined if there are no others. */
  readonly exchange: (() => Promise<void>) | undefined;
  /**
   * Checks that the shared store is still the one the nodes know; undefined without other nodes.
   */
  readonly followStore: (() => Promise<void>) | undefined;
  /** Reads the operator's lists of networks again if they were imported again. */
  readonly refreshNetworkLists: () => void;
  /** The work of the optional parts. */
  readonly ofParts: readonly Job[];
  /** Writes how often security events were repeated once their period is over. */
  readonly flushSecurityEvents: () => Promise<void>;
};

/** The recurring work of the service. */
export function jobsOf(parts: Omit<JobParts, "log">): readonly Job[] {
  const { store, clock, retention, refreshKeys, exchange, followStore } = parts;
  const { refreshNetworkLists, ofParts, flushSecurityEvents } = parts;
  const overMs = () => notAhead(store, clock.nowMs());
  const oldMs = () => notAhead(store, retention.nowMs());
  return [
    ...(exchange === undefined
      ? []
      : [{ name: "tell the other nodes", everyMs: 500, run: exchange }]),
    ...(followStore === undefined
      ? []
      : [{ name: "follow the store", everyMs: 2_000, run: followStore }]),
    { name: "write statistics", everyMs: 1000, run: () => store.statistics.flush() },
    { name: "write decisions", everyMs: 1000, run: () => store.decisions.flush() },
    { name: "write the use of secret keys", everyMs: 10_000, run: () => store.keyUsage.flush() },
    {
      name: "sweep spent tokens and challenges",
      everyMs: 30_000,
      run: async () => store.housekeeping.sweep(await overMs()),
    },
    {
      name: "remove old statistics",
      everyMs: 60_000,
      run: async () => store.statistics.prune(await oldMs()),
    },
    {
      name: "remove old decisions",
      everyMs: 60_000,
      run: async () => store.decisions.prune(await oldMs()),
    },
    {
      name: "remove ended sessions",
      everyMs: 60_000,
      run: async () => store.sessions.prune(await overMs()),
    },
    {
      name: "remove expired links",
      everyMs: 60_000,
      run: async () => store.links.prune(await overMs()),
    },
    { name: "write repeated security events", everyMs: 60_000, run: flushSecurityEvents },
    { name: "refresh service keys", everyMs: 600_000, run: refreshKeys },
    {
      name: "refresh the lists of networks",
      everyMs: 30_000,
      run: async () => refreshNetworkLists(),
    },
    ...ofParts,
    {
      name: "remove old audit entries",
      everyMs: 3_600_000,
      run: async () => store.auditLog.prune(await oldMs()),
    },
    {
      name: "purge deleted sites",
      everyMs: 3_600_000,
      run: async () => store.sites.purgeSites((await oldMs()) - RESTORE_DAYS * DAY_MS),
    },
  ];
}

/** Starts the recurring work. The returned function stops it and waits for what is running. */
export function startJobs(parts: JobParts): () => Promise<void> {
  const running = new Set<Promise<void>>();
  const recordFault = createFaultLog(parts.log);
  const timers = jobsOf(parts).map((job) => {
    let isBusy = false;
    const runOnce = async (): Promise<void> => {
      if (isBusy) return;
      isBusy = true;
      try {
        await job.run();
      } catch (error) {
        recordFault(
          error,
          `The job "${job.name}" failed and will run again; \`err\` says why. Check the database and the disk.`,
          { job: job.name },
        );
      } finally {
        isBusy = false;
      }
    };
    return setInterval(() => {
      const work = runOnce().finally(() => running.delete(work));
      running.add(work);
    }, job.everyMs).unref();
  });
  return async () => {
    for (const timer of timers) clearInterval(timer);
    await Promise.all(running);
  };
}
