import assert from "node:assert/strict";
import { EventEmitter, once } from "node:events";
import { DatabaseSync } from "node:sqlite";
import { type TestContext, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { StoreUnavailable } from "@stile/core/ports/store-unavailable";
import {
  newAccount,
  newSite,
  readMinutes,
  redeemAll,
  redemptionOf,
  seedSite,
  spendOf,
  T0,
} from "../contract/contract-fixtures.ts";
import { resumeDisks, stopDisk } from "../contract/slow-disk.ts";
import { temporaryFile } from "../contract/temporary-file.ts";
import { WRITE_DEADLINE_MS, type WriteObserver } from "./engine/writer-thread/batch-sender.ts";
import { loadWriterThread, startWriterThread } from "./engine/writer-thread/writer-thread.ts";
import { openThreadedStore } from "./threaded-store.ts";

/**
 * The store in that file, always closed after the test: its thread keeps the process alive.
 * `writes` emits each batch.
 */
async function open(context: TestContext, file: string) {
  const writes = new EventEmitter();
  const late: number[] = [];
  const observer: WriteObserver = {
    onSent: () => writes.emit("sent"),
    onWritten: () => {},
    onLate: (count) => late.push(count),
  };
  const store = await openThreadedStore({ file, observer });
  context.after(async () => {
    resumeDisks();
    await store.close();
  });
  return { store, writes, late };
}

const isUnavailable = (error: unknown): boolean => error instanceof StoreUnavailable;

test("a slow write is reported as unknown in time, delays nothing else, and returns its outcome when sent again (D15, outage)", async (context) => {
  const file = temporaryFile();
  const { store, late } = await open(context, file);
  const site = await seedSite(store);
  const disk = stopDisk(file);
  const redemption = redemptionOf(site, { repeatDigest: new Uint8Array(32).fill(7) });
  let turns = 0;
  const turning = setInterval(() => turns++, 20);
  context.after(() => clearInterval(turning));
  const startedAtMs = performance.now();
  let endedAfterMs: number | undefined;
  const redeeming = store.tokens.redeem(redemption).finally(() => {
    endedAfterMs = performance.now() - startedAtMs;
  });
  const refused = assert.rejects(redeeming, isUnavailable);
  assert.equal((await store.describe()).durability, "strict");
  while (endedAfterMs === undefined) {
    assert.deepEqual(await store.sites.findSite(site.siteKey), site);
    await store.tokens.isSpent(redemption);
    await delay(20);
  }
  await refused;
  clearInterval(turning);
  assert.ok(endedAfterMs >= WRITE_DEADLINE_MS - 1, `rejected after ${endedAfterMs} ms`);
  assert.ok(turns >= 10, `the event loop turned ${turns} times`);
  assert.deepEqual(late, [1]);
  await assert.rejects(store.ping(), isUnavailable);
  disk.resume();
  const again = await store.tokens.redeem(redemption);
  assert.deepEqual([again.kind, await store.tokens.isSpent(redemption)], ["repeated", true]);
  await store.ping();
});

test("a store whose disk already hangs", async (context) => {
  const file = temporaryFile();
  const { store, writes } = await open(context, file);
  const site = await seedSite(store);
  const disk = stopDisk(file);
  const [first, second] = [redemptionOf(site), redemptionOf(site)];
  const sent = once(writes, "sent");
  const redeeming = store.tokens.redeem(first);
  await sent;
  const results = [redeeming, store.tokens.redeem(second), store.sites.insertSite(newSite())];
  store.statistics.count({ siteKey: site.siteKey, metric: "challenge_issued", atMs: first.nowMs });
  const flushing = store.statistics.flush();
  const settled = await Promise.allSettled(results);
  await delay(200);
  const flushingAgain = store.statistics.flush();
  disk.resume();
  await Promise.all([flushing, flushingAgain, store.sites.insertSite(newSite())]);

  await context.test(
    "never makes a write that was reported as not written (D15, outage)",
    async () => {
      assert.ok(
        settled.every((result) => result.status === "rejected" && isUnavailable(result.reason)),
      );
      assert.deepEqual(
        await Promise.all([store.tokens.isSpent(first), store.tokens.isSpent(second)]),
        [true, false],
      );
    },
  );

  await context.test("writes counts that were flushed meanwhile once (D15, outage)", async () => {
    await store.statistics.flush();
    const minutes = await readMinutes(store, site.siteKey);
    assert.deepEqual(
      minutes.filter(({ metric }) => metric === "challenge_issued").map(({ count }) => count),
      [1],
    );
  });
});

test("passes an engine's own error between threads unchanged, and spends nothing", async (context) => {
  const file = temporaryFile();
  const { store } = await open(context, file);
  const redemption = redemptionOf(await seedSite(store));
  const saboteur = new DatabaseSync(file);
  saboteur.exec(
    "CREATE TRIGGER tear BEFORE INSERT ON statistics BEGIN SELECT RAISE(ABORT, 'torn'); END",
  );
  await assert.rejects(store.tokens.redeem(redemption), { message: "torn", errcode: 1811 });
  saboteur.exec("DROP TRIGGER tear; BEGIN IMMEDIATE");
  await assert.rejects(store.sites.insertSite(newSite()), (error: StoreUnavailable) => {
    return isUnavailable(error) && (error.cause as { errcode?: number }).errcode === 5;
  });
  saboteur.exec("ROLLBACK");
  saboteur.close();
  assert.equal(await store.tokens.isSpent(redemption), false);
  await store.close();
});

test("a spend that fails by its own fault fails alone; the others in its message are answered (D3, single use)", async (context) => {
  const file = temporaryFile();
  const { store } = await open(context, file);
  const site = await seedSite(store);
  const [before, torn, after] = [redemptionOf(site), redemptionOf(site), redemptionOf(site)];
  const saboteur = new DatabaseSync(file);
  const id = Buffer.from(torn.tokenId).toString("hex");
  saboteur.exec(
    `CREATE TRIGGER tear BEFORE INSERT ON token_marks WHEN NEW.id = x'${id}' BEGIN SELECT RAISE(ABORT, 'torn'); END`,
  );
  saboteur.close();
  const challenge = spendOf(site);
  const redeeming = [before, torn, after].map((redemption) => store.tokens.redeem(redemption));
  const spending = store.challenges.spend(challenge);
  const counting = store.limiter.consume({
    scope: "score:pk_1",
    perMinute: 2,
    nowMs: before.nowMs,
  });
  const results = await Promise.allSettled(redeeming);
  assert.deepEqual(
    results.map((result) =>
      result.status === "fulfilled" ? result.value.kind : (result.reason as Error).message,
    ),
    ["spent", "torn", "spent"],
  );
  assert.deepEqual([await spending, (await counting).remaining], ["spent", 1]);
  assert.deepEqual(await Promise.all([before, torn].map((one) => store.tokens.isSpent(one))), [
    true,
    false,
  ]);
  await store.close();
});

test("a write that can't be sent to the thread fails alone", async (context) => {
  const { store } = await open(context, temporaryFile());
  await store.sites.insertAccount(newAccount());
  const site = newSite();
  const wrong = { ...site, siteKey: (() => {}) as unknown as string };
  await assert.rejects(store.sites.insertSite(wrong), { name: "DataCloneError" });
  assert.equal(await store.sites.insertSite(newSite()).then(String, String), "stored");
});

test("closing finishes waiting writes, refuses later ones, and checkpoints the log", async (context) => {
  const file = temporaryFile();
  const { store } = await open(context, file);
  const site = await seedSite(store);
  const redemptions = Array.from({ length: 50 }, () => redemptionOf(site));
  const pending = redemptions.map((redemption) => store.tokens.redeem(redemption));
  store.statistics.count({
    siteKey: site.siteKey,
    metric: "challenge_issued",
    atMs: redemptions[0]?.nowMs ?? 0,
  });
  await Promise.all([store.close(), store.close(), ...pending]);
  await store.close();
  await assert.rejects(redeemAll(store, redemptions), isUnavailable);
  const alone = new DatabaseSync(file, { readOnly: true });
  const { count } = alone.prepare("SELECT count(*) AS count FROM token_marks").get() as {
    count: number;
  };
  const counted = alone
    .prepare("SELECT sum(count) AS sum FROM statistics WHERE name = 'challenge_issued'")
    .get();
  alone.close();
  assert.equal(count, 50);
  assert.equal(counted?.sum, 3);
});

test("refuses flushes, sweeps and starts after closing, without waiting for the ended thread", async (context) => {
  const { store } = await open(context, temporaryFile());
  const { siteKey } = await seedSite(store);
  await store.close();
  store.statistics.count({ siteKey, metric: "challenge_issued", atMs: T0 });
  for (const job of [store.statistics.flush, () => store.housekeeping.sweep(T0), store.begin]) {
    await assert.rejects(job(), isUnavailable);
  }
});

test("rejects with StoreUnavailable if the file can't be opened, as without a thread", async () => {
  await assert.rejects(
    openThreadedStore({ file: `${temporaryFile()}/none/stile.sqlite` }),
    isUnavailable,
  );
  await assert.rejects(
    startWriterThread(
      loadWriterThread(),
      `${temporaryFile()}/none/stile.sqlite`,
      () => performance.now(),
      undefined,
    ),
    isUnavailable,
  );
});

test("a thread that fails to start, for example without file descriptors, rejects the opening and does not end the process", async () => {
  const loaded = loadWriterThread();
  loaded.worker.emit(
    "error",
    Object.assign(new Error("EMFILE"), { code: "ERR_WORKER_INIT_FAILED" }),
  );
  await assert.rejects(
    startWriterThread(loaded, temporaryFile(), () => performance.now(), undefined),
    /EMFILE/,
  );
  await loaded.worker.terminate();
});
