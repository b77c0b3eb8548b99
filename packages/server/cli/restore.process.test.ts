import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  copyFileSync,
  cpSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { openSqliteStore } from "@stile/stores/sqlite/sqlite-store";
import { temporaryFolder } from "@stile/testkit/postgres/node-on-postgres";
import { runStile } from "@stile/testkit/service/run-command";
import { startService } from "@stile/testkit/service/service";

/** The folder and the backup of an installation; `before` changes the database first. */
async function installationWithBackup(before = (_file: string): void => {}) {
  const folder = join(temporaryFolder(), "data");
  const settings = { STILE_DATA_DIR: folder };
  const backup = join(temporaryFolder(), "backup");
  assert.equal((await runStile(["init", "--json"], settings)).code, 0);
  writeFileSync(join(folder, "master.key"), randomBytes(32).toString("base64"));
  before(join(folder, "stile.sqlite"));
  assert.equal((await runStile(["backup", backup], settings)).code, 0);
  return { folder, backup };
}

/** Tests that need no changes in the installation begin with a copy of this one. */
const made = await installationWithBackup();

/**
 * An installation with a backup, renamed after it. The rename is only in the log, as after a kill
 * of the server.
 */
async function installationWithLog({
  before = undefined as ((file: string) => void) | undefined,
} = {}) {
  const { folder: from, backup } =
    before === undefined ? made : await installationWithBackup(before);
  const folder = join(temporaryFolder(), "data");
  cpSync(from, folder, { recursive: true });
  const database = join(folder, "stile.sqlite");
  const later = new DatabaseSync(database);
  later.exec("UPDATE accounts SET name = 'later'");
  copyFileSync(`${database}-wal`, join(folder, "log"));
  later.close();
  renameSync(join(folder, "log"), `${database}-wal`);
  return {
    folder,
    database,
    restore: () => runStile(["restore", backup], { STILE_DATA_DIR: folder }),
  };
}

/** The first row of the query, after the change. */
function read(file: string, change: string, query: string) {
  const database = new DatabaseSync(file);
  database.exec(change);
  const row = database.prepare(query).get();
  database.close();
  return { ...row };
}

const nameOfAccount = (file: string): unknown => read(file, "", "SELECT name FROM accounts").name;

test("ignores a log whose database is gone, as after a restore that was killed half way (D16, operator)", async () => {
  const { folder, database, restore } = await installationWithLog();
  rmSync(database);
  const { code, stderr, stdout } = await restore();
  assert.equal(code, 0, stderr);
  assert.equal(nameOfAccount(database), "Default");
  const [aside] = readdirSync(folder).filter((name) => /before-restore-.*-wal$/.test(name));
  assert.ok(aside !== undefined && stdout.includes(aside), stdout);
});

test("leaves the demo off if its key file belongs to another first site, and doctor says why (D16, operator)", async () => {
  const { folder, restore } = await installationWithLog();
  assert.equal((await restore()).code, 0);
  const settings = { STILE_DATA_DIR: folder };
  const findings = async () =>
    JSON.parse((await runStile(["doctor", "--json"], settings)).stdout).findings;
  const ofDemo = ({ text }: { text: string }) =>
    /No site of this database has the keys in .*demo\.json/.test(text);
  assert.equal((await findings()).some(ofDemo), false);
  const elsewhere = join(temporaryFolder(), "data");
  await runStile(["init"], { STILE_DATA_DIR: elsewhere });
  copyFileSync(join(elsewhere, "demo.json"), join(folder, "demo.json"));
  assert.equal((await findings()).find(ofDemo)?.level, "warn");
  const { code, stdout } = await runStile(["init"], settings);
  assert.equal(code, 1);
  assert.doesNotMatch(stdout, /pk_|sk_/);
});

