import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, type TestContext, test } from "node:test";
import { DEMO_SITES } from "@stile/demo/seed/demo-sites";
import { seedSites } from "@stile/demo/seed/seed";
import { openOperatorPorts } from "@stile/server/cli/operator-ports";
import {
  type ListeningNode,
  startListeningNode,
  temporaryFolder,
} from "@stile/testkit/postgres/node-on-postgres";
import { startPostgres } from "@stile/testkit/postgres/throw-away-postgres";
import { runServer, runStile } from "@stile/testkit/service/run-command";
import { assertSameRows, withClient } from "../contract/same-rows.ts";
import { MOVED_TABLES } from "./copy-tables.ts";

const engine = await startPostgres({ isDurable: false });
after(engine.stop);
let made = 0;
const newDatabase = (): string => engine.createDatabase(`move_${++made}`);

/**
 * Rows of tables that synthetic traffic leaves empty, with every kind of value that a column can
 * have.
 */
const FURTHER_ROWS = `
  INSERT INTO members VALUES ('u1', (SELECT account_id FROM accounts), 'zoë@example.org', 'Zoë 🐈', 'owner', 'hash', x'00ff', 7, '["a"]', 1, NULL, 3);
  INSERT INTO members VALUES ('u2', (SELECT account_id FROM accounts), 'b@example.org', 'B', 'viewer', NULL, NULL, NULL, '[]', 1, 2, 1);
  INSERT INTO passkeys VALUES ('p1', 'u1', 0, 'a "key", {1}', x'00010203', 4, '["usb"]', 5, NULL);
  INSERT INTO sessions VALUES ('s1', 'd1', 'u1', 1, 2, 3, 'Firefox');
  INSERT INTO links (link_id, token_digest, purpose, account_id, user_id, role, created_at_ms, expires_at_ms, removes_second_factors, tries)
    VALUES ('l1', 'ld1', 'reset', 'a', 'u1', 'owner', 1, 2, 1, 4);
  INSERT OR IGNORE INTO key_usage SELECT digest, 12345 FROM secret_keys LIMIT 1;
  INSERT INTO sweep_horizons VALUES ('token_marks', 42) ON CONFLICT (mark_table) DO UPDATE SET swept_until_ms = 42;
`;

/** The demo sites with few visitors. They leave every kind of row, in tens of batches. */
const QUIET_SITES = DEMO_SITES.map(({ settings, traffic }) => ({
  settings,
  traffic: { ...traffic, peoplePerHour: 1, attacks: [] },
}));

async function fill({ service: { store } }: ListeningNode): Promise<void> {
  const [account] = await store.sites.listAccounts();
  await seedSites(await openOperatorPorts(store), store, account ?? assert.fail(), QUIET_SITES);
}

/**
 * A stopped installation on SQLite, and three tokens of which two were redeemed. If `isFull`, every
 * table has rows.
 */
async function stoppedInstallation(context: TestContext, isFull = false) {
  const settings = { STILE_DATA_DIR: temporaryFolder() };
  const node = await startListeningNode(context, settings);
  if (isFull) await fill(node);
  const tokens = node.mint(3);
  assert.deepEqual(await node.redeemAll(tokens.slice(0, 2)), ["verified", "verified"]);
  const siteKey = node.service.firstStart.demoKeys?.siteKey ?? "";
  const site = (await node.service.store.sites.findSite(siteKey)) ?? assert.fail();
  const nowMs = Date.now();
  const times = { issuedAtMs: nowMs, retainUntilMs: nowMs + 300_000, nowMs };
  const challenge = { challengeId: randomBytes(16), ...times, onSpent: [] };
  const spend = { ...challenge, siteKey, siteRevision: site.revision };
  assert.equal(await node.service.store.challenges.spend(spend), "spent");
  await node.service.stop();
  const file = join(settings.STILE_DATA_DIR, "stile.sqlite");
  change(file, FURTHER_ROWS);
  return { settings, tokens, spend, file };
}

function change(file: string, sql: string): void {
  const database = new DatabaseSync(file);
  database.exec(sql);
  database.close();
}

