import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type TestContext, test } from "node:test";
import { migrate } from "@stile/stores/sqlite/engine/migrate";
import { MIGRATIONS } from "@stile/stores/sqlite/schema/sqlite-schema";
import { UPGRADING_COMMAND_LINE, UPGRADING_SERVICE } from "@stile/testkit/service/programs";
import { runServer, runStile } from "@stile/testkit/service/run-command";
import { startService } from "@stile/testkit/service/service";
import { mountSmallDisk } from "@stile/testkit/service/small-disk";

const OLD_STEPS = MIGRATIONS.length;
const COPY = `stile.sqlite.before-upgrade-000${OLD_STEPS + 1}`;
const MARKS = 30_000;
const DISK_BYTES = 8 << 20;
const ROOM_BYTES = 1.25 * (1 << 20);

/** Makes the directory of an older version: an account, and marks that make it about 2 MB. */
function makeOld(path: string): void {
  const database = new DatabaseSync(join(path, "stile.sqlite"));
  migrate(database);
  database.exec(
    "INSERT INTO accounts (account_id, name, created_at_ms) VALUES ('acc_1', 'Old', 7)",
  );
  database.exec(
    `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${MARKS})
      INSERT INTO challenge_marks (keep_until_ms, id) SELECT 1, randomblob(48) FROM n`,
  );
  database.close();
}

function makeFolder(context: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), "stile-upgrade-"));
  context.after(() => rmSync(path, { recursive: true, force: true }));
  makeOld(path);
  return path;
}

function marksIn(file: string): unknown {
  const database = new DatabaseSync(file, { readOnly: true });
  const row = database.prepare("SELECT count(*) AS marks FROM challenge_marks").get();
  database.close();
  return row?.marks;
}

test("a start on an older version's database first copies it, readable by its owner alone, and logs the path (D16, operator)", async (context) => {
  const path = makeFolder(context);
  const doctor = await runStile(["doctor"], { STILE_DATA_DIR: path }, UPGRADING_COMMAND_LINE);
  assert.match(
    doctor.stdout,
    /warn {2}The database was written by an older version.*next start upgrades it/,
  );
  assert.ok(!readdirSync(path).includes(COPY), "a command that only reads upgrades nothing");
  const service = await startService(
    { STILE_LOG_LEVEL: "warn", STILE_DATA_DIR: path },
    UPGRADING_SERVICE,
  );
  try {
    const told = service
      .log()
      .split("\n")
      .find((line) => line.includes("was upgraded"));
    assert.equal(JSON.parse(told ?? "{}").copy, join(path, COPY));
    assert.equal((statSync(join(path, COPY)).mode & 0o777).toString(8), "600");
    assert.equal(marksIn(join(path, COPY)), MARKS);
    const upgraded = service.log();
    await service.stop();
    await service.restart();
    assert.doesNotMatch(service.log().slice(upgraded.length), /was upgraded/, "once");
  } finally {
    await service.dispose();
  }
  const restored = await runStile(["restore", join(path, COPY)], { STILE_DATA_DIR: path });
  assert.equal(restored.code, 0, restored.stderr);
  assert.equal(marksIn(join(path, "stile.sqlite")), MARKS, "the copy is a backup like any other");
});

test("a start on a later version's database names the copy that the upgrade left (D16, operator)", async (context) => {
  const path = makeFolder(context);
  const database = new DatabaseSync(join(path, "stile.sqlite"));
  const known = MIGRATIONS.length;
  database.exec(`INSERT INTO migrations (number) VALUES (${known + 1}), (${known + 2})`);
  database.close();
  const copyOf = (step: number) =>
    join(path, `stile.sqlite.before-upgrade-${String(step).padStart(4, "0")}`);
  const start = () => runServer({ STILE_DATA_DIR: path, STILE_PORT: "0" });
  writeFileSync(copyOf(known + 2), "");
  const without = await start();
  assert.match(
    without.stderr,
    /^stile: The database was written by a newer version .* a backup made with this one\.\n$/,
  );
  for (const step of [known, known + 1]) writeFileSync(copyOf(step), "");
  const { code, stderr } = await start();
  assert.equal(code, 1);
  assert.ok(
    stderr.endsWith(
      ` Such a one is from before the upgrade: npm run stile -- restore ${copyOf(known + 1)}\n`,
    ),
    stderr,
  );
});

test("a command that upgrades also copies first, and says where", async (context) => {
  const path = makeFolder(context);
  const { code, stderr } = await runStile(
    ["reset-link"],
    { STILE_DATA_DIR: path },
    UPGRADING_COMMAND_LINE,
  );
  assert.equal(code, 0, stderr);
  assert.ok(stderr.includes(`a copy from before the upgrade is in ${join(path, COPY)}\n`), stderr);
  assert.equal(marksIn(join(path, COPY)), MARKS);
});

test("a disk without room for the copy refuses to upgrade in one line, and the database stays unchanged", async (context) => {
  const disk = mountSmallDisk(DISK_BYTES);
  if (typeof disk === "string") {
    context.skip(disk);
    return;
  }
  try {
    makeOld(disk.path);
    disk.fill(ROOM_BYTES);
    const database = join(disk.path, "stile.sqlite");
    const was = readFileSync(database);
    assert.ok(was.length > ROOM_BYTES);
    const settings = { STILE_DATA_DIR: disk.path, STILE_PORT: "0" };
    for (const run of [
      () => runServer(settings, [], UPGRADING_SERVICE),
      () => runStile(["init"], settings, UPGRADING_COMMAND_LINE),
    ]) {
      const { code, stderr } = await run();
      assert.equal(code, 1);
      assert.match(
        stderr,
        /^stile: This version of Stile must upgrade [^\n]*full[^\n]*Nothing was changed\.\n$/,
      );
      assert.deepEqual(readFileSync(database), was);
      const drafts: string[] = readdirSync(disk.path).filter((name) =>
        name.includes("before-upgrade"),
      );
      assert.deepEqual(drafts, []);
    }
    disk.free();
    const quiet = { STILE_LOG_LEVEL: "silent", STILE_DATA_DIR: disk.path };
    await (await startService(quiet, UPGRADING_SERVICE)).dispose();
    assert.ok(readdirSync(disk.path).includes(COPY));
  } finally {
    disk.remove();
  }
});
