// Somebody removes spent marks from the database, while nodes run on it or before they start.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import type { Store } from "@stile/core/ports/store";
import { startPostgres } from "@stile/testkit/postgres/throw-away-postgres";
import pg from "pg";
import { openPostgresStore } from "../../postgres/postgres-store.ts";
import { redemptionOf, seedSite, spendOf } from "../contract-fixtures.ts";
import { isUnavailable } from "../until-answered.ts";

const engine = await startPostgres({ isDurable: false });
after(engine.stop);

/** The partition of the marks that end at that time. */
const partitionOf = (table: string, retainUntilMs: number): string =>
  `${table}_${Math.floor(retainUntilMs / 900_000)}`;

const LOSSES: Readonly<Record<string, (table: string, partition: string) => string>> = {
  "a dropped partition": (_table, partition) => `DROP TABLE ${partition}`,
  "a detached partition": (table, partition) =>
    `ALTER TABLE ${table} DETACH PARTITION ${partition}`,
  "a partition without its rows": (_table, partition) => `DELETE FROM ${partition}`,
  "a table without its rows": (table) => `SET search_path TO ''; DELETE FROM public.${table}`,
  "an emptied partition": (_table, partition) => `TRUNCATE ${partition}`,
  "an emptied table": (table) => `TRUNCATE ${table}`,
  "a partition restored empty": (table, partition) => {
    const number = Number(partition.split("_").at(-1));
    return `DROP TABLE ${partition}; CREATE TABLE ${partition} PARTITION OF ${table}
      FOR VALUES FROM (${number * 900_000}) TO (${(number + 1) * 900_000})`;
  },
};

/** So long that no deadline passes on any machine: these tests are not about deadlines. */
const PATIENT_MS = 120_000;
const open = (url: string): Promise<Store> => openPostgresStore({ url, deadlineMs: PATIENT_MS });

/** Already has the tables: copying it is cheaper than creating them for each test. */
const TEMPLATE = "with_tables";
await (await open(engine.createDatabase(TEMPLATE))).close();

let made = 0;
const areRetired = async (node: Store): Promise<readonly boolean[]> =>
  (await node.serviceKeys.listServiceKeys()).map(({ isRetired }) => isRetired);

for (const table of ["token_marks", "challenge_marks"] as const) {
  for (const [what, loss] of Object.entries(LOSSES)) {
    test(`retires the service keys on running and on starting nodes after ${what} of ${table} (D3, single use)`, async (context) => {
      const name = `lost_${++made}`;
      const url = engine.createDatabase(name, TEMPLATE);
      const [node, other] = [await open(url), await open(url)];
      context.after(() => Promise.all([node.close(), other.close()]));
      for (const one of [node, other]) assert.equal(await one.begin(), "continued");
      const site = await seedSite(node);
      const nowMs = Date.now();
      const [redemption, spend] = [
        redemptionOf(site, { nowMs, retainUntilMs: nowMs + 360_000 }),
        spendOf(site, { nowMs, retainUntilMs: nowMs + 360_000 }),
      ];
      const lose = (): void =>
        void engine.runSql(name, loss(table, partitionOf(table, nowMs + 360_000)));

      for (const [keyId, notice] of [
        [1, () => node.nodes?.follow(async () => {})],
        [
          2,
          async () => {
            const started = await open(url);
            return await started.begin().finally(() => started.close());
          },
        ],
      ] as const) {
        await node.serviceKeys.insertServiceKey({
          keyId,
          createdAtMs: nowMs,
          wrapped: new Uint8Array(8),
        });
        await node.tokens.redeem(redemption);
        await node.challenges.spend(spend);
        lose();
        assert.equal(await notice(), "retired");
        assert.ok((await areRetired(node)).every((isRetired) => isRetired));
        for (const one of [node, other]) {
          await one.nodes?.follow(async () => {});
          assert.equal(
            await one.nodes?.follow(() => assert.fail("it was loaded already")),
            "continued",
          );
        }
        const later = await open(url);
        assert.equal(await later.begin(), "continued", "a loss is noticed once");
        await later.close();
        await node.tokens.redeem(redemption);
      }
    });
  }
}

