import assert from "node:assert/strict";
import { after, type TestContext, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import type { Store } from "@stile/core/ports/store";
import { type ProxyMode, startTcpProxy } from "@stile/testkit/postgres/tcp-proxy";
import { startPostgres } from "@stile/testkit/postgres/throw-away-postgres";
import pg from "pg";
import { openPostgresStore } from "../../postgres/postgres-store.ts";
import { newSite, readMinutes, redemptionOf, seedSite, spendOf } from "../contract-fixtures.ts";
import { GENEROUS_MS, isUnavailable, untilAnswered } from "../until-answered.ts";

const engine = await startPostgres({ isDurable: true });
after(engine.stop);

/** The pause between two questions that are asked while something else waits, ms. */
const PACE_MS = 10;

let made = 0;

/** A node that reaches the database through a proxy, and one that reaches it directly. */
async function openBoth(context: TestContext, onAsked: (question: Buffer) => void = () => {}) {
  const url = new URL(engine.createDatabase(`outage_${++made}`));
  const proxy = await startTcpProxy(engine.port, { onAsked });
  const direct = await openPostgresStore({ url: url.href });
  url.port = `${proxy.port}`;
  const node = await openPostgresStore({ url: url.href });
  context.after(async () => {
    proxy.setMode("pass");
    await Promise.allSettled([node.close(), direct.close()]);
    await proxy.stop();
  });
  return { proxy, node, direct };
}

/** A separate connection to the test's database, past the proxy. */
async function openClient(context: TestContext): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: engine.urlOf(`outage_${made}`) });
  await client.connect();
  context.after(() => client.end());
  return client;
}

function callsOf(store: Store, site: Awaited<ReturnType<typeof seedSite>>): Promise<unknown>[] {
  return [
    store.tokens.redeem(redemptionOf(site)),
    store.challenges.spend(spendOf(site)),
    store.limiter.consume({ scope: "score:x", perMinute: 5, nowMs: 0 }),
    store.sites.findSite(site.siteKey),
    store.sites.replaceSite({ ...site, revision: 2 }, 1),
    store.tokens.isSpent(redemptionOf(site)),
    store.ping(),
  ];
}

for (const mode of ["cut", "silent", "deaf"] as const satisfies readonly ProxyMode[]) {
  test(`fails every call soon, and later ones immediately, while the database is ${mode}, and recovers when it is back (D15, outage)`, async (context) => {
    const { proxy, node, direct } = await openBoth(context);
    const site = await seedSite(node);
    await Promise.all(callsOf(node, { ...site, revision: 9 }).map((call) => call.catch(() => {})));
    proxy.setMode(mode);
    const startedAtMs = performance.now();
    for (let round = 0; round < 3; round++) {
      const ended = await Promise.allSettled(callsOf(node, site));
      for (const end of ended)
        assert.ok(end.status === "rejected" && isUnavailable(end.reason), JSON.stringify(end));
    }
    assert.ok(performance.now() - startedAtMs < GENEROUS_MS);
    const atOnceMs = performance.now();
    await assert.rejects(node.sites.findSite(site.siteKey), isUnavailable);
    context.diagnostic(
      `${mode}: three rounds ${Math.round(atOnceMs - startedAtMs)} ms, then ${(performance.now() - atOnceMs).toFixed(1)} ms`,
    );
    proxy.setMode("pass");
    const backAtMs = performance.now();
    const stored = await untilAnswered(() => direct.sites.findSite(site.siteKey));
    assert.ok(stored !== undefined);
    const outcome = await untilAnswered(() => node.tokens.redeem(redemptionOf(stored)));
    context.diagnostic(
      `${mode}: answered ${Math.round(performance.now() - backAtMs)} ms after it was back`,
    );
    assert.equal(outcome.kind, "spent");
  });
}

test("reads an answer that came while the node stood still for longer than an answer may take (D15, outage)", async (context) => {
  const { node } = await openBoth(context);
  const site = await seedSite(node);
  await node.tokens.redeem(redemptionOf(site));
  const outcome = node.tokens.redeem(redemptionOf(site));
  // The batch is sent in the first turn of the event loop; this waits for the turn after it.
  await new Promise(setImmediate);
  await new Promise(setImmediate);
  // Stands still without using the core that others wait for.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_500);
  assert.equal((await outcome).kind, "spent");
});

test("holds up no redemption while requests wait for a table that redemptions do not need (D15, outage)", async (context) => {
  const { node } = await openBoth(context);
  const site = await seedSite(node);
  await node.tokens.redeem(redemptionOf(site));
  const locker = await openClient(context);
  await locker.query("BEGIN; LOCK TABLE sessions IN ACCESS EXCLUSIVE MODE");
  const waiting = Array.from({ length: 30 }, () =>
    assert.rejects(node.sessions.findSession("x"), isUnavailable),
  );
  let areWaiting = true;
  const ended = Promise.all(waiting).finally(() => {
    areWaiting = false;
  });
  for (; areWaiting; await delay(PACE_MS)) {
    assert.equal((await node.tokens.redeem(redemptionOf(site))).kind, "spent");
  }
  await ended;
});

