import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, type TestContext, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import type { Store } from "@stile/core/ports/store";
import { StoreUnavailable } from "@stile/core/ports/store-unavailable";
import { startPostgres } from "@stile/testkit/postgres/throw-away-postgres";
import pg from "pg";
import { openPostgresStore } from "../../postgres/postgres-store.ts";
import { redemptionOf, seedSite, T0 } from "../contract-fixtures.ts";
import { GENEROUS_MS } from "../until-answered.ts";

const engine = await startPostgres({ isDurable: false, settings: ["restore_command=false"] });
after(engine.stop);

let made = 0;

/** Two nodes that have begun, on their own database, with one service key. */
async function beginNodes(context: TestContext) {
  const url = engine.createDatabase(`generation_${++made}`);
  const [a, b] = (await Promise.all([openPostgresStore({ url }), openPostgresStore({ url })])) as [
    Store,
    Store,
  ];
  context.after(() => Promise.allSettled([a.close(), b.close()]));
  for (const node of [a, b]) assert.equal(await node.begin(), "continued");
  await a.serviceKeys.insertServiceKey({ keyId: 1, createdAtMs: T0, wrapped: new Uint8Array(8) });
  return { a, b, site: await seedSite(a) };
}

/**
 * Restarts the engine on another timeline, as after a standby took over or a backup was restored.
 * `exchange` changes its files before that.
 */
async function takeOver(exchange: (directory: string) => void = () => {}): Promise<void> {
  const directory = engine.runSql("postgres", "SHOW data_directory");
  await engine.kill();
  exchange(directory);
  writeFileSync(join(directory, "recovery.signal"), "");
  await engine.start();
  while (engine.runSql("postgres", "SELECT pg_is_in_recovery()") !== "f") await delay(50);
}

const isUnavailable = (error: unknown): boolean => error instanceof StoreUnavailable;
const isRetired = async (node: Store): Promise<unknown> =>
  (await node.serviceKeys.listServiceKeys()).map((key) => key.isRetired);

/** Asks until the connection is up again. */
async function untilReached<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      await delay(50);
    }
  }
}

test("spends nothing on nodes that ran while another engine took over, until they have read the keys again (D3, single use)", async (context) => {
  const { a, b, site } = await beginNodes(context);
  assert.equal((await a.tokens.redeem(redemptionOf(site))).kind, "spent");
  await takeOver();
  // Both are connected again, but still know the former run.
  for (const node of [a, b]) await untilReached(() => node.sites.findSite(site.siteKey));
  for (const node of [a, b])
    await assert.rejects(node.tokens.redeem(redemptionOf(site)), isUnavailable);
  assert.deepEqual(await isRetired(a), [false]);

  const loads: string[] = [];
  assert.equal(
    await a.nodes?.follow(async () => {
      loads.push("a");
      assert.deepEqual(await isRetired(a), [true], "the present keys are loaded");
      await assert.rejects(
        a.tokens.redeem(redemptionOf(site)),
        isUnavailable,
        "not before they are loaded",
      );
    }),
    "retired",
  );
  assert.equal((await a.tokens.redeem(redemptionOf(site))).kind, "spent");
  await assert.rejects(
    b.tokens.redeem(redemptionOf(site)),
    isUnavailable,
    "the other node has not loaded the keys yet",
  );
  const load = async (): Promise<void> => void loads.push("b");
  assert.equal(await b.nodes?.follow(load), "continued");
  assert.equal((await b.tokens.redeem(redemptionOf(site))).kind, "spent");
  assert.deepEqual(loads, ["a", "b"]);
});

test("separates the runs of two standbys that take over from one engine in turn, although both have the same timeline (D3, single use)", async (context) => {
  const { a, b, site } = await beginNodes(context);
  const timeline = (): string =>
    engine.runSql("postgres", "SELECT left(pg_walfile_name(pg_current_wal_lsn()), 8)");
  let other = "";
  context.after(() => rmSync(other, { recursive: true, force: true }));
  await takeOver((directory) => {
    other = `${directory}-of-other`;
    spawnSync("cp", ["-a", directory, other]);
  });
  const first = timeline();
  for (const node of [a, b]) {
    await untilReached(() => node.sites.findSite(site.siteKey));
    await node.nodes?.follow(async () => {});
  }
  // The second standby never heard of the first, so it does not know what is spent now.
  const redemption = redemptionOf(site);
  assert.equal((await a.tokens.redeem(redemption)).kind, "spent");
  await takeOver((directory) => {
    rmSync(directory, { recursive: true });
    renameSync(other, directory);
  });
  assert.equal(timeline(), first);
  for (const node of [a, b]) await untilReached(() => node.sites.findSite(site.siteKey));
  assert.equal(await b.nodes?.follow(async () => {}), "retired");
  await assert.rejects(
    a.tokens.redeem(redemption),
    isUnavailable,
    "its keys are those of the first standby's run",
  );
});

