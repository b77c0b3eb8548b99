// The writer's thread has its own connection and makes all writes, so that a slow disk delays
// nothing else.
import { parentPort } from "node:worker_threads";
import type { Spends } from "@stile/core/domain/token/single-use";
import { openSqliteStore, type SqliteStore } from "../../sqlite-store.ts";
import { type Ending, runCall, type StoreCall, toEnding } from "../thread-calls.ts";
import {
  type SpendEnding,
  unpackSpends,
  type WriterReply,
  type WriterRequest,
} from "./writer-messages.ts";

if (parentPort === null) throw new Error("thread.ts runs only as a worker thread");
const port = parentPort;
/**
 * Less than half of a caller's wait. A write may wait for the batch before it, and must still learn
 * its own outcome.
 */
const BUSY_DEADLINE_MS = 650;

// The thread starts before there is a database, so it gets the file's path in a message.
port.once("message", (file: string) => {
  const opening = openSqliteStore({ file, busyDeadlineMs: BUSY_DEADLINE_MS });
  // A failure is sent as a message, not thrown. The end of the thread could arrive before the
  // message, and would not say what failed.
  void toEnding(opening.then(serve)).then((ending) => reply({ kind: "open", ending }));
});

function reply(message: WriterReply): void {
  port.postMessage(message);
}

/** Makes each spend a write of its own. */
async function spendEach(
  store: SqliteStore,
  { redemptions, challenges, rates }: Spends,
): Promise<SpendEnding> {
  const doEach = <Item, Outcome>(items: readonly Item[], spend: (item: Item) => Promise<Outcome>) =>
    Promise.all(items.map((item): Promise<Ending<Outcome>> => toEnding(spend(item))));
  const [redeemed, spent, counted] = await Promise.all([
    doEach(redemptions, store.tokens.redeem),
    doEach(challenges, store.challenges.spend),
    doEach(rates, store.limiter.consume),
  ]);
  return { each: { redemptions: redeemed, challenges: spent, rates: counted } };
}

/**
 * Makes all spends in one write, which waits and is refused as one. If one of them breaks it, each
 * is tried alone.
 */
async function spend(store: SqliteStore, text: string): Promise<string> {
  const spends = unpackSpends(text);
  const ending = await toEnding(store.spendAll(spends));
  const isBroken = "fault" in ending && !ending.fault.isUnavailable;
  return JSON.stringify(isBroken ? await spendEach(store, spends) : ending);
}

/** All parts begin within this turn, so they share one transaction. */
async function doBatch(
  store: SqliteStore,
  { parts }: WriterRequest & { readonly kind: "batch" },
): Promise<void> {
  const doPart = (part: string | StoreCall) =>
    typeof part === "string" ? spend(store, part) : toEnding(runCall(store, part));
  reply({ kind: "batch", parts: await Promise.all(parts.map(doPart)) });
}

function serve(store: SqliteStore): void {
  port.on("message", (request: WriterRequest) => {
    if (request.kind === "batch") void doBatch(store, request);
    else
      void toEnding(runCall(store, request.call)).then((ending) =>
        reply({ kind: "job", jobId: request.jobId, ending }),
      );
  });
}
