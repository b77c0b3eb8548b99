import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { type TestContext, test } from "node:test";
import type { Store } from "@stile/core/ports/store";
import { StoreUnavailable } from "@stile/core/ports/store-unavailable";
import { holdDatabase } from "@stile/testkit/contract/second-process";
import { openSqliteStore } from "../../sqlite/sqlite-store.ts";
import { readMinutes, redeemAll, redemptionOf, seedSite, T0 } from "../contract-fixtures.ts";
import { temporaryFile } from "../temporary-file.ts";
import { tokenIdOf } from "./token-ids.ts";

type RunningProcess = {
  readonly child: ChildProcess;
  readonly lines: AsyncIterableIterator<string>;
};

function startRedeemer(context: TestContext, ...args: readonly string[]): RunningProcess {
  const path = join(import.meta.dirname, "redeemer.ts");
  const child = spawn(process.execPath, [path, ...args], { stdio: ["ignore", "pipe", "inherit"] });
  context.after(() => child.kill("SIGKILL"));
  assert.ok(child.stdout);
  return { child, lines: createInterface({ input: child.stdout })[Symbol.asyncIterator]() };
}

async function restOf(lines: AsyncIterableIterator<string>): Promise<number[]> {
  const numbers: number[] = [];
  for await (const line of lines) numbers.push(Number(line));
  return numbers;
}

async function seededFile(): Promise<{ file: string; siteKey: string }> {
  const file = temporaryFile();
  const store = await openSqliteStore({ file });
  const { siteKey } = await seedSite(store);
  await store.close();
  return { file, siteKey };
}

async function countRedeemed(store: Store, siteKey: string): Promise<number> {
  const counts = await readMinutes(store, siteKey);
  return counts.find(({ metric }) => metric === "token_redeemed")?.count ?? 0;
}

test("keeps spent what a process reported as spent before kill -9, at any moment (D3, single use)", async (context) => {
  const { file, siteKey } = await seededFile();
  const reported = new Set<number>();
  for (const linesBeforeKill of [1, 150, 700]) {
    const { child, lines } = startRedeemer(context, file, siteKey, "1000000");
    for (let seen = 0; seen < linesBeforeKill; seen++)
      reported.add(Number((await lines.next()).value));
    child.kill("SIGKILL");
    for (const number of await restOf(lines)) {
      assert.ok(!reported.has(number), `token ${number} was spent by two lives of the process`);
      reported.add(number);
    }
  }
  assert.ok(reported.size >= 851);
  const store = await openSqliteStore({ file });
  const again = [...reported].map((number) =>
    redemptionOf({ siteKey, revision: 1 }, { tokenId: tokenIdOf(number) }),
  );
  const outcomes = await redeemAll(store, again);
  assert.deepEqual(new Set(outcomes.map(({ kind }) => kind)), new Set(["already_used"]));
  assert.ok((await countRedeemed(store, siteKey)) >= reported.size);
  await store.close();
});

test("spends each token by exactly one of two processes that redeem the same tokens (D3, single use)", async (context) => {
  const { file, siteKey } = await seededFile();
  const rivals = [1, 2].map(() => startRedeemer(context, file, siteKey, "400"));
  const spent = await Promise.all(rivals.map(({ lines }) => restOf(lines)));
  assert.deepEqual(
    spent.flat().sort((a, b) => a - b),
    Array.from({ length: 400 }, (_, number) => number),
  );
  const store = await openSqliteStore({ file });
  assert.equal(await countRedeemed(store, siteKey), 400);
  await store.close();
});

test("fails writes after about a second while another process holds the database, and then recovers (D15, outage; D16, operator)", async () => {
  const file = temporaryFile();
  const store = await openSqliteStore({ file });
  const site = await seedSite(store);
  const holder = await holdDatabase(file);
  const redemption = redemptionOf(site);
  store.statistics.count({ siteKey: site.siteKey, metric: "challenge_issued", atMs: T0 });
  const startMs = performance.now();
  const writes = [store.tokens.redeem(redemption), store.ping(), store.statistics.flush()];
  assert.deepEqual(await store.sites.findSite(site.siteKey), site);
  for (const write of await Promise.allSettled(writes)) {
    assert.ok(write.status === "rejected" && write.reason instanceof StoreUnavailable);
    assert.ok(write.reason.cause instanceof Error);
  }
  const elapsedMs = performance.now() - startMs;
  assert.ok(elapsedMs >= 1000 && elapsedMs < 1900, `${elapsedMs} ms`);
  await assert.rejects(openSqliteStore({ file }), StoreUnavailable);
  await holder.release();
  const outcome = await store.tokens.redeem(redemption);
  assert.equal(outcome.kind, "spent");
  await store.ping();
  await store.statistics.flush();
  const sums = await readMinutes(store, site.siteKey);
  assert.deepEqual(
    sums.map(({ metric, count }) => [metric, count]),
    [
      ["challenge_issued", 1],
      ["token_redeemed", 1],
    ],
  );
  await store.close();
});