test("does not spend in the next run what waited since it was decided with a former run's keys (D3, single use)", async (context) => {
  const { site } = await beginNodes(context);
  const url = engine.urlOf(`generation_${made}`);
  const node = await openPostgresStore({ url, deadlineMs: GENEROUS_MS });
  const other = new pg.Client({ connectionString: url });
  await other.connect();
  context.after(() => Promise.allSettled([node.close(), other.end()]));
  await node.begin();
  assert.equal((await node.tokens.redeem(redemptionOf(site))).kind, "spent");
  await other.query("BEGIN; LOCK TABLE token_marks IN ACCESS EXCLUSIVE MODE");
  const spends = [assert.rejects(node.tokens.redeem(redemptionOf(site)), isUnavailable)];
  // The batch is in the database. Later spends wait for it.
  while (engine.runSql("postgres", "SELECT count(*) FROM pg_locks WHERE NOT granted") === "0")
    await delay(20);
  spends.push(assert.rejects(node.tokens.redeem(redemptionOf(site)), isUnavailable));
  engine.runSql(`generation_${made}`, "UPDATE generations SET number = number + 1");
  await node.nodes?.follow(async () => {});
  await other.query("ROLLBACK");
  await Promise.all(spends);
  assert.equal((await node.tokens.redeem(redemptionOf(site))).kind, "spent");
});

test("spends nothing on other nodes with keys that one node retired because running tables were emptied (D3, single use)", async (context) => {
  const { a, b, site } = await beginNodes(context);
  const redemption = redemptionOf(site);
  assert.equal((await a.tokens.redeem(redemption)).kind, "spent");
  engine.runSql(`generation_${made}`, "TRUNCATE nodes, generations, token_marks, mark_partitions");
  assert.equal(await a.nodes?.follow(async () => {}), "retired");
  await assert.rejects(b.tokens.redeem(redemption), isUnavailable, "its keys are the former ones");
  const loads: string[] = [];
  await b.nodes?.follow(async () => void loads.push("b"));
  assert.deepEqual(loads, ["b"]);
});

test("spends nothing on a node that finds no run, because tables are emptied again, until it finds one (D3, single use)", async (context) => {
  const { a, site } = await beginNodes(context);
  await a.housekeeping.sweep(Date.now());
  const redemption = redemptionOf(site);
  assert.equal((await a.tokens.redeem(redemption)).kind, "spent");
  const sql = (text: string): string => engine.runSql(`generation_${made}`, text);
  sql(`CREATE FUNCTION empty_again() RETURNS TRIGGER LANGUAGE plpgsql AS 'BEGIN TRUNCATE token_marks; RETURN NULL; END';
    CREATE TRIGGER again AFTER UPDATE ON service_keys EXECUTE FUNCTION empty_again()`);
  sql("TRUNCATE token_marks");
  await assert.rejects(async () => a.nodes?.follow(async () => {}), isUnavailable);
  await assert.rejects(a.tokens.redeem(redemption), isUnavailable);
  sql("DROP TRIGGER again ON service_keys");
  await a.nodes?.follow(async () => {});
  assert.equal((await a.tokens.redeem(redemptionOf(site))).kind, "spent");
});

test("spends nothing on a node whose keys could not be loaded, and tries again", async (context) => {
  const { a, site } = await beginNodes(context);
  await takeOver();
  await untilReached(() => a.sites.findSite(site.siteKey));
  await assert.rejects(
    async () => a.nodes?.follow(() => Promise.reject(new Error("the disk is full"))),
    /disk is full/,
  );
  await assert.rejects(a.tokens.redeem(redemptionOf(site)), isUnavailable);
  await a.nodes?.follow(async () => {});
  assert.equal((await a.tokens.redeem(redemptionOf(site))).kind, "spent");
});

test("loads nothing while nothing changes, and knows a killed engine that came back as the same run", async (context) => {
  const { a, b, site } = await beginNodes(context);
  const never = (): Promise<void> => assert.fail("nothing has changed");
  assert.equal(await a.nodes?.follow(never), "continued");
  await engine.kill();
  await engine.start();
  for (const node of [a, b]) await untilReached(() => node.sites.findSite(site.siteKey));
  for (const node of [a, b]) assert.equal(await node.nodes?.follow(never), "continued");
  assert.equal((await untilReached(() => b.tokens.redeem(redemptionOf(site)))).kind, "spent");
  assert.deepEqual(await isRetired(a), [false]);
});

test("remembers the database's state on a node even if every sweep fails for weeks (D3, single use)", async (context) => {
  const folder = mkdtempSync(join(tmpdir(), "stile-mark-"));
  const markFile = join(folder, "mark");
  const node = await openPostgresStore({
    url: engine.createDatabase(`generation_${++made}`),
    markFile,
  });
  context.after(async () => {
    await node.close();
    rmSync(folder, { recursive: true });
  });
  await node.begin();
  const remembered = readFileSync(markFile, "utf8");
  engine.runSql(`generation_${made}`, "DROP FUNCTION sweep_1");
  await assert.rejects(node.housekeeping.sweep(Date.now()));
  assert.notEqual(readFileSync(markFile, "utf8"), remembered);
});
