import assert from "node:assert/strict";
import { after, type TestContext, test } from "node:test";
import type { Metric } from "@stile/core/domain/statistics/metrics";
import type { Store } from "@stile/core/ports/store";
import { startTcpProxy } from "@stile/testkit/postgres/tcp-proxy";
import pg from "pg";
import { openPostgresStore } from "../../postgres/postgres-store.ts";
import { seedSite, T0 } from "../contract-fixtures.ts";
import { readTotals } from "../statistics/counting.ts";
import { isUnavailable, untilAnswered } from "../until-answered.ts";
import { startTemporaryPostgres } from "./temporary-postgres.ts";

const postgres = await startTemporaryPostgres();
after(postgres.stop);

/**
 * A connected node that reaches the database through a proxy, a node that reaches it directly, and
 * a site.
 */
async function openBoth(context: TestContext) {
  const url = new URL(await postgres.emptyDatabase());
  let breaksAt: string | undefined;
  const proxy = await startTcpProxy(postgres.engine.port, {
    onAsked: (question) => {
      if (breaksAt !== undefined && question.includes(breaksAt)) proxy.setMode("torn");
    },
  });
  /**
   * From now on, a connection that sends these words gets half of an answer. After that, no
   * connection gets a whole one.
   */
  const breakAt = (words: string): void => {
    breaksAt = words;
  };
  const repair = (): void => {
    breaksAt = undefined;
    proxy.setMode("pass");
  };
  const direct = await postgres.open(url.href);
  const [locker, onlooker] = [
    new pg.Client({ connectionString: url.href }),
    new pg.Client({ connectionString: url.href }),
  ];
  await Promise.all([locker.connect(), onlooker.connect()]);
  url.port = `${proxy.port}`;
  const node = await openPostgresStore({ url: url.href });
  context.after(async () => {
    repair();
    await Promise.allSettled([node.close(), direct.close(), locker.end(), onlooker.end()]);
    await proxy.stop();
  });
  const { siteKey } = await seedSite(direct);
  const count = (metric: Metric, times: number): void => {
    for (let at = 0; at < times; at++) node.statistics.count({ siteKey, metric, atMs: T0 });
  };
  count("challenge_issued", 1);
  await node.statistics.flush();
  /** Waits until that many statements are waiting for a lock. */
  const untilLocked = async (statements: number): Promise<void> => {
    const waiting = "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock'";
    while ((await onlooker.query(waiting)).rowCount !== statements);
  };
  return { proxy, breakAt, repair, node, direct, locker, untilLocked, siteKey, count };
}

/** Asserts that every resolution has these counts. */
async function assertCounted(
  store: Store,
  siteKey: string,
  counts: Record<string, number>,
): Promise<void> {
  assert.deepEqual(await readTotals(store, siteKey), [counts, counts, counts]);
}

test("writes counts again, with newer ones, if their commit got no answer, and counts them once", async (context) => {
  const { breakAt, repair, node, direct, siteKey, count } = await openBoth(context);
  for (let round = 1; round <= 3; round++) {
    count("challenge_issued", 5);
    count("score:login:10", 2);
    breakAt("SELECT count_");
    await assert.rejects(node.statistics.flush(), isUnavailable);
    await assertCounted(direct, siteKey, {
      challenge_issued: 1 + 7 * (round - 1) + 5,
      "score:login:10": 2 * round,
    });
    count("challenge_issued", 2);
    repair();
    await untilAnswered(() => node.statistics.flush());
    await assertCounted(direct, siteKey, {
      challenge_issued: 1 + 7 * round,
      "score:login:10": 2 * round,
    });
  }
});

test("counts once if counts are written again while the earlier write still runs", async (context) => {
  const { proxy, node, direct, locker, untilLocked, siteKey, count } = await openBoth(context);
  await locker.query("BEGIN; LOCK TABLE statistics IN ACCESS EXCLUSIVE MODE");
  count("challenge_issued", 5);
  const lost = assert.rejects(node.statistics.flush(), isUnavailable);
  await untilLocked(1);
  proxy.setMode("cut");
  await lost;
  proxy.setMode("pass");
  const again = untilAnswered(() => node.statistics.flush());
  await untilLocked(2);
  await locker.query("COMMIT");
  await again;
  await assertCounted(direct, siteKey, { challenge_issued: 6 });
});

test("counts what was lost before it arrived when it is written again", async (context) => {
  const { proxy, node, direct, siteKey, count } = await openBoth(context);
  count("challenge_issued", 5);
  proxy.setMode("cut");
  await assert.rejects(node.statistics.flush(), isUnavailable);
  proxy.setMode("pass");
  await Promise.all([
    untilAnswered(() => node.statistics.flush()),
    untilAnswered(() => node.statistics.flush()),
  ]);
  await assertCounted(direct, siteKey, { challenge_issued: 6 });
});

test("forgets a process that has written no counts for 30 days", async (context) => {
  const { node, locker, siteKey, count } = await openBoth(context);
  const writers = async () => (await locker.query("SELECT writer FROM count_writers")).rowCount;
  await locker.query(
    "INSERT INTO count_writers VALUES ('gone', 7, clock_timestamp() - interval '31 days')",
  );
  assert.equal(await writers(), 2);
  await node.statistics.prune(T0);
  assert.equal(await writers(), 1);
  count("challenge_issued", 1);
  await node.statistics.flush();
  await assertCounted(node, siteKey, { challenge_issued: 2 });
});
