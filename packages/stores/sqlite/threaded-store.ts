import type { Store } from "@stile/core/ports/store";
import { StoreUnavailable } from "@stile/core/ports/store-unavailable";
import { createBufferedCounts } from "../buffers/buffered-counts.ts";
import { createBufferedDecisions } from "../buffers/buffered-decisions.ts";
import { createBufferedKeyUses } from "../buffers/buffered-key-uses.ts";
import { mapMethods, mapValues } from "../map-values.ts";
import { NO_WRITER } from "./engine/group-commit.ts";
import { openDatabase } from "./engine/open-database.ts";
import { createReaderThread, type ReaderThread } from "./engine/reader-thread/reader-thread.ts";
import type { StoreCall } from "./engine/thread-calls.ts";
import type { WriteObserver } from "./engine/writer-thread/batch-sender.ts";
import {
  loadWriterThread,
  startWriterThread,
  type WriterThread,
} from "./engine/writer-thread/writer-thread.ts";
import { METHOD_PLACES, type MethodPlace, type SharedPorts } from "./method-places.ts";
import { createSqlitePorts, type SqlitePorts } from "./sqlite-ports.ts";
import type { SqliteOptions } from "./sqlite-store.ts";

/** Options of the store. `observer` is called with the times that the disk takes. */
export type ThreadedOptions = Omit<SqliteOptions, "busyDeadlineMs"> & {
  readonly observer?: WriteObserver;
};

/** Each port, with its methods moved to the threads that METHOD_PLACES names. */
function splitPorts(ports: SqlitePorts, writer: WriterThread, reader: ReaderThread): SharedPorts {
  const send = { write: writer.call, job: writer.job, longRead: reader.read };
  return mapValues(ports, (port, methods) => {
    const places: Readonly<Record<string, MethodPlace>> = METHOD_PLACES[port];
    return mapMethods(methods, (method, here) => {
      const place = places[method];
      if (place === undefined || place === "here" || place === "own") return here;
      return (...args) => send[place]({ port, method, args } as StoreCall);
    });
  });
}

/**
 * Opens the embedded store for a server. Unlike `openSqliteStore`, it writes in a thread (decision
 * 0008, SQLite). However slow the disk is, reads and everything else continue, and a write is
 * answered in time, or reported as unknown. Long reads have a thread of their own, which starts
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
  // Read once: it does not change, and must be known even while the disk does not answer.
  const description = await thread.job({ port: "store", method: "describe", args: [] });
  const reader = createReaderThread(file);
  const ports = splitPorts(createSqlitePorts(database, NO_WRITER, now), thread, reader);
  // A flush waits for its true outcome. If it gave up and wrote again, entries could count twice.
  const add: Store["statistics"]["add"] = (batch) =>
    thread.job({ port: "statistics", method: "add", args: [batch] });
  const statistics = { ...ports.statistics, add, ...createBufferedCounts(add) };
  const decisions = {
    ...ports.decisions,
    ...createBufferedDecisions((entries) =>
      thread.job({ port: "decisions", method: "insertMany", args: [entries] }),
    ),
  };
  const keyUsage = {
    ...ports.keyUsage,
    ...createBufferedKeyUses((uses) =>
      thread.job({ port: "keyUsage", method: "recordMany", args: [uses] }),
    ),
  };
  const closeOnce = async (): Promise<void> => {
    try {
      await Promise.all([statistics.flush(), decisions.flush(), keyUsage.flush()]);
    } finally {
      // The writer's connection closes last and checkpoints the log.
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
    begin: () => thread.job({ port: "store", method: "begin", args: [] }),
    alone: (work) => work(),
    ping: async () => {
      if (thread.isLate()) throw new StoreUnavailable("the disk does not answer");
      await thread.call({ port: "store", method: "ping", args: [] });
    },
    describe: async () => description,
    close: () => {
      closing ??= closeOnce();
      return closing;
    },
  };
}
