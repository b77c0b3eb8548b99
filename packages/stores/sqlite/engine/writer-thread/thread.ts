// The writer's thread: opens the store for itself and does what it is sent, so that a slow disk holds up nothing else.
import { parentPort, workerData } from "node:worker_threads";
import { openSqliteStore, type SqliteStore } from "../../sqlite-store.ts";
import { type Call, type Ending, type Reply, type Request, toFault, unpackSpends } from "./writer-messages.ts";

if (parentPort === null) throw new Error("thread.ts runs as a worker only");
const port = parentPort;
/** Less than half of what a caller waits: a write may wait for the batch before it, and must still know its own outcome. */
const BUSY_DEADLINE_MS = 650;

const { file } = workerData as { readonly file: string };
const opening = openSqliteStore({ file, busyDeadlineMs: BUSY_DEADLINE_MS });
// Not thrown on, where it fails: what ends the thread could arrive before the reply, and would be a fault without its name.
void end(opening.then(serve)).then((ending) => reply({ kind: "open", ending }));

function reply(message: Reply): void {
  port.postMessage(message);
}

async function end<Answer>(work: Promise<Answer>): Promise<Ending<Answer>> {
  try {
    return { answer: await work };
  } catch (error) {
    return { fault: toFault(error) };
  }
}

function run(store: SqliteStore, { port: name, method, args }: Call): Promise<unknown> {
  const owner = (name === "" ? store : store[name as keyof typeof store]) as unknown as Record<
    string,
    (...args: readonly unknown[]) => Promise<unknown>
  >;
  const work = owner[method];
  if (work === undefined) return Promise.reject(new Error(`the store has no ${name}.${method}`));
  return work(...args);
}

/** As one write, however many spends these are: it waits, is refused and fails as one. */
async function spend(store: SqliteStore, text: string): Promise<string> {
  return JSON.stringify(await end(store.spendAll(unpackSpends(text))));
}

/** All parts are begun within this turn, so that they share one transaction. */
async function doBatch(store: SqliteStore, { parts }: Request & { readonly kind: "batch" }): Promise<void> {
  const doPart = (part: string | Call) => (typeof part === "string" ? spend(store, part) : end(run(store, part)));
  reply({ kind: "batch", parts: await Promise.all(parts.map(doPart)) });
}

function serve(store: SqliteStore): void {
  port.on("message", (request: Request) => {
    if (request.kind === "batch") void doBatch(store, request);
    else void end(run(store, request.call)).then((ending) => reply({ kind: "job", jobId: request.jobId, ending }));
  });
}