test("holds up no read while writes of members wait for their turn, and writes nothing that gave up waiting (D15, outage)", async (context) => {
  const { node } = await openBoth(context);
  const site = await seedSite(node);
  const locker = await openClient(context);
  await locker.query("BEGIN; SELECT FROM turns WHERE name = 'write' FOR UPDATE");
  let areWaiting = true;
  const writes = Array.from({ length: 30 }, () =>
    assert.rejects(node.sites.insertSite(newSite()), isUnavailable),
  );
  const ended = Promise.all(writes).finally(() => {
    areWaiting = false;
  });
  for (; areWaiting; await delay(PACE_MS)) {
    assert.equal((await node.sites.findSite(site.siteKey))?.siteKey, site.siteKey);
  }
  await ended;
  await locker.query("COMMIT");
  assert.equal(await node.sites.insertSite(newSite()), "stored");
  assert.equal((await node.sites.listSites(site.accountId)).length, 2);
});

test("redeems once or not at all if the answer is lost, never tries again, and returns the outcome when asked again (D2, redemption; D3, single use)", async (context) => {
  const { proxy, node, direct } = await openBoth(context);
  const site = await seedSite(node);
  await node.tokens.redeem(redemptionOf(site));
  const redemption = redemptionOf(site, { repeatDigest: new Uint8Array(32).fill(3) });
  proxy.setMode("deaf");
  await assert.rejects(node.tokens.redeem(redemption), isUnavailable);
  proxy.setMode("pass");
  assert.equal((await direct.tokens.redeem(redemption)).kind, "repeated");
  assert.equal(
    (await untilAnswered(() => node.tokens.redeem({ ...redemption, repeatDigest: undefined })))
      .kind,
    "already_used",
  );
  const redeemed = (await readMinutes(direct, site.siteKey)).filter(
    ({ metric }) => metric === "token_redeemed",
  );
  assert.deepEqual(
    redeemed.map(({ count }) => count),
    [2],
  );
});

test("does not block other nodes' redemptions of a site while one node gets no answer", async (context) => {
  const { proxy, node, direct } = await openBoth(context);
  const site = await seedSite(node);
  await node.tokens.redeem(redemptionOf(site));
  proxy.setMode("deaf");
  const lost = assert.rejects(node.tokens.redeem(redemptionOf(site)), isUnavailable);
  for (let round = 0; round < 20; round++) {
    assert.equal((await direct.tokens.redeem(redemptionOf(site))).kind, "spent");
  }
  await lost;
});

test("keeps tokens spent that were answered before the engine was killed, and spends none twice (D3, single use)", async (context) => {
  const { node, direct } = await openBoth(context);
  const site = await seedSite(direct);
  const redemptions = Array.from({ length: 300 }, () => redemptionOf(site));
  const spent = new Set<number>();
  const redeem = async (at: number): Promise<void> => {
    const redemption = redemptions[at];
    if (redemption === undefined) return;
    const { kind } = await (at % 2 === 0 ? node : direct).tokens.redeem(redemption);
    if (kind === "spent") spent.add(at);
  };
  const redeeming = redemptions.map(async (_, at) => {
    await delay(at * 5);
    await redeem(at).catch(() => {});
  });
  while (spent.size <= 10) await delay(5);
  await engine.kill();
  await engine.start();
  await Promise.all(redeeming);
  for (const at of spent) {
    const redemption = redemptions[at] ?? assert.fail();
    assert.equal(
      (await untilAnswered(() => direct.tokens.redeem(redemption))).kind,
      "already_used",
    );
  }
});

/**
 * A commit that takes this long (ms) shows that the disk stalls: half of the deadline of a
 * redemption.
 */
const STALL_MS = 500;

/**
 * Commits a row of an unused table again and again. `end` returns how long the slowest commit took,
 * ms.
 */
async function watchCommits(
  context: TestContext,
): Promise<{ readonly end: () => Promise<number> }> {
  const client = await openClient(context);
  await client.query("CREATE TABLE commits (at BIGINT)");
  let [slowestMs, isOver] = [0, false];
  const committing = (async () => {
    while (!isOver) {
      const sinceMs = performance.now();
      await client.query("INSERT INTO commits VALUES (1)");
      slowestMs = Math.max(slowestMs, performance.now() - sinceMs);
      await delay(5);
    }
  })();
  return {
    end: async () => {
      isOver = true;
      await committing;
      return Math.round(slowestMs);
    },
  };
}