test("does not spend the marks of a removed partition again before a node notices it (D3, single use; D15, outage)", async (context) => {
  const url = engine.createDatabase("unnoticed", TEMPLATE);
  const node = await open(url);
  context.after(() => node.close());
  await node.begin();
  const site = await seedSite(node);
  const nowMs = Date.now();
  const redemption = redemptionOf(site, { nowMs, retainUntilMs: nowMs + 360_000 });
  assert.equal((await node.tokens.redeem(redemption)).kind, "spent");
  engine.runSql("unnoticed", `DROP TABLE ${partitionOf("token_marks", redemption.retainUntilMs)}`);
  await assert.rejects(node.tokens.redeem(redemption), isUnavailable);
  await node.nodes?.follow(async () => {});
  await node.tokens.redeem(redemption);
  engine.runSql("unnoticed", "TRUNCATE token_marks");
  await assert.rejects(node.tokens.redeem(redemption), isUnavailable);
  await node.nodes?.follow(async () => {});
  const next = redemptionOf(site, { nowMs, retainUntilMs: nowMs + 360_000 });
  assert.equal((await node.tokens.redeem(next)).kind, "spent", "tokens issued since are accepted");
  const putBackEmpty = LOSSES["a partition restored empty"] ?? assert.fail();
  engine.runSql(
    "unnoticed",
    putBackEmpty("token_marks", partitionOf("token_marks", next.retainUntilMs)),
  );
  await assert.rejects(node.tokens.redeem(next), isUnavailable);
});

for (const removal of ["DELETE FROM token_marks", "TRUNCATE token_marks"]) {
  test(`does not spend a replay that waits for the end of ${removal} (D3, single use; D15, outage)`, async (context) => {
    const name = `removal_${++made}`;
    const url = engine.createDatabase(name, TEMPLATE);
    const node = await open(url);
    const remover = new pg.Client({ connectionString: url });
    await remover.connect();
    context.after(() => Promise.all([node.close(), remover.end()]));
    await node.begin();
    const site = await seedSite(node);
    const nowMs = Date.now();
    const redemption = redemptionOf(site, { nowMs, retainUntilMs: nowMs + 360_000 });
    assert.equal((await node.tokens.redeem(redemption)).kind, "spent");
    await remover.query(`BEGIN; ${removal}`);
    const refused = assert.rejects(node.tokens.redeem(redemption), isUnavailable);
    while (engine.runSql(name, "SELECT count(*) FROM pg_locks WHERE NOT granted") === "0")
      await delay(20);
    await remover.query("COMMIT");
    await refused;
  });
}

test("does not count an unused future partition, a sweep or an expired partition as a loss", async (context) => {
  const url = engine.createDatabase("whole", TEMPLATE);
  const node = await open(url);
  context.after(() => node.close());
  await node.begin();
  const site = await seedSite(node);
  const nowMs = Date.now();
  await node.housekeeping.sweep(nowMs);
  await node.tokens.redeem(redemptionOf(site, { nowMs, retainUntilMs: nowMs - 3_600_000 }));
  await node.tokens.redeem(redemptionOf(site, { nowMs, retainUntilMs: nowMs + 9_000_000 }));
  engine.runSql("whole", `DROP TABLE ${partitionOf("token_marks", nowMs - 3_600_000)}`);
  engine.runSql("whole", "VACUUM FULL");
  await node.housekeeping.sweep(nowMs);
  assert.equal(await node.nodes?.follow(() => assert.fail("nothing has changed")), "continued");
  await node.tokens.redeem(redemptionOf(site, { nowMs, retainUntilMs: nowMs - 3_600_000 }));
});
