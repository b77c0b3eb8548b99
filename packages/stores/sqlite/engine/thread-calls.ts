import { StoreUnavailable } from "@stile/core/ports/store-unavailable";

/** A call, from another thread, of a method of one of the store's ports. */
export type Call = {
  readonly port: string;
  readonly method: string;
  readonly args: readonly unknown[];
};

/**
 * An error on its way between threads, which lose its class; `errcode` is SQLite's own, for the
 * operator.
 */
export type Fault = {
  readonly isUnavailable: boolean;
  readonly message: string;
  readonly stack: string | undefined;
  readonly errcode: number | undefined;
  readonly cause: Fault | undefined;
};

/** The outcome of a write. */
export type Ending<Answer> = { readonly answer: Answer } | { readonly fault: Fault };

/** Turns an error into a form that can cross threads. */
export function toFault(error: unknown): Fault {
  const isUnavailable = error instanceof StoreUnavailable;
  if (!(error instanceof Error)) {
    return {
      isUnavailable,
      message: String(error),
      stack: undefined,
      errcode: undefined,
      cause: undefined,
    };
  }
  const { message, stack, errcode } = error as Error & { readonly errcode?: number };
  return {
    isUnavailable,
    message,
    stack,
    errcode,
    cause: error.cause === undefined ? undefined : toFault(error.cause),
  };
}

/** The error that a fault stands for. */
export function toError({ isUnavailable, message, stack, errcode, cause }: Fault): Error {
  const options = cause && { cause: toError(cause) };
  const error = isUnavailable
    ? new StoreUnavailable(message, options)
    : new Error(message, options);
  if (stack !== undefined) error.stack = stack;
  return errcode === undefined ? error : Object.assign(error, { errcode });
}

/** The outcome of that work, in a form that can cross threads. */
export async function toEnding<Answer>(work: Promise<Answer>): Promise<Ending<Answer>> {
  try {
    return { answer: await work };
  } catch (error) {
    return { fault: toFault(error) };
  }
}

/** Makes a call on the store, or the ports, of this thread. */
export function runCall(store: object, { port, method, args }: Call): Promise<unknown> {
  const owner = (port === "" ? store : store[port as keyof typeof store]) as Record<
    string,
    (...args: readonly unknown[]) => Promise<unknown>
  >;
  const work = owner[method];
  if (work === undefined) return Promise.reject(new Error(`the store has no ${port}.${method}`));
  return work(...args);
}

type Job = {
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: unknown) => void;
};

/** Calls that a thread is working on: `post` sends one, `end` must be called with its outcome. */
export function createJobs(post: (jobId: number, call: Call) => void) {
  const running = new Map<number, Job>();
  let lastId = 0;
  const end = (jobId: number, ending: Ending<unknown>): void => {
    const job = running.get(jobId);
    running.delete(jobId);
    if ("fault" in ending) job?.reject(toError(ending.fault));
    else job?.resolve(ending.answer);
  };
  return {
    start: (call: Call): Promise<unknown> =>
      new Promise((resolve, reject) => {
        lastId += 1;
        running.set(lastId, { resolve, reject });
        post(lastId, call);
      }),
    end,
    /** Ends all of them with this outcome. */
    endAll: (ending: Ending<unknown>): void => {
      for (const jobId of running.keys()) end(jobId, ending);
    },
  };
}