test("ends the sessions and links of the backup, since they may have been ended or used since (D16, operator)", async () => {
  const { database, restore } = await installationWithLog({
    before: (file) => {
      const insert = `INSERT INTO sessions (session_id, token_digest, user_id, created_at_ms, last_seen_at_ms, proven_at_ms, device)
        VALUES ('ses_1', 'digest', 'usr_1', 0, 0, 0, 'Stolen')`;
      assert.deepEqual(read(file, insert, "SELECT count(*) AS links FROM links"), { links: 1 });
    },
  });
  const { code, stdout } = await restore();
  assert.equal(code, 0);
  assert.match(stdout, /Everyone must sign in again, .* Secret keys that\nwere revoked since/);
  assert.match(stdout, /Secret keys, sites and members that were created since are gone/);
  const count =
    "SELECT (SELECT count(*) FROM sessions) AS sessions, (SELECT count(*) FROM links) AS links";
  assert.deepEqual(read(database, "", count), { sessions: 0, links: 0 });
});

test("resets times from a server whose clock was ahead, and doctor warns about them beforehand (D12, states; D16, operator)", async () => {
  const YEAR_MS = 365 * 86_400_000;
  const aheadMs = Date.now() + YEAR_MS;
  const { folder, database, restore } = await installationWithLog({
    before: (file) => {
      // The rows of a server that ran, and rotated a key, under a clock a year ahead.
      const change = `INSERT INTO generations (id, number, file_identity, boot_id, is_stopped, moves_to, seen_ms) VALUES (1, 1, '', '', 0, '', ${aheadMs});
        INSERT INTO sweep_horizons VALUES ('token_marks', ${aheadMs});
        INSERT INTO secret_keys (digest, site_key, position, last_four, created_at_ms, replaced_at_ms)
          SELECT 'replaced', site_key, 1, 'abcd', 0, ${aheadMs} FROM sites`;
      read(file, change, "SELECT 1");
    },
  });
  const settings = { STILE_DATA_DIR: folder };
  const findings = async () =>
    JSON.parse((await runStile(["doctor", "--json"], settings)).stdout).findings;
  const ofTime = ({ text }: { text: string }) => /ahead of this machine's clock/.test(text);
  const before = (await findings()).find(ofTime);
  assert.equal(before?.level, "warn");
  assert.match(before?.text, /is 365 days ahead .* half speed/);
  assert.match(before?.fix, /backup FILE.* restore FILE/);
  assert.equal((await restore()).code, 0);
  assert.equal((await findings()).some(ofTime), false);
  const times = `SELECT max((SELECT seen_ms FROM generations), (SELECT max(swept_until_ms) FROM sweep_horizons),
    (SELECT max(replaced_at_ms) FROM secret_keys)) AS newest,
    (SELECT count(*) FROM secret_keys WHERE replaced_at_ms IS NULL) AS living`;
  const { newest, living } = read(database, "", times);
  assert.ok(Number(newest) <= Date.now(), `${newest}`);
  assert.equal(living, 1);
});

test("names the problem with a refused file or key, and what to do (D16, operator)", async () => {
  const folder = join(temporaryFolder(), "data");
  const settings = { STILE_DATA_DIR: folder };
  assert.equal((await runStile(["init", "--json"], settings)).code, 0);
  writeFileSync(join(folder, "master.key"), randomBytes(32).toString("base64"));
  const service = await startService({ STILE_LOG_LEVEL: "silent" });
  await service.stop();
  const whole = join(temporaryFolder(), "whole");
  assert.equal(
    (await runStile(["backup", whole], { STILE_DATA_DIR: service.dataDirectory })).code,
    0,
  );
  await service.dispose();
  const bytes = readFileSync(whole);
  const fileOf = (name: string, content: Uint8Array | string): string => {
    const file = join(temporaryFolder(), name);
    writeFileSync(file, content);
    return file;
  };
  const newer = fileOf("newer", bytes);
  read(newer, "INSERT INTO migrations VALUES (9999)", "SELECT 1");
  for (const [file, environment, told] of [
    [
      fileOf("torn", bytes.subarray(0, 100_000)),
      {},
      /torn can't be restored: .+\. It is incomplete or not a backup/,
    ],
    [
      fileOf("dump", "PGDMP and more"),
      {},
      /dump is a backup of PostgreSQL\. Set STILE_DATABASE_URL /,
    ],
    [
      whole,
      { STILE_DATABASE_URL: "postgres://nobody@127.0.0.1:1/none" },
      /whole is a backup of SQLite\. Restore it without /,
    ],
    [
      newer,
      {},
      /newer was made with a newer version of Stile \(.*9999.*\)\. Restore it with that version or a later one/,
    ],
    [
      whole,
      {},
      /does not open the keys in \S+whole\. Put the key that was kept with this backup at \S+master\.key, or set /,
    ],
    [
      whole,
      { STILE_MASTER_KEY: randomBytes(32).toString("base64") },
      /does not open the keys in \S+whole\. Put the key that was kept with this backup into STILE_MASTER_KEY, and run this again/,
    ],
  ] as const) {
    const { code, stdout, stderr } = await runStile(["restore", file], {
      ...settings,
      ...environment,
    });
    assert.deepEqual([code, stdout], [1, ""]);
    assert.match(stderr, /^stile: [^\n]+\n$/);
    assert.match(stderr, told);
  }
});