test("moves every row of every table, keeps spent tokens spent and valid ones valid, and ends the SQLite side (D3, single use; D16, operator)", async (context) => {
  const { settings, tokens, spend, file } = await stoppedInstallation(context, true);
  const url = newDatabase();
  const moved = await runStile(["move"], { ...settings, STILE_DATABASE_URL: url });
  assert.deepEqual([moved.code, moved.stderr], [0, ""]);
  assert.match(moved.stdout, /^ +1 {2}accounts\n +4 {2}sites\n/);
  assert.match(
    moved.stdout,
    /Set STILE_DATABASE_URL to that address and start .* is no longer used\. Remove .*stile\.sqlite when/s,
  );
  assert.doesNotMatch(moved.stdout + moved.stderr, /throw-away/);

  for (const [table, rows] of await assertSameRows(file, url))
    assert.ok(rows > 0, `${table} is empty, so this proves nothing`);
  const source = new DatabaseSync(file);
  const tables = source
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .all();
  const left = tables
    .map(({ name }) => String(name))
    .filter((name) => !(MOVED_TABLES as readonly string[]).includes(name));
  assert.deepEqual(
    left.sort(),
    ["generations", "heartbeat", "migrations"],
    "a new table is moved, or listed with a reason",
  );
  source.close();

  const node = await startListeningNode(context, { ...settings, STILE_DATABASE_URL: url });
  assert.deepEqual(await node.redeemAll(tokens), [
    "token_already_used",
    "token_already_used",
    "verified",
  ]);
  assert.equal(await node.service.store.challenges.spend(spend), "already_spent");
  // The numbers of the audit log continue after those that were moved.
  await withClient(url, (client) =>
    client.query(
      "INSERT INTO audit_entries (account_id, at_ms, actor_name, action, subject, changes) VALUES ('a', 1, 'b', 'c', 'd', '[]')",
    ),
  );
  await node.service.stop();

  const refusal = /The installation of .* was moved to PostgreSQL\. Set STILE_DATABASE_URL/;
  for (const args of [[], ["--new"]]) {
    const again = await runServer({ ...settings, STILE_PORT: "0" }, args);
    assert.equal(again.code, 1);
    assert.match(again.stderr, refusal);
  }
  const commands = ["init", "doctor", "reset-link"].map((command) => runStile([command], settings));
  for (const { code, stdout, stderr } of await Promise.all(commands)) {
    assert.equal(code, 1);
    assert.match(stdout + stderr, refusal);
  }
  assert.match(
    (await runStile(["move"], { ...settings, STILE_DATABASE_URL: newDatabase() })).stderr,
    /^stile: The installation was moved already\./,
  );
});

test("makes no token valid again when the moved SQLite database is restored to service (D3, single use)", async (context) => {
  const { settings, tokens, file } = await stoppedInstallation(context);
  assert.equal(
    (await runStile(["move"], { ...settings, STILE_DATABASE_URL: newDatabase() })).code,
    0,
  );
  assert.equal((await runStile(["restore", file], settings)).code, 0);
  const node = await startListeningNode(context, settings);
  assert.deepEqual(await node.redeemAll(tokens), [
    "token_expired",
    "token_expired",
    "token_expired",
  ]);
});

test("leaves PostgreSQL empty and SQLite unchanged when a move fails (D16, operator)", async (context) => {
  const { settings, tokens, file } = await stoppedInstallation(context);
  // PostgreSQL accepts no text with a zero character.
  change(file, "INSERT INTO decisions VALUES ('a', 'b', 'c' || char(0), 'allow', NULL, '{}')");
  const url = newDatabase();
  const failed = await runStile(["move"], { ...settings, STILE_DATABASE_URL: url });
  assert.deepEqual([failed.code, failed.stdout], [1, ""]);
  assert.match(
    failed.stderr,
    /^stile: Nothing was moved, and both databases are unchanged \(.*0x00\)\.\n$/,
  );
  assert.equal(
    engine.runSql(
      `move_${made}`,
      "SELECT count(*) FROM pg_class WHERE relnamespace = 'public'::REGNAMESPACE",
    ),
    "0",
  );
  const node = await startListeningNode(context, settings);
  assert.deepEqual(await node.redeemAll(tokens), [
    "token_already_used",
    "token_already_used",
    "verified",
  ]);
});

test("refuses a move into a database with data, without a database, or without an installation (D16, operator)", async (context) => {
  const url = newDatabase();
  const other = await startListeningNode(context, {
    STILE_DATABASE_URL: url,
    STILE_DATA_DIR: temporaryFolder(),
  });
  await other.service.stop();
  const settings = { STILE_DATA_DIR: temporaryFolder() };
  assert.match(
    (await runStile(["move"], { ...settings, STILE_DATABASE_URL: url })).stderr,
    /^stile: There is no installation in \S+\. Run this with the settings of the service/,
  );
  assert.equal((await runStile(["init"], settings)).code, 0);
  for (const [address, told] of [
    [url, /^stile: The PostgreSQL database already has an installation\. Name an empty one\.\n$/],
    ["", /^stile: Set STILE_DATABASE_URL to the address of the empty database/],
    ["mysql://u:secret-1@h/d", /STILE_DATABASE_URL .*postgres:\/\//],
    [engine.urlOf("nothing"), /has no database "nothing"/],
  ] as const) {
    const { code, stderr } = await runStile(["move"], { ...settings, STILE_DATABASE_URL: address });
    assert.equal(code, 1, stderr);
    assert.match(stderr, told);
    assert.doesNotMatch(stderr, /throw-away|secret-1/);
  }
  assert.equal(existsSync(join(settings.STILE_DATA_DIR, "stile.sqlite")), true);
});