test("fails no redemption during a sweep, spends no token twice, and removes what is over (D3, single use)", async (context) => {
  const { node, direct } = await openBoth(context);
  const site = await seedSite(direct);
  // On a busy machine, connecting may take longer than a redemption may, even without a sweep.
  for (const store of [node, direct]) await store.tokens.redeem(redemptionOf(site));
  const { nowMs } = redemptionOf(site);
  const tokens = Array.from({ length: 200 }, (_, at) =>
    redemptionOf(site, { retainUntilMs: nowMs + at * 60_000 }),
  );
  const kinds = new Map<number, string[]>();
  const disk = await watchCommits(context);
  let failures = 0;
  const redeemAll = async (store: Store): Promise<void> => {
    for (const [at, token] of tokens.entries()) {
      const redeem = () => store.tokens.redeem(token);
      const { kind } = await redeem().catch(() => {
        failures++;
        return untilAnswered(redeem);
      });
      kinds.set(at, [...(kinds.get(at) ?? []), kind]);
    }
  };
  const sweepAll = async (): Promise<void> => {
    for (let at = 0; at < tokens.length; at += 10)
      await node.housekeeping.sweep(nowMs + at * 60_000);
  };
  await Promise.all([redeemAll(node), redeemAll(direct), sweepAll(), redeemAll(node)]);
  const slowestMs = await disk.end();
  // Unless the disk stalled for everybody, only the sweep can have caused it.
  if (slowestMs < STALL_MS)
    assert.equal(failures, 0, `the slowest commit meanwhile took ${slowestMs} ms`);
  for (const [at, three] of kinds) {
    assert.ok(three.filter((kind) => kind === "spent").length <= 1, `${at}: ${three}`);
    assert.ok(
      three.every((kind) => kind === "spent" || kind === "already_used"),
      `${at}: ${three}`,
    );
  }
  await direct.housekeeping.sweep(nowMs + 400 * 60_000);
  const left = `SELECT count(*) FROM partitions_1('token_marks') WHERE end_ms <= ${nowMs + 200 * 60_000}`;
  assert.equal(engine.runSql(`outage_${made}`, left), "0");
});

test("fails no redemption when a sweep removes a partition as soon as a redemption had it created (D3, single use)", async (context) => {
  const { proxy, node, direct } = await openBoth(context, (question) => {
    // From here on, answers come so late that the sweep is first.
    if (question.includes("make_partitions")) proxy.setMode("slow");
  });
  const site = await seedSite(node);
  const onlooker = await openClient(context);
  const redemption = redemptionOf(site);
  const redeeming = node.tokens.redeem(redemption);
  const isMade = `SELECT FROM partitions_1('token_marks') WHERE end_ms > ${redemption.retainUntilMs}`;
  while ((await onlooker.query(isMade)).rows.length === 0)
    await Promise.race([delay(PACE_MS), redeeming]);
  await direct.housekeeping.sweep(redemption.retainUntilMs + 900_000);
  assert.equal((await redeeming).kind, "spent");
  assert.equal((await direct.tokens.redeem(redemption)).kind, "already_used");
});

test("holds no lock on spent marks during the round trips of a distant node", async (context) => {
  const { proxy, node, direct } = await openBoth(context);
  const site = await seedSite(direct);
  const { nowMs } = redemptionOf(site);
  await direct.tokens.redeem(redemptionOf(site, { retainUntilMs: nowMs }));
  const onlooker = await openClient(context);
  proxy.setMode("slow");
  let isSweeping = true;
  const sweeping = node.housekeeping.sweep(nowMs + 3_600_000).finally(() => {
    isSweeping = false;
  });
  // A lock held during round trips would last for several of these.
  for (; isSweeping; await delay(PACE_MS)) {
    const { rows } = await onlooker.query(`SELECT FROM pg_locks JOIN pg_stat_activity USING (pid)
      WHERE mode = 'AccessExclusiveLock' AND relation = 'token_marks'::REGCLASS AND state LIKE 'idle in transaction%'`);
    assert.equal(rows.length, 0);
  }
  await sweeping;
  const left = `SELECT count(*) FROM partitions_1('token_marks') WHERE end_ms <= ${nowMs + 3_600_000}`;
  assert.equal(engine.runSql(`outage_${made}`, left), "0");
});

test("reports how durable the engine's actual settings are", async (context) => {
  const { node } = await openBoth(context);
  const { engine: name, durability, detail } = await node.describe();
  assert.match(name, /^PostgreSQL \d+/);
  assert.deepEqual([durability, detail.includes("synchronous_commit=on")], ["strict", true]);
  engine.runSql("postgres", `ALTER DATABASE outage_${made} SET synchronous_commit = off`);
  const loose = await openPostgresStore({ url: engine.urlOf(`outage_${made}`) });
  assert.equal((await loose.describe()).durability, "crash-safe");
  await loose.close();
});
