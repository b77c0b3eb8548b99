import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import {
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, delimiter, dirname, join } from "node:path";
import { after, type TestContext, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import {
  findPostgresPrograms,
  type PostgresPrograms,
} from "@stile/stores/postgres/archive/postgres-programs";
import { startListeningNode, temporaryFolder } from "@stile/testkit/postgres/node-on-postgres";
import { startTcpProxy } from "@stile/testkit/postgres/tcp-proxy";
import { postgresProgram, startPostgres } from "@stile/testkit/postgres/throw-away-postgres";
import { runStile } from "@stile/testkit/service/run-command";

const engine = await startPostgres({ isDurable: false });
after(engine.stop);
let made = 0;
const newDatabase = (): string => engine.createDatabase(`backup_${++made}`);

/**
 * The programs of the engine. Those in Debian's PATH are scripts, which look for the right version
 * on each call.
 */
const PATH = [dirname(postgresProgram().file), process.env.PATH].join(delimiter);

const newSettings = (STILE_DATABASE_URL = newDatabase()) => ({
  PATH,
  STILE_DATABASE_URL,
  STILE_MASTER_KEY: randomBytes(32).toString("base64"),
  STILE_DATA_DIR: temporaryFolder(),
});

/**
 * A backup of a running node, with a token spent before it and one after; then the node is stopped.
 */
async function backUp(context: TestContext) {
  const settings = newSettings();
  const node = await startListeningNode(context, settings);
  const tokens = node.mint(3);
  assert.deepEqual(await node.redeemAll(tokens.slice(0, 1)), ["verified"]);
  const file = join(temporaryFolder(), "backup");
  const written = await runStile(["backup", file], settings);
  assert.deepEqual([written.code, written.stderr], [0, ""]);
  assert.match(
    written.stdout,
    /^Wrote the whole database to .*backup, and verified the copy\.\nAlso keep the master key/,
  );
  assert.deepEqual(await node.redeemAll(tokens.slice(1, 2)), ["verified"]);
  const { siteKey } = node.service.firstStart.demoKeys ?? assert.fail();
  return { settings, node, tokens, file, siteKey };
}

test("keeps spent tokens spent after a restore, and keeps sites and secrets (D3, single use; D16, operator)", async (context) => {
  const { settings, node, tokens, file, siteKey } = await backUp(context);
  assert.equal(statSync(file).mode & 0o077, 0);
  await node.service.stop();
  const refused = await runStile(["restore", file], settings);
  assert.deepEqual([refused.code, refused.stdout], [1, ""]);
  assert.match(
    refused.stderr,
    /^stile: There is an installation in the database .* or add --replace/,
  );
  assert.equal(engine.runSql(`backup_${made}`, "SELECT count(*) FROM links"), "1");
  const restored = await runStile(["restore", file, "--replace"], settings);
  assert.deepEqual([restored.code, restored.stderr], [0, ""]);
  assert.match(
    restored.stdout,
    /^Restored .* Start the nodes\. Tokens issued before are refused.*\nEveryone must sign in again/,
  );
  // Sessions and links in the backup may have been ended or used since.
  assert.equal(engine.runSql(`backup_${made}`, "SELECT count(*) FROM links"), "0");

  const again = await startListeningNode(context, settings);
  assert.equal(again.service.firstStart.demoKeys?.siteKey, siteKey);
  assert.deepEqual(await again.redeemAll(tokens), [
    "token_expired",
    "token_expired",
    "token_expired",
  ]);
  const fresh = again.mint(2);
  assert.deepEqual(await again.redeemAll(fresh), ["verified", "verified"]);
  // A second node that remembers the database from before the restore must not retire the keys made
  // since.
  await again.service.stop();
  const next = await startListeningNode(context, settings);
  const keys = await next.service.store.serviceKeys.listServiceKeys();
  assert.deepEqual(
    keys.map(({ isRetired }) => isRetired),
    [true, false],
  );
});

test("keeps the keys that other nodes made, if a node still remembers the database before a restore (D3, single use)", async (context) => {
  const { settings, node, file } = await backUp(context);
  const other = { ...settings, STILE_DATA_DIR: temporaryFolder() };
  await (await startListeningNode(context, other)).service.stop();
  await node.service.stop();
  assert.equal((await runStile(["restore", file, "--replace"], settings)).code, 0);
  const first = await startListeningNode(context, settings);
  const fresh = first.mint(1);
  const second = await startListeningNode(context, other);
  const keys = await second.service.store.serviceKeys.listServiceKeys();
  assert.deepEqual(
    keys.map(({ isRetired }) => isRetired),
    [true, false],
  );
  assert.deepEqual(await first.redeemAll(fresh), ["verified"]);
});

test("spends nothing with the old keys on a node that was cut off, and so unseen, during a restore (D3, single use)", async (context) => {
  const url = new URL(newDatabase());
  const proxy = await startTcpProxy(engine.port);
  const direct = newSettings(url.href);
  url.port = `${proxy.port}`;
  const node = await startListeningNode(context, { ...direct, STILE_DATABASE_URL: url.href });
  context.after(proxy.stop);
  const file = join(temporaryFolder(), "backup");
  assert.equal((await runStile(["backup", file], direct)).code, 0);
  const tokens = node.mint(1);
  assert.deepEqual(await node.redeemAll(tokens), ["verified"]);
  proxy.setMode("cut");
  assert.equal((await runStile(["restore", file, "--replace"], direct)).code, 0);
  proxy.setMode("pass");
  let [answer] = await node.redeemAll(tokens);
  for (; answer === "internal_error"; [answer] = await node.redeemAll(tokens)) await delay(50);
  assert.equal(answer, "token_expired");
});

test("resets times from nodes whose clocks were ahead, and ends no living secret key (D12, states; D16, operator)", async (context) => {
  const settings = newSettings();
  const node = await startListeningNode(context, settings);
  await node.service.stop();
  const aheadMs = Date.now() + 365 * 86_400_000;
  const sql = (text: string): string => engine.runSql(`backup_${made}`, text);
  sql(`UPDATE generations SET seen_ms = ${aheadMs}; UPDATE sweep_horizons SET swept_until_ms = ${aheadMs};
    INSERT INTO secret_keys (digest, site_key, position, last_four, created_at_ms, replaced_at_ms)
      SELECT 'replaced', site_key, 1, 'abcd', 0, ${aheadMs} FROM sites`);
  const file = join(temporaryFolder(), "backup");
  assert.equal((await runStile(["backup", file], settings)).code, 0);
  const doctor = async () => (await runStile(["doctor"], settings)).stdout;
  assert.match(await doctor(), /^warn .* 365 days ahead of this machine's clock/m);
  assert.equal((await runStile(["restore", file, "--replace"], settings)).code, 0);
  assert.doesNotMatch(await doctor(), /ahead of this machine's clock/);
  const again = await startListeningNode(context, settings);
  assert.deepEqual(await again.redeemAll(again.mint(1)), ["verified"]);
  const nowMs = Date.now();
  assert.equal(sql(`SELECT count(*) FROM secret_keys WHERE replaced_at_ms <= ${nowMs}`), "1");
  assert.equal(sql("SELECT count(*) FROM secret_keys WHERE replaced_at_ms IS NULL"), "1");
});

test("with a backup of a node that is still running", async (t) => {
  const { settings, node, tokens, file } = await backUp(t);

  await t.test(
    "overwrites nothing, needs an installation, and names the programs that are missing (D16, operator)",
    async () => {
      const before = readFileSync(file);
      const over = await runStile(["backup", file], settings);
      assert.match(over.stderr, /already exists\. Name a new file\./);
      assert.deepEqual(readFileSync(file), before);
      const none = await runStile(["backup", `${file}-2`], newSettings());
      assert.match(none.stderr, /^stile: There is no installation in the database/);
      const wrong = await runStile(["backup", `${file}-3`], newSettings(engine.urlOf("nothing")));
      assert.match(wrong.stderr, /has no database "nothing"/);
      for (const name of ["-2", "-3"]) assert.equal(existsSync(`${file}${name}`), false, name);
      assert.deepEqual(readdirSync(dirname(file)), [basename(file)], "no draft is left");
    },
  );

  await t.test("follows no link at the backup's likely draft name (D16, operator)", async () => {
    const copy = join(temporaryFolder(), "copy");
    const theirs = join(temporaryFolder(), "theirs");
    writeFileSync(theirs, "theirs");
    symlinkSync(theirs, `${copy}.part`);
    assert.equal((await runStile(["backup", copy], settings)).code, 0);
    assert.equal(readFileSync(theirs, "utf8"), "theirs");
    assert.equal(statSync(copy).mode & 0o077, 0);
  });

  await t.test(
    "refuses a restore while a node runs, with another master key, or of other data, and changes nothing (D16, operator)",
    async () => {
      const text = join(temporaryFolder(), "text");
      writeFileSync(text, "no backup");
      const torn = join(temporaryFolder(), "torn");
      const bytes = readFileSync(file);
      writeFileSync(torn, bytes.subarray(0, bytes.length - 5000));
      const empty = { ...settings, STILE_DATABASE_URL: newDatabase() };
      const other = { ...empty, STILE_MASTER_KEY: randomBytes(32).toString("base64") };
      for (const [path, environment, told] of [
        [file, settings, /^stile: A node or a command runs on the database .* Stop all of them/],
        [file, other, /^stile: The master key does not open the keys/],
        [
          text,
          empty,
          /^stile: .*text can't be restored \(input file does not appear to be a valid archive/,
        ],
        [torn, empty, /^stile: .*torn (is damaged|can't be restored) \(/],
        [join(text, "no"), empty, /^stile: There is no file/],
      ] as const) {
        const { code, stdout, stderr } = await runStile(
          ["restore", path, "--replace"],
          environment,
        );
        assert.deepEqual([code, stdout], [1, ""], path);
        assert.match(stderr, told);
        assert.equal(stderr.trim().split("\n").length, 1, stderr);
        assert.doesNotMatch(stderr, /throw-away/);
      }
      assert.equal(
        engine.runSql(`backup_${made}`, "SELECT count(*) FROM pg_class WHERE relname = 'accounts'"),
        "0",
      );
      assert.deepEqual(await node.redeemAll(tokens.slice(2)), ["verified"]);
    },
  );

  // Last, because it stops the node.
  await t.test("restores a backup into an empty database elsewhere", async (context) => {
    await node.service.stop();
    const elsewhere = { ...settings, STILE_DATABASE_URL: newDatabase() };
    assert.equal((await runStile(["restore", file], elsewhere)).code, 0);
    const there = await startListeningNode(context, elsewhere);
    assert.deepEqual(await there.redeemAll(tokens), [
      "token_expired",
      "token_expired",
      "token_expired",
    ]);
  });
});

test("backs up tables that a later version extended, and restores them with that version only (D16, operator)", async (context) => {
  const settings = newSettings();
  await (await startListeningNode(context, settings)).service.stop();
  const known = Number(engine.runSql(`backup_${made}`, "SELECT max(number) FROM migrations"));
  engine.runSql(`backup_${made}`, `INSERT INTO migrations VALUES (${known + 1}, ${known})`);
  const file = join(temporaryFolder(), "backup");
  assert.deepEqual(
    await runStile(["backup", file], settings).then(({ code, stderr }) => [code, stderr]),
    [0, ""],
  );
  const { code, stderr } = await runStile(["restore", file], {
    ...settings,
    STILE_DATABASE_URL: newDatabase(),
  });
  assert.equal(code, 1);
  assert.match(
    stderr,
    /backup was made with a newer version of Stile .*restore it with that version or a later one/,
  );
});

test("leaves the database unchanged if a restore fails half way (D16, operator)", async (context) => {
  const { settings, node, file } = await backUp(context);
  await node.service.stop();
  const database = `backup_${made}`;
  // Restore leaves tables that are not the service's. Here, one of them is in the way.
  engine.runSql(
    database,
    "DROP TABLE heartbeat; CREATE VIEW heartbeat AS SELECT 1 AS id, 1 AS beats",
  );
  const { code, stderr } = await runStile(["restore", file, "--replace"], settings);
  assert.equal(code, 1);
  assert.match(
    stderr,
    /was not restored, and the database is unchanged \(relation "heartbeat" already exists\)/,
  );
  assert.equal(
    engine.runSql(database, "SELECT count(*) FROM service_keys WHERE NOT is_retired"),
    "1",
  );
});

/**
 * A folder with these programs. Its `pg_restore` does not protect `psql` from commands in a backup.
 */
function withOldRestore({ pgDump, pgRestore, psql }: PostgresPrograms): string {
  const folder = temporaryFolder();
  symlinkSync(pgDump, join(folder, "pg_dump"));
  symlinkSync(psql, join(folder, "psql"));
  const script = String.raw`#!/bin/sh
case "$*" in *--restrict-key*) echo "pg_restore: unrecognized option '--restrict-key'" >&2; exit 1;; esac
'${pgRestore}' "$@" | sed -E '/^\\(un)?restrict /d'
`;
  writeFileSync(join(folder, "pg_restore"), script, { mode: 0o755 });
  return folder;
}

test("runs no line of a backup as a command, with any age of PostgreSQL's programs (D16, operator)", async (context) => {
  const settings = newSettings();
  await (await startListeningNode(context, settings)).service.stop();
  const room = "-".repeat(300);
  engine.runSql(
    `backup_${made}`,
    `CREATE FUNCTION theirs() RETURNS text LANGUAGE sql AS $$ SELECT '${room}' $$`,
  );
  const file = join(temporaryFolder(), "backup");
  assert.equal((await runStile(["backup", file], settings)).code, 0);
  const trace = join(temporaryFolder(), "trace");
  // Ends the function, and is as long as the text it replaces.
  const hostile = `' $$;\n\\! touch ${trace}\nSELECT $$ '`.padEnd(room.length, " ");
  writeFileSync(
    file,
    readFileSync(file, "latin1").replace(room, () => hostile),
    "latin1",
  );
  const old = withOldRestore(findPostgresPrograms(15));
  for (const [path, told] of [
    [process.env.PATH ?? "", /was not restored, and the database is unchanged \(.*restrict/],
    [
      `${old}${delimiter}${process.env.PATH}`,
      /^stile: The pg_restore found here is too old .*15\.14/,
    ],
  ] as const) {
    const elsewhere = { ...settings, STILE_DATABASE_URL: newDatabase(), PATH: path };
    const { code, stderr } = await runStile(["restore", file], elsewhere);
    assert.deepEqual([code, existsSync(trace)], [1, false], stderr);
    assert.match(stderr, told);
    assert.equal(
      engine.runSql(`backup_${made}`, "SELECT count(*) FROM pg_class WHERE relname = 'accounts'"),
      "0",
    );
  }
});

test("ignores a libpq service that was set for other programs (D16, operator)", async (context) => {
  const elsewhere = newDatabase();
  const services = join(temporaryFolder(), "pg_service.conf");
  writeFileSync(services, `[other]\ndbname=${new URL(elsewhere).pathname.slice(1)}\n`);
  const ofOthers = { PGSERVICE: "other", PGSERVICEFILE: services };
  const settings = { ...newSettings(), PATH: process.env.PATH ?? "" };
  await (await startListeningNode(context, settings)).service.stop();
  const file = join(temporaryFolder(), "backup");
  const backedUp = await runStile(["backup", file], { ...settings, ...ofOthers });
  assert.deepEqual([backedUp.code, backedUp.stderr], [0, ""]);
  const target = newDatabase();
  const restored = await runStile(["restore", file], {
    ...settings,
    ...ofOthers,
    STILE_DATABASE_URL: target,
  });
  assert.deepEqual([restored.code, restored.stderr], [0, ""]);
  const accountsOf = (url: string): string =>
    engine.runSql(
      new URL(url).pathname.slice(1),
      "SELECT count(*) FROM pg_class WHERE relname = 'accounts'",
    );
  assert.deepEqual([accountsOf(target), accountsOf(elsewhere)], ["1", "0"]);
});
