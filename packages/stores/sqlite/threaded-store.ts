import type { Store } from "@stile/core/ports/store";
import { StoreUnavailable } from "@stile/core/ports/store-unavailable";
import { createBufferedCounts } from "../buffered-counts.ts";
import { createBufferedDecisions } from "../buffered-decisions.ts";
import { createBufferedKeyUses } from "../buffered-key-uses.ts";
import { NO_WRITER } from "./engine/group-commit.ts";
import { openDatabase } from "./engine/open-database.ts";
import { createReaderThread, type ReaderThread } from "./engine/reader-thread/reader-thread.ts";
import type { Call } from "./engine/thread-calls.ts";
import type { WriteObserver } from "./engine/writer-thread/batch-sender.ts";
import {
  loadWriterThread,
  startWriterThread,
  type WriterThread,
} from "./engine/writer-thread/writer-thread.ts";
import { createSqlitePorts } from "./sqlite-ports.ts";
import type { SqliteOptions } from "./sqlite-store.ts";

/** Options of the store; `observer` hears how long the disk takes. */
export type ThreadedOptions = Omit<SqliteOptions, "busyDeadlineMs"> & {
  readonly observer?: WriteObserver;
};

/**
 * Methods of the ports that write in one transaction; a method not named in these lists only reads.
 */
const WRITES = {
  sites: ["insertAccount", "renameAccount", "insertSite", "replaceSite"],
  decisions: ["setLabel"],
  serviceKeys: ["insertServiceKey", "deleteServiceKey"],
  members: ["replaceMember", "setSecondFactorDemand", "removeMember"],
  links: ["insertLink", "removeLink", "countTry", "join", "reset"],
  sessions: ["startSession", "touchSession", "removeSession", "removeOtherSessions"],
  auditLog: ["append"],
} as const satisfies { readonly [Port in keyof Store]?: readonly (keyof Store[Port])[] };

/** Methods that write step by step. */
const JOBS = {
  sites: ["purgeSites"],
  statistics: ["prune"],
  decisions: ["prune"],
  links: ["prune"],
  sessions: ["prune"],
  auditLog: ["prune"],
  housekeeping: ["sweep"],
} as const satisfies { readonly [Port in keyof Store]?: readonly (keyof Store[Port])[] };

/**
 * Methods that may read for long: a page of figures takes 25 ms, during which nothing else would be
 * answered.
 */
const LONG_READS = {
  statistics: ["readSeries", "readSums"],
  decisions: ["list", "listRefusedHosts"],
  auditLog: ["list"],
} as const satisfies { readonly [Port in keyof Store]?: readonly (keyof Store[Port])[] };

type Readers = ReturnType<typeof createSqlitePorts>;

type Threads = { readonly writer: WriterThread; readonly reader: ReaderThread };

/** Those of the port's methods that run in a thread, by name. */
function sentMethods({ writer, reader }: Threads, port: keyof Readers) {
  const send = (
    names: { readonly [port: string]: readonly string[] },
    to: (call: Call) => Promise<unknown>,
  ) =>
    (names[port] ?? []).map((method) => [
      method,
      (...args: readonly unknown[]) => to({ port, method, args }),
    ]);
  return Object.fromEntries([
    ...send(WRITES, writer.call),
    ...send(JOBS, writer.job),
    ...send(LONG_READS, reader.read),
  ]);
}

/** Each port, with its long-running methods moved to a thread. */
function splitPorts(readers: Readers, threads: Threads): Readers {
  const ports = Object.entries(readers).map(([port, reader]) => [
    port,
    { ...reader, ...sentMethods(threads, port as keyof Readers) },
  ]);
  return Object.fromEntries(ports) as Readers;
}

/**
 * Opens the embedded store for a server: what `openSqliteStore` opens, but written to by a thread
 * of its own (decision 0025). However long the disk takes, reads and everything else go on, and a
 * write is answered in time, or reported as unknown. Long reads have a thread too, which starts
 * with the first of them.
 */
export async function openThreadedStore(options: ThreadedOptions): Promise<Store> {
  const { file, now = () => performance.now(), observer, onUpgrade } = options;
  // The thread takes about as long to load as the database takes to open, so start it first.
  const loaded = loadWriterThread();
  const database = await openDatabase(file, now, onUpgrade).catch(async (error: unknown) => {
    await loaded.worker.terminate();
    throw error;
  });
  const thread = await startWriterThread(loaded, file, now, observer).catch((error: unknown) => {
    database.close();
    throw error;
  });
  const job = (method: string) => thread.job({ port: "", method, args: [] });
  // Asked once: it does not change, and must be known even while the disk does not answer.
  const description = (await job("describe")) as Awaited<ReturnType<Store["describe"]>>;
  const reader = createReaderThread(file);
  const ports = splitPorts(createSqlitePorts(database, NO_WRITER, now), { writer: thread, reader });
  // Buffered entries wait for their true outcome: if they were believed lost and written again,
  // they would count twice.
  const write = async (port: string, method: string, what: unknown): Promise<void> =>
    void (await thread.job({ port, method, args: [what] }));
  const add: Store["statistics"]["add"] = (batch) => write("statistics", "add", batch);
  const statistics = { ...ports.statistics, add, ...createBufferedCounts(add) };
  const decisions = {
    ...ports.decisions,
    ...createBufferedDecisions((entries) => write("decisions", "insertMany", entries)),
  };
  const keyUsage = {
    ...ports.keyUsage,
    ...createBufferedKeyUses((uses) => write("keyUsage", "recordMany", uses)),
  };
  const closeOnce = async (): Promise<void> => {
    try {
      await Promise.all([statistics.flush(), decisions.flush(), keyUsage.flush()]);
    } finally {
      // The writer's connection closes last, and folds the log into the main file.
      await reader.close();
      database.close();
      await thread.close();
    }
  };
  let closing: Promise<void> | undefined;
  return {
    ...ports,
    statistics,
    decisions,
    keyUsage,
    tokens: { ...ports.tokens, redeem: (redemption) => thread.spend("redemptions", redemption) },
    challenges: { spend: (spend) => thread.spend("challenges", spend) },
    limiter: { consume: (request) => thread.spend("rates", request) },
    begin: async () => (await job("begin")) as Awaited<ReturnType<Store["begin"]>>,
    alone: (work) => work(),
    ping: async () => {
      if (thread.isLate()) throw new StoreUnavailable("the disk does not answer");
      await thread.call({ port: "", method: "ping", args: [] });
    },
    describe: async () => description,
    close: () => {
      closing ??= closeOnce();
      return closing;
    },
  };
}
