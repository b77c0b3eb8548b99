import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { StoreUnavailable } from "@stile/core/ports/store-unavailable";
import {
  type AnswerOf,
  createJobs,
  type Ending,
  type StoreCall,
  toFault,
} from "../thread-calls.ts";

/** A message to the reader's thread; "close" ends it. */
export type ReadRequest = { readonly jobId: number; readonly call: StoreCall };
/** A message from the reader's thread. */
export type ReadReply = { readonly jobId: number; readonly ending: Ending<unknown> };

/** A thread that reads, as the rest of the process sees it. */
export type ReaderThread = {
  readonly read: <Sent extends StoreCall>(call: Sent) => Promise<AnswerOf<Sent>>;
  /** Lets the thread finish its reads, and closes its connection. */
  readonly close: () => Promise<void>;
};

type RunningReader = { readonly worker: Worker; readonly jobs: ReturnType<typeof createJobs> };

function start(file: string, onEnd: () => void): RunningReader {
  const worker = new Worker(new URL("./reader.ts", import.meta.url), { workerData: { file } });
  const jobs = createJobs((jobId, call) =>
    worker.postMessage({ jobId, call } satisfies ReadRequest),
  );
  worker.on("message", ({ jobId, ending }: ReadReply) => jobs.end(jobId, ending));
  // Waiting callers get the error. The next call starts a new thread.
  const fail = (cause?: unknown): void => {
    onEnd();
    const error = new StoreUnavailable("the thread that reads the store has ended", { cause });
    jobs.endAll({ fault: toFault(error) });
  };
  worker.on("error", fail);
  worker.on("exit", () => fail());
  // While nothing is being read, the thread does not keep the process alive.
  worker.unref();
  return { worker, jobs };
}

/** Reads of the database in that file, in a thread that starts with the first one. */
export function createReaderThread(file: string): ReaderThread {
  let running: RunningReader | undefined;
  return {
    read: (call) => {
      running ??= start(file, () => {
        running = undefined;
      });
      return running.jobs.start(call);
    },
    close: async () => {
      if (running === undefined) return;
      const ended = once(running.worker, "exit");
      running.worker.postMessage("close");
      await ended;
    },
  };
}
