import assert from "node:assert/strict";
import { after, type TestContext, test } from "node:test";
import type { Store } from "@stile/core/ports/store";
import type { Redemption } from "@stile/core/ports/token/token-ledger";
import { type ProxyMode, startTcpProxy } from "@stile/testkit/postgres/tcp-proxy";
import { startValkey } from "@stile/testkit/valkey/throw-away-valkey";
import { ValkeyProblem } from "../../valkey/engine/valkey-problem.ts";
import { openValkeyStore } from "../../valkey/valkey-store.ts";
import { redemptionOf, seedSite, spendOf } from "../contract-fixtures.ts";
import { startTemporaryPostgres } from "../postgres/temporary-postgres.ts";
import { GENEROUS_MS, isUnavailable, untilAnswered } from "../until-answered.ts";

const [postgres, engine] = await Promise.all([startTemporaryPostgres(), startValkey({ appendFsync: "always" })]);
after(() => Promise.all([postgres.stop(), engine.stop()]));

/** Far longer than promised: the test is whether it ends at all, and a busy machine must not fail that. */

/**
 * A node that reaches Valkey through a proxy, with production deadlines, and a patient node that reaches it directly.
 */
async function openBoth(context: TestContext) {
  const databaseUrl = await postgres.emptyDatabase();
  const proxy = await startTcpProxy(engine.port);
  const told = { written: 0, late: 0 };
  const observer = {
    onSent: () => {},
    onWritten: () => void told.written++,
    onLate: (writes: number) => {
      told.late += writes;
    },
  };
  const open = (url: string, deadlineMs?: number): Promise<Store> => {
    const ofDatabase = { url: databaseUrl, deadlineMs: GENEROUS_MS, ...(deadlineMs === undefined && { observer }) };
    return openValkeyStore({ postgres: ofDatabase, url, nowMs: () => 0, deadlineMs });
  };
  const throughProxy = new URL(engine.url);
  throughProxy.port = `${proxy.port}`;
  // A busy machine may be too slow for the deadlines of production.
  const [node, direct] = await Promise.all([untilOpen(() => open(throughProxy.href)), open(engine.url, GENEROUS_MS)]);
  context.after(async () => {
    proxy.setMode("pass");
    await Promise.allSettled([node.close(), direct.close()]);
    await proxy.stop();
  });
  return { proxy, node, direct, told };
}

/** Opens the node, also if the machine is at first too busy for the connection's deadline. */
async function untilOpen(open: () => Promise<Store>): Promise<Store> {
  for (const sinceMs = performance.now(); ; ) {
    try {
      return await open();
    } catch (error) {
      if (!(error instanceof ValkeyProblem) || performance.now() - sinceMs > GENEROUS_MS) throw error;
    }
  }
}

function callsOf(store: Store, site: Awaited<ReturnType<typeof seedSite>>): Promise<unknown>[] {
  return [
    store.tokens.redeem(redemptionOf(site)),
    store.challenges.spend(spendOf(site)),
    store.limiter.consume({ scope: "score:x", perMinute: 5, nowMs: 0 }),
    store.tokens.isSpent(redemptionOf(site)),
    store.housekeeping.sweep(0),
    store.ping(),
  ];
}

