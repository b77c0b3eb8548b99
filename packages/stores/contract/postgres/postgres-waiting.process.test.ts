import assert from "node:assert/strict";
import { after, test } from "node:test";
import { startPostgres } from "@stile/testkit/postgres/throw-away-postgres";
import pg from "pg";
import { openPostgresStore } from "../../postgres/postgres-store.ts";
import { redeemAll, redemptionOf, seedSite } from "../contract-fixtures.ts";
import { isUnavailable, untilAnswered } from "../until-answered.ts";

const engine = await startPostgres({ isDurable: false });
after(engine.stop);

test("writes that wait behind unanswered batches are refused in time and never sent (D15, outage)", async (context) => {
  const url = engine.createDatabase("waiting");
  let [sent, unanswered] = [0, 0];
  const observer = {
    onSent: () => {
      sent += 1;
    },
    onWritten: () => {},
    onLate: (spends: number) => {
      unanswered += spends;
    },
  };
  const node = await openPostgresStore({ url, observer });
  context.after(() => node.close());
  const site = await seedSite(node);
  const redemptions = Array.from({ length: 4_500 }, () => redemptionOf(site));
  const locker = new pg.Client({ connectionString: url });
  await locker.connect();
  context.after(() => locker.end());
  await locker.query("BEGIN; LOCK TABLE rate_counts IN ACCESS EXCLUSIVE MODE");
  const ended = await Promise.allSettled(
    redemptions.map((redemption) => node.tokens.redeem(redemption)),
  );
  await locker.query("ROLLBACK");
  for (const end of ended) assert.ok(end.status === "rejected" && isUnavailable(end.reason));
  // The first batch waited for nothing, the second for the first. A third would take more than 2 s.
  assert.ok(sent <= 2, `${sent} batches were sent`);
  assert.equal(unanswered, redemptions.length);
  const later = redemptions.slice(2_000);
  await untilAnswered(() => node.ping());
  const outcomes = await redeemAll(node, later);
  assert.ok(outcomes.every(({ kind }) => kind === "spent"));
});

test("makes no redemption wait for rows of its site's writes that wait for their turn (D15, outage)", async (context) => {
  const url = engine.createDatabase("saved_often");
  const node = await openPostgresStore({ url });
  context.after(() => node.close());
  const site = await seedSite(node);
  const locker = new pg.Client({ connectionString: url });
  await locker.connect();
  context.after(() => locker.end());
  await locker.query("BEGIN; SELECT FROM turns WHERE name = 'write' FOR UPDATE");
  const ended: string[] = [];
  const writes = [1, 2, 3].map(async () => {
    await assert.rejects(
      node.sites.replaceSite({ ...site, revision: site.revision + 1 }, site.revision),
      isUnavailable,
    );
    ended.push("write");
  });
  await assert.rejects(node.tokens.redeem(redemptionOf(site)), isUnavailable);
  assert.ok(ended.length < writes.length, "it waited for all of them");
  await Promise.all(writes);
  assert.equal((await node.tokens.redeem(redemptionOf(site))).kind, "spent");
});
