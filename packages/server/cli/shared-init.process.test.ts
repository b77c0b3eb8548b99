import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, test } from "node:test";
import { openPostgresStore } from "@stile/stores/postgres/postgres-store";
import { temporaryFolder } from "@stile/testkit/postgres/node-on-postgres";
import { startPostgres } from "@stile/testkit/postgres/throw-away-postgres";
import { runStile } from "@stile/testkit/service/run-command";

const engine = await startPostgres({ isDurable: false });
after(engine.stop);

test("creates the first account and site in a database that nodes share, and prints their keys again (D16, operator)", async () => {
  const settings = {
    STILE_DATABASE_URL: engine.createDatabase("init"),
    STILE_MASTER_KEY: randomBytes(32).toString("base64"),
    STILE_DATA_DIR: temporaryFolder(),
  };
  const first = await runStile(["init"], settings);
  assert.deepEqual([first.code, first.stderr], [0, ""]);
  assert.match(
    first.stdout,
    /^Created the first account and the demo site\.\nSite key {4}pk_\S+\nSecret key {2}sk_\S+\nDashboard /,
  );
  const again = await runStile(["init", "--json"], settings);
  assert.deepEqual([again.code, again.stderr], [0, ""]);
  const { site_key: siteKey, setup_url: setupUrl } = JSON.parse(again.stdout);
  assert.ok(first.stdout.includes(siteKey));
  assert.match(setupUrl, /^http/);
});

test("allows store access inside work that holds the cluster's lock", async (context) => {
  const store = await openPostgresStore({ url: engine.createDatabase("alone") });
  context.after(() => store.close());
  const asked = await store.alone(async () => [
    await store.housekeeping.newestMs(),
    (await store.sites.listAccounts()).length,
    (await store.decisions.list({ siteKey: "pk_none", limit: 1 })).length,
  ]);
  assert.deepEqual(asked, [0, 0, 0]);
});