for (const mode of ["cut", "silent", "deaf"] as const satisfies readonly ProxyMode[]) {
  test(`while Valkey is ${mode}, every call that needs it is unavailable soon, later ones at once, and all is well when it is back (D15)`, async (context) => {
    const { proxy, node } = await openBoth(context);
    const site = await seedSite(node);
    await untilAnswered(() => Promise.all(callsOf(node, site)));
    proxy.setMode(mode);
    const startedAtMs = performance.now();
    for (let round = 0; round < 3; round++) {
      const ended = await Promise.allSettled(callsOf(node, site));
      for (const end of ended) assert.ok(end.status === "rejected" && isUnavailable(end.reason), JSON.stringify(end));
    }
    const tookMs = performance.now() - startedAtMs;
    assert.ok(tookMs < GENEROUS_MS);
    // What lies in PostgreSQL can still be read.
    assert.ok((await node.sites.findSite(site.siteKey)) !== undefined);
    const atOnceMs = performance.now();
    await assert.rejects(node.tokens.redeem(redemptionOf(site)), isUnavailable);
    const laterMs = performance.now() - atOnceMs;
    proxy.setMode("pass");
    const backAtMs = performance.now();
    assert.equal((await untilAnswered(() => node.tokens.redeem(redemptionOf(site)))).kind, "spent");
    const answeredMs = performance.now() - backAtMs;
    context.diagnostic(
      `${mode}: three rounds ${tookMs.toFixed()} ms, then ${laterMs.toFixed(1)} ms, answered ${answeredMs.toFixed()} ms after it was back`,
    );
  });
}

test("a redemption whose answer was lost is done once or not at all, never tried again, and told when asked again (D2, D3)", async (context) => {
  const { proxy, node, direct } = await openBoth(context);
  const site = await seedSite(node);
  /** What a repeat is told after the first answer was lost: it was done, unless the site had to be learned anew. */
  const loseAnswer = async (redemption: Redemption): Promise<string> => {
    await untilAnswered(() => node.tokens.redeem(redemptionOf(site)));
    proxy.setMode("deaf");
    await assert.rejects(node.tokens.redeem(redemption), isUnavailable);
    proxy.setMode("pass");
    return (await direct.tokens.redeem(redemption)).kind;
  };
  const repeatable = () => redemptionOf(site, { repeatDigest: new Uint8Array(32).fill(3) });
  let redemption = repeatable();
  for (const sinceMs = performance.now(); (await loseAnswer(redemption)) !== "repeated"; redemption = repeatable()) {
    assert.ok(performance.now() - sinceMs < GENEROUS_MS, "none of those whose answer was lost was done");
  }
  const another = { ...redemption, repeatDigest: undefined };
  assert.equal((await untilAnswered(() => node.tokens.redeem(another))).kind, "already_used");
});

test("while Valkey is away, what lies in PostgreSQL is cleaned up all the same", async (context) => {
  const { proxy, node } = await openBoth(context);
  await node.begin();
  proxy.setMode("cut");
  await assert.rejects(node.housekeeping.sweep(7), isUnavailable);
  assert.equal(await node.housekeeping.newestMs(), 7);
});

test("an outage that many calls meet at once leaves nothing behind: each broken connection is ended once", async (context) => {
  const { proxy, node } = await openBoth(context);
  const warnings: string[] = [];
  const onWarning = ({ message }: Error): void => void warnings.push(message);
  process.on("warning", onWarning);
  context.after(() => process.removeListener("warning", onWarning));
  const consume = () => node.limiter.consume({ scope: "score:x", perMinute: 5, nowMs: 0 });
  proxy.setMode("silent");
  const ended = await Promise.allSettled(Array.from({ length: 50 }, consume));
  assert.ok(ended.every((end) => end.status === "rejected" && isUnavailable(end.reason)));
  proxy.setMode("pass");
  await untilAnswered(consume);
  assert.deepEqual(warnings, []);
});

test("who watches the writes is told of each that Valkey does, and of those that it leaves unanswered", async (context) => {
  const { proxy, node, told } = await openBoth(context);
  const site = await seedSite(node);
  const spends: readonly (() => Promise<unknown>)[] = [
    () => node.tokens.redeem(redemptionOf(site)),
    () => node.challenges.spend(spendOf(site)),
    () => node.limiter.consume({ scope: "score:x", perMinute: 5, nowMs: 0 }),
  ];
  for (const spend of spends) await untilAnswered(spend);
  const before = { ...told };
  for (const spend of spends) await untilAnswered(spend);
  assert.ok(told.written - before.written >= spends.length);
  proxy.setMode("cut");
  const late = told.late;
  for (const spend of spends) await assert.rejects(spend, isUnavailable);
  assert.equal(told.late - late, spends.length);
});
