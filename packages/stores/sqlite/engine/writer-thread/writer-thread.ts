import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { StoreUnavailable } from "@stile/core/ports/store-unavailable";
import { type AnswerOf, createJobs, type StoreCall, toError, toFault } from "../thread-calls.ts";
import { type BatchSender, createBatchSender, type WriteObserver } from "./batch-sender.ts";
import type { WriterReply, WriterRequest } from "./writer-messages.ts";

/** The writer's thread, as the rest of the process sees it. */
export type WriterThread = Pick<BatchSender, "spend" | "call" | "isLate"> & {
  /**
   * Does work that takes several transactions, or whose true outcome matters more than time. It has
   * no deadline.
   */
  readonly job: <Sent extends StoreCall>(call: Sent) => Promise<AnswerOf<Sent>>;
  /** Finishes waiting writes, closes the thread's store and ends the thread. */
  readonly close: () => Promise<void>;
};

const ENDED = "the store is closed";

/**
 * A thread, and whether it has opened the database. A thread may fail before it gets the file's
 * path.
 */
export type LoadedWriter = { readonly worker: Worker; readonly opened: PromiseWithResolvers<void> };

/** Starts a thread that loads the writer's code. That needs no database yet. */
export function loadWriterThread(): LoadedWriter {
  const worker = new Worker(new URL("./thread.ts", import.meta.url));
  const opened = Promise.withResolvers<void>();
  opened.promise.catch(() => {});
  worker.once("error", opened.reject);
  return { worker, opened };
}

/**
 * Makes a loaded thread open the database in that file, which must exist, and write to it. Rejects
 * with the same errors as opening it in this thread.
 */
export async function startWriterThread(
  { worker, opened }: LoadedWriter,
  file: string,
  now: () => number,
  observer: WriteObserver | undefined,
): Promise<WriterThread> {
  const post = (request: WriterRequest): void => worker.postMessage(request);
  const sender = createBatchSender(post, now, observer);
  const jobs = createJobs((jobId, call) => post({ kind: "job", jobId, call }));
  worker.on("message", (reply: WriterReply) => {
    if (reply.kind === "batch") sender.onReply(reply);
    else if (reply.kind === "job") jobs.end(reply.jobId, reply.ending);
    else if ("fault" in reply.ending) opened.reject(toError(reply.ending.fault));
    else opened.resolve();
  });
  worker.postMessage(file);
  await opened.promise;
  worker.removeListener("error", opened.reject);
  // From now on a fault of the thread ends the process, as it would without a thread. Otherwise the
  // process would run on, unable to write.
  const onEnd = (code: number): never => {
    throw new Error(`the thread that writes to the store has ended (${code})`);
  };
  worker.once("exit", onEnd);
  let hasEnded = false;
  return {
    spend: sender.spend,
    call: sender.call,
    isLate: sender.isLate,
    job: (call) => (hasEnded ? Promise.reject(new StoreUnavailable(ENDED)) : jobs.start(call)),
    close: async () => {
      worker.removeListener("exit", onEnd);
      const ended = once(worker, "exit");
      await sender.stop();
      try {
        await jobs.start({ port: "store", method: "close", args: [] });
      } finally {
        await worker.terminate();
        await ended;
        hasEnded = true;
        // These calls reached the thread last, and nobody will answer them.
        jobs.endAll({ fault: toFault(new StoreUnavailable(ENDED)) });
      }
    },
  };
}