test("refuses a directory, a pipe or an unreadable file at once, and says what to check (D16, operator)", async () => {
  const folder = temporaryFolder();
  const pipe = join(folder, "pipe");
  execFileSync("mkfifo", [pipe]);
  const settings = { STILE_DATA_DIR: join(temporaryFolder(), "data") };
  for (const [file, told] of [
    [
      "/proc/self/mem",
      "can't be read (disk I/O error). Check that it is a file that this user may read, and the disk.",
    ],
    [folder, "is a directory. Name the file that backup wrote."],
    [pipe, "is not a file but a pipe or a device. Name the file that backup wrote, unpacked."],
  ] as const) {
    for (const engine of [{}, { STILE_DATABASE_URL: "postgres://nobody@127.0.0.1:1/none" }]) {
      if (file.startsWith("/proc") && "STILE_DATABASE_URL" in engine) continue;
      const { code, stdout, stderr } = await runStile(["restore", file], {
        ...settings,
        ...engine,
      });
      assert.deepEqual([code, stdout, stderr], [1, "", `stile: ${file} ${told}\n`]);
    }
  }
});

test("refuses an interrupted restore's draft, keeps it, and leaves the database unchanged (D16, operator)", async () => {
  const { folder, database } = await installationWithLog();
  const draft = `${database}.restoring`;
  copyFileSync(made.backup, draft);
  const { code, stdout, stderr } = await runStile(["restore", draft], { STILE_DATA_DIR: folder });
  assert.deepEqual([code, stdout], [1, ""]);
  assert.equal(
    stderr,
    `stile: ${draft} is left over from an interrupted restore. Name the file that backup wrote.\n`,
  );
  assert.deepEqual(readFileSync(draft), readFileSync(made.backup));
  assert.equal(nameOfAccount(database), "later");
});

test("refuses at once while a command works on the database, and leaves it unchanged (D16, operator)", async () => {
  const { database, restore } = await installationWithLog();
  const command = await openSqliteStore({ file: database });
  const refused = await restore();
  assert.equal(refused.code, 1);
  assert.match(
    refused.stderr,
    /^stile: Another command is using .*\. Wait until it has ended, and run this again\.\n$/,
  );
  assert.equal(nameOfAccount(database), "later");
  await command.close();
  assert.equal((await restore()).code, 0);
  assert.equal(nameOfAccount(database), "Default");
});

for (const text of ["", "no database"]) {
  test(`keeps ${text || "nothing"} that stood at the database's path, together with its log (D16, operator)`, async () => {
    const { folder, database, restore } = await installationWithLog();
    const log = readFileSync(`${database}-wal`);
    writeFileSync(database, text);
    const { code, stderr } = await restore();
    assert.equal(code, 0, stderr);
    assert.equal(nameOfAccount(database), "Default");
    const [aside = ""] = readdirSync(folder).filter((name) => /before-restore-[^w]*Z$/.test(name));
    assert.equal(readFileSync(join(folder, aside), "utf8"), text);
    assert.deepEqual(readFileSync(join(folder, `${aside}-wal`)), log);
  });
}

test("keeps the replaced database together with its log (D16, operator)", async () => {
  const { folder, database, restore } = await installationWithLog();
  const { code, stderr } = await restore();
  assert.equal(code, 0, stderr);
  assert.equal(nameOfAccount(database), "Default");
  const [aside = ""] = readdirSync(folder).filter((name) => /before-restore-[^w]*Z$/.test(name));
  assert.equal(nameOfAccount(join(folder, aside)), "later");
});
