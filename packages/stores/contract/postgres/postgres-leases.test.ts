import assert from "node:assert/strict";
import { after, type TestContext, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import type { Site } from "@stile/core/domain/site/site";
import type { Store } from "@stile/core/ports/store";
import type { Redemption, RedemptionOutcome } from "@stile/core/ports/token/token-ledger";
import { startTcpProxy } from "@stile/testkit/postgres/tcp-proxy";
import pg from "pg";
import { leaseBlock } from "../../postgres/engine/limit-leases.ts";
import { openPostgresStore } from "../../postgres/postgres-store.ts";
import { redeemAll, redemptionOf, seedSite, T0 } from "../contract-fixtures.ts";
import { LIMIT_GUARANTEES } from "../rate-limiter-contract.ts";
import { TOKEN_GUARANTEES } from "../token/token-ledger-contract.ts";
import { startTemporaryPostgres } from "./temporary-postgres.ts";

const postgres = await startTemporaryPostgres();
after(postgres.stop);

/** A limit of 20: four blocks of five. */
const PER_MINUTE = 20;
const BLOCK = 5;

type Nodes = { readonly url: string; readonly a: Store; readonly b: Store; readonly site: Site };

/** Two nodes that lease blocks of five, and a site; they stop after the test. */
async function openNodes(context: TestContext, blockOf = () => BLOCK): Promise<Nodes> {
  const url = await postgres.emptyDatabase();
  const [a, b] = (await Promise.all([postgres.open(url, blockOf), postgres.open(url, blockOf)])) as [Store, Store];
  context.after(() => Promise.all([a.close(), b.close()]));
  return { url, a, b, site: await seedSite(a) };
}

/** Redeems that many fresh tokens of a site at once; returns the outcomes in short: `5 spent, 2 limited`. */
async function redeem(store: Store, site: Site, count: number, over: Partial<Redemption> = {}): Promise<string> {
  const batch = Array.from({ length: count }, () => redemptionOf(site, { perMinute: PER_MINUTE, ...over }));
  return inShort(await redeemAll(store, batch));
}

function inShort(outcomes: readonly RedemptionOutcome[]): string {
  const groups = Map.groupBy(outcomes, ({ kind }) => kind);
  const parts = [...groups].map(([kind, { length }]) => `${length} ${kind}`);
  return parts.sort().reverse().join(", ");
}

async function connect(context: TestContext, url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  context.after(() => client.end());
  return client;
}

/** What is counted for the minute of T0. */
function countOf({ siteKey }: Site): number {
  const sql = `SELECT count FROM rate_counts WHERE scope = 'redeemed:${siteKey}' AND minute = ${T0 / 60_000}`;
  return Number(postgres.engine.runSql("shared", sql));
}

for (const { name, check } of [...TOKEN_GUARANTEES, ...LIMIT_GUARANTEES]) {
  test(`PostgreSQL, leasing: ${name}`, async () => {
    const store = await postgres.open(await postgres.emptyDatabase(), (perMinute) => Math.ceil(perMinute / 10));
    try {
      await check(store);
    } finally {
      await store.close();
    }
  });
}

test("a hundredth is leased of limits from 10,000 a minute on, nothing of smaller ones (decision 0040)", () => {
  assert.deepEqual([1, 1000, 9999, 10_000, 123_456, 10_000_000].map(leaseBlock), [0, 0, 0, 100, 1234, 100_000]);
});

test("with a lease, redemptions neither wait for their site's minute nor write it; without, they do (decision 0040)", async (context) => {
  const { url, a, b, site } = await openNodes(context);
  assert.equal(await redeem(a, site, 1), "1 spent");
  assert.equal(countOf(site), 1 + BLOCK);
  const [holder, onlooker] = (await Promise.all([connect(context, url), connect(context, url)])) as [
    pg.Client,
    pg.Client,
  ];
  await holder.query("BEGIN");
  await holder.query("SELECT FROM rate_counts FOR UPDATE");
  assert.equal(await redeem(a, site, BLOCK), `${BLOCK} spent`);
  const order: string[] = [];
  const waiting = redeem(b, site, 1).then((told) => order.push(told));
  const isWaiting = "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%spend_leased_1($1%'";
  while ((await onlooker.query(isWaiting)).rowCount === 0) await delay(20);
  order.push("let go");
  await holder.query("ROLLBACK");
  await waiting;
  assert.deepEqual(order, ["let go", "1 spent"]);
});

test("a batch that is larger than the rest of its lease gives that back and is judged exactly (D10, decision 0040)", async (context) => {
  const { a, site } = await openNodes(context);
  assert.equal(await redeem(a, site, 1), "1 spent");
  assert.equal(await redeem(a, site, 3), "3 spent");
  assert.equal(countOf(site), 1 + BLOCK);
  assert.equal(await redeem(a, site, 4), "4 spent");
  assert.equal(countOf(site), 8 + BLOCK);
  assert.equal(await redeem(a, site, 100), "88 limited, 12 spent");
  assert.equal(countOf(site), PER_MINUTE);
});

test("a block is leased only where all of it could be admitted at once (D10, decision 0040)", async (context) => {
  const { a, b, site } = await openNodes(context);
  assert.equal(await redeem(a, site, 15), "15 spent");
  assert.equal(countOf(site), PER_MINUTE);
  assert.equal(await redeem(a, site, 5), "5 spent");
  const later = { nowMs: T0 + 180_000 };
  assert.equal(await redeem(a, site, 16, later), "16 spent");
  assert.equal(await redeem(a, site, 5, later), "4 spent, 1 limited");
  // Half of the minute before's 20 still count: 10 are left, and after 6 of these there is no room for a block.
  const half = { nowMs: T0 + 270_000 };
  assert.equal(await redeem(a, site, 6, half), "6 spent");
  assert.equal(await redeem(b, site, 4, half), "4 spent");
  assert.equal(await redeem(a, site, 4, half), "4 limited");
});

test("what a node leased is not another's, nor is what a node took with it that died (D10, decision 0040)", async (context) => {
  const { a, b, url, site } = await openNodes(context);
  assert.equal(await redeem(a, site, 1), "1 spent");
  assert.equal(await redeem(b, site, 100), "86 limited, 14 spent");
  assert.equal(await redeem(a, site, 100), "95 limited, 5 spent");
  await a.close();
  const again = await postgres.open(url, () => BLOCK);
  context.after(() => again.close());
  const later = { nowMs: T0 + 180_000 };
  assert.equal(await redeem(again, site, 1, later), "1 spent");
  await again.close();
  assert.equal(await redeem(b, site, 100, later), "86 limited, 14 spent");
});

test("at the edge of a minute a node gives back what it did not use, and a lease is of one minute (D10, decision 0040)", async (context) => {
  const { a, b, site } = await openNodes(context);
  const edge = { nowMs: T0 + 59_999 };
  assert.equal(await redeem(a, site, 10, edge), "10 spent");
  assert.equal(countOf(site), 15);
  const next = { nowMs: T0 + 60_000 };
  assert.equal(await redeem(a, site, 1, next), "1 spent");
  assert.equal(countOf(site), 10);
  // 20, less the 10 of the minute before, the 1 redeemed, and the block of 5 that node a holds.
  assert.equal(await redeem(b, site, 100, next), "96 limited, 4 spent");
});

test("a redemption of an earlier moment than its node's lease is judged at its own (D10, decision 0040)", async (context) => {
  const { a, b, site } = await openNodes(context);
  assert.equal(await redeem(a, site, PER_MINUTE), "20 spent");
  const later = { nowMs: T0 + 90_000 };
  assert.equal(await redeem(a, site, 5, later), "5 spent");
  // 3 s into the minute, 19 of the minute before still count.
  assert.equal(await redeem(a, site, 1, { nowMs: T0 + 63_000 }), "1 limited");
  assert.equal(await redeem(a, site, 5, later), "5 spent");
  assert.equal(await redeem(b, site, 1, later), "1 limited");
});

test("what comes late into the minute before weighs on what was leased of this one (D10, decision 0040)", async (context) => {
  const { a, b, site } = await openNodes(context);
  const edge = { nowMs: T0 + 59_999 };
  const next = { nowMs: T0 + 60_000 };
  assert.equal(await redeem(b, site, 5, edge), "5 spent");
  assert.equal(await redeem(a, site, 5, next), "5 spent");
  assert.equal(await redeem(b, site, 5, edge), "5 spent");
  assert.equal(await redeem(b, site, 5, edge), "5 spent");
  // 15 of the minute before and 5 of this one make up the limit.
  assert.equal(await redeem(a, site, 5, next), "5 limited");
});

test("what comes late leaves the lease of the minute after where it is (D10, decision 0040)", async (context) => {
  const { a, b, site } = await openNodes(context);
  const next = { nowMs: T0 + 60_000 };
  assert.equal(await redeem(a, site, 1, next), "1 spent");
  assert.equal(await redeem(a, site, 1), "1 spent");
  assert.equal(countOf(site), 1);
  assert.equal(await redeem(b, site, 100, next), "87 limited, 13 spent");
  assert.equal(await redeem(a, site, 100, next), "95 limited, 5 spent");
});

test("a limit that is lowered holds at every node at once, whatever was leased (D3, D10, decision 0040)", async (context) => {
  const { a, b, site } = await openNodes(context);
  assert.equal(await redeem(a, site, 6), "6 spent");
  const lowered = { ...site, revision: 2, verifyPerMinute: 4 };
  assert.equal(await b.sites.replaceSite(lowered, 1), "stored");
  assert.equal(await redeem(a, site, 3), "3 site_changed");
  assert.equal(await redeem(a, lowered, 3, { perMinute: 4 }), "3 limited");
  assert.equal(await redeem(b, lowered, 3, { perMinute: 4 }), "3 limited");
  assert.equal(await redeem(b, lowered, 9, { perMinute: 4, nowMs: T0 + 180_000 }), "5 limited, 4 spent");
});

test("where an answer is lost, so is the lease, and what was spent is spent (D3, D10, decision 0040)", async (context) => {
  const { url, a, b, site } = await openNodes(context);
  const proxy = await startTcpProxy(postgres.engine.port);
  const through = new URL(url);
  through.port = `${proxy.port}`;
  const node = await openPostgresStore({ url: through.href, leaseBlock: () => BLOCK });
  context.after(async () => {
    proxy.setMode("pass");
    await node.close();
    await proxy.stop();
  });
  assert.equal(await redeem(node, site, 1), "1 spent");
  const lost = Array.from({ length: 2 }, () => redemptionOf(site, { perMinute: PER_MINUTE }));
  proxy.setMode("deaf");
  await assert.rejects(redeemAll(node, lost), { name: "StoreUnavailable" });
  proxy.setMode("pass");
  // The dead node's block of five counts until the end of the minute, though only two of it were used.
  assert.equal(await redeem(a, site, 100), "86 limited, 14 spent");
  assert.equal(inShort(await redeemAll(b, lost)), "2 already_used");
});

test("tokens that are replayed at two nodes in opposite orders wait for no deadlock (decision 0040)", async (context) => {
  const { a, b, site } = await openNodes(context, () => 1000);
  const [perMinute, size] = [100_000, 200];
  await redeem(a, site, 1, { perMinute });
  await redeem(b, site, 1, { perMinute });
  for (let round = 0; round < 10; round++) {
    // The second batch of each node may be judged exactly while the other node's batch is judged by its lease.
    const tokens = Array.from({ length: size }, () => redemptionOf(site, { perMinute }));
    const both = await Promise.all([redeemAll(a, tokens), redeemAll(b, tokens.toReversed())]);
    assert.equal(inShort(both.flat()), `${size} spent, ${size} already_used`);
  }
  assert.equal(
    postgres.engine.runSql("postgres", `SELECT deadlocks FROM pg_stat_database WHERE datname = 'shared'`),
    "0",
  );
});

test("without leases, and at sites that are too small for them, nothing calls for what leases need (decision 0040)", async () => {
  const url = postgres.engine.createDatabase("without_leases");
  const [off, on] = (await Promise.all([postgres.open(url), postgres.open(url, leaseBlock)])) as [Store, Store];
  try {
    postgres.engine.runSql("without_leases", "DROP FUNCTION spend_leased_1");
    const site = await seedSite(off);
    assert.equal(await redeem(off, site, 3, { perMinute: 1_000_000 }), "3 spent");
    assert.equal(await redeem(on, site, 3, { perMinute: 9_999 }), "3 spent");
    await assert.rejects(redeem(on, site, 3, { perMinute: 10_000 }), ({ cause }) =>
      /spend_leased_1/.test(String(cause)),
    );
  } finally {
    await Promise.all([off.close(), on.close()]);
  }
});
