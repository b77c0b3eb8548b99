import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { type TestContext, test } from "node:test";
import type { StatisticsQuery } from "@stile/core/ports/statistics/statistics";
import { StoreUnavailable } from "@stile/core/ports/store-unavailable";
import { seedSite, T0 } from "../../../contract/contract-fixtures.ts";
import { temporaryFile } from "../../../contract/temporary-file.ts";
import { openThreadedStore } from "../../threaded-store.ts";
import { createReaderThread } from "./reader-thread.ts";

const DAY_MS = 86_400_000;

function readerOf(context: TestContext, file: string) {
  const reader = createReaderThread(file);
  context.after(() => reader.close());
  return reader;
}

const querySums = (siteKey: string): StatisticsQuery => ({
  siteKey,
  resolution: "day",
  kinds: ["outcome"],
  fromMs: T0 - DAY_MS,
  toMs: T0 + DAY_MS,
});

test("reads figures outside the event loop, and sees all earlier writes", async (context) => {
  const store = await openThreadedStore({ file: temporaryFile() });
  context.after(() => store.close());
  const { siteKey } = await seedSite(store);
  for (const expected of [1, 2, 3]) {
    store.statistics.count({ siteKey, metric: "challenge_issued", atMs: T0 });
    await store.statistics.flush();
    let isRead = false;
    const reading = store.statistics.readSums(querySums(siteKey)).finally(() => {
      isRead = true;
    });
    // A read in this thread would have finished by now. Only another thread or a timer takes
    // longer.
    for (let turns = 0; turns < 1000; turns++) await Promise.resolve();
    assert.equal(isRead, false);
    const sums = await reading;
    assert.deepEqual(sums, [{ metric: "challenge_issued", count: expected }]);
  }
});

test("answers the first read while another connection has locked the database for writing (D15, outage)", async (context) => {
  const file = temporaryFile();
  const store = await openThreadedStore({ file });
  context.after(() => store.close());
  const { siteKey } = await seedSite(store);
  const holder = new DatabaseSync(file);
  holder.exec("BEGIN IMMEDIATE");
  try {
    assert.deepEqual(await store.statistics.readSums(querySums(siteKey)), []);
  } finally {
    holder.exec("ROLLBACK");
    holder.close();
  }
});

test("reads under way when the store closes end with an answer or StoreUnavailable", async () => {
  const store = await openThreadedStore({ file: temporaryFile() });
  const { siteKey } = await seedSite(store);
  const reads = Array.from({ length: 20 }, () => store.statistics.readSums(querySums(siteKey)));
  const [ended] = await Promise.all([Promise.allSettled(reads), store.close()]);
  for (const read of ended)
    assert.ok(read.status === "fulfilled" || read.reason instanceof StoreUnavailable);
});

test("rejects a read that fails in the thread, and does the next one", async (context) => {
  const file = temporaryFile();
  const store = await openThreadedStore({ file });
  context.after(() => store.close());
  const { siteKey } = await seedSite(store);
  const reader = readerOf(context, file);
  await assert.rejects(reader.read({ port: "store", method: "ping", args: [] }), /no store\.ping/);
  const sums = await reader.read({
    port: "statistics",
    method: "readSums",
    args: [querySums(siteKey)],
  });
  assert.deepEqual(sums, []);
});

test("rejects each read with StoreUnavailable if the file can't be opened", async (context) => {
  const reader = readerOf(context, `${temporaryFile()}/none/stile.sqlite`);
  for (let round = 0; round < 2; round++) {
    const read = reader.read({
      port: "statistics",
      method: "readSums",
      args: [querySums("pk_none")],
    });
    await assert.rejects(read, (error) => error instanceof StoreUnavailable);
  }
});
