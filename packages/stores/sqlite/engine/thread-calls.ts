import type { Store } from "@stile/core/ports/store";
import { StoreUnavailable } from "@stile/core/ports/store-unavailable";
import type { AnyMethod } from "../../map-values.ts";
import type { SqlitePorts } from "../sqlite-ports.ts";

type StoreMethods = Pick<Store, "begin" | "ping" | "describe" | "close">;
/** Everything that can be called in a thread: the ports, and some methods of the store itself. */
type Callees = SqlitePorts & { readonly store: StoreMethods };

type CallOf<Port, Method, Called> = Called extends (...args: infer Args) => unknown
  ? { readonly port: Port; readonly method: Method; readonly args: Readonly<Args> }
  : never;
type CallsOf<Offered> = {
  [Port in keyof Offered]: {
    [Method in keyof Offered[Port]]: CallOf<Port, Method, Offered[Port][Method]>;
  }[keyof Offered[Port]];
}[keyof Offered];

/** A call of one of these methods from another thread. */
export type StoreCall = CallsOf<Callees>;

type ReturnOf<Called> = Called extends (...args: never) => infer Returned
  ? Awaited<Returned>
  : never;
/** The return value of the called method. */
export type AnswerOf<Sent extends StoreCall> = Sent["method"] extends keyof Callees[Sent["port"]]
  ? ReturnOf<Callees[Sent["port"]][Sent["method"]]>
  : never;

/**
 * An error between threads, where it loses its class. `errcode` is SQLite's own code, for the
 * operator.
 */
export type ThreadFault = {
  readonly isUnavailable: boolean;
  readonly message: string;
  readonly stack: string | undefined;
  readonly errcode: number | undefined;
  readonly cause: ThreadFault | undefined;
};

/** The outcome of a write. */
export type Ending<Answer> = { readonly answer: Answer } | { readonly fault: ThreadFault };

/** Turns an error into a form that can cross threads. */
export function toFault(error: unknown): ThreadFault {
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

/** Turns a fault back into its error. */
export function toError(fault: ThreadFault): Error {
  const options = fault.cause && { cause: toError(fault.cause) };
  const error = fault.isUnavailable
    ? new StoreUnavailable(fault.message, options)
    : new Error(fault.message, options);
  if (fault.stack !== undefined) error.stack = fault.stack;
  return fault.errcode === undefined ? error : Object.assign(error, { errcode: fault.errcode });
}

/** The outcome of that work, in a form that can cross threads. */
export async function toEnding<Answer>(work: Promise<Answer>): Promise<Ending<Answer>> {
  try {
    return { answer: await work };
  } catch (error) {
    return { fault: toFault(error) };
  }
}

/** Makes a call on this thread's store. The store of the reader's thread has only the ports. */
export async function runCall(
  store: SqlitePorts & Partial<StoreMethods>,
  { port, method, args }: StoreCall,
): Promise<unknown> {
  const callee: object = port === "store" ? store : store[port];
  // The parts of a call belong together, but the compiler can't follow that within a union.
  const run = (callee as Readonly<Record<string, AnyMethod>>)[method];
  if (run === undefined) throw new Error(`this thread has no ${port}.${method}`);
  return run(...args);
}

type PendingCall = {
  readonly resolve: (answer: never) => void;
  readonly reject: (error: unknown) => void;
};

/** Calls that a thread is working on. `post` sends one; call `end` with its outcome. */
export function createJobs(post: (jobId: number, call: StoreCall) => void) {
  const running = new Map<number, PendingCall>();
  let lastId = 0;
  const end = (jobId: number, ending: Ending<unknown>): void => {
    const job = running.get(jobId);
    running.delete(jobId);
    if ("fault" in ending) job?.reject(toError(ending.fault));
    else job?.resolve(ending.answer as never);
  };
  return {
    start: <Sent extends StoreCall>(call: Sent): Promise<AnswerOf<Sent>> =>
      new Promise((resolve, reject) => {
        lastId += 1;
        running.set(lastId, { resolve, reject });
        post(lastId, call);
      }),
    end,
    /** Ends all calls with this outcome. */
    endAll: (ending: Ending<unknown>): void => {
      for (const jobId of running.keys()) end(jobId, ending);
    },
  };
}
