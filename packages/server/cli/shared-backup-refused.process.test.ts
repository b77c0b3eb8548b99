import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { after, test } from "node:test";
import { findPostgresPrograms } from "@stile/stores/postgres/archive/postgres-programs";
import { temporaryFolder } from "@stile/testkit/postgres/node-on-postgres";
import { postgresProgram, startPostgres } from "@stile/testkit/postgres/throw-away-postgres";
import { runStile } from "@stile/testkit/service/run-command";

const engine = await startPostgres({ isDurable: false });
after(engine.stop);

const { pgDump, pgRestore, psql } = findPostgresPrograms(1, dirname(postgresProgram().file));

const settingsOf = (STILE_DATABASE_URL: string) => ({
  PATH: [dirname(pgDump), process.env.PATH].join(delimiter),
  STILE_DATABASE_URL,
  STILE_DATA_DIR: temporaryFolder(),
});

async function installation(name: string) {
  const settings = settingsOf(engine.createDatabase(name));
  assert.equal((await runStile(["init", "--json"], settings)).code, 0);
  return settings;
}

test("treats empty tables, as a refused start leaves them, as no installation (D16, operator)", async () => {
  const without = settingsOf(engine.createDatabase("without"));
  writeFileSync(
    join(without.STILE_DATA_DIR, "demo.json"),
    '{"site_key":"pk_x","secret_key":"sk_x"}',
  );
  const refused = await runStile(["init"], without);
  assert.match(
    refused.stderr,
    /^stile: The database of STILE_DATABASE_URL is empty, but \S+demo\.json belongs to an inst/,
  );
  const empty = join(temporaryFolder(), "empty");
  const written = await runStile(["backup", empty], without);
  assert.deepEqual([written.code, written.stdout, existsSync(empty)], [1, "", false]);
  assert.match(written.stderr, /^stile: There is no installation in the database/);

  // As an earlier version wrote it, which did not check for an installation.
  execFileSync(pgDump, ["--format=custom", `--file=${empty}`, without.STILE_DATABASE_URL]);
  const whole = await installation("whole");
  const replaced = await runStile(["restore", empty, "--replace"], whole);
  assert.deepEqual([replaced.code, replaced.stdout], [1, ""]);
  assert.equal(
    replaced.stderr,
    `stile: ${empty} can't be restored: there is no installation in it.\n`,
  );
  assert.equal(engine.runSql("whole", "SELECT count(*) FROM accounts"), "1");

  const file = join(temporaryFolder(), "file");
  assert.equal((await runStile(["backup", file], whole)).code, 0);
  writeFileSync(join(whole.STILE_DATA_DIR, "master.key"), Buffer.alloc(32, 7).toString("base64"));
  const restored = await runStile(["restore", file], {
    ...whole,
    STILE_DATABASE_URL: without.STILE_DATABASE_URL,
  });
  assert.deepEqual([restored.code, restored.stderr], [0, ""]);
  assert.equal(engine.runSql("without", "SELECT count(*) FROM accounts"), "1");
});

test("overwrites no file that appeared while the backup was made (D16, operator)", async () => {
  const settings = await installation("meanwhile");
  const file = join(temporaryFolder(), "file");
  const folder = temporaryFolder();
  const script = `#!/bin/sh\necho theirs >'${file}'\nexec '${pgDump}' "$@"\n`;
  writeFileSync(join(folder, "pg_dump"), script, { mode: 0o755 });
  symlinkSync(pgRestore, join(folder, "pg_restore"));
  symlinkSync(psql, join(folder, "psql"));
  const PATH = [folder, settings.PATH].join(delimiter);
  const { code, stderr } = await runStile(["backup", file], { ...settings, PATH });
  assert.deepEqual(
    [code, stderr],
    [1, `stile: ${file} was created in the meantime. Name a new file.\n`],
  );
  assert.deepEqual(
    [readFileSync(file, "utf8"), readdirSync(dirname(file))],
    ["theirs\n", ["file"]],
  );
});

test("refuses to back up the remains of an installation that was moved to PostgreSQL (D16, operator)", async () => {
  const { STILE_DATA_DIR, PATH } = settingsOf("");
  assert.equal((await runStile(["init"], { STILE_DATA_DIR })).code, 0);
  const shared = { STILE_DATA_DIR, PATH, STILE_DATABASE_URL: engine.createDatabase("moved") };
  assert.equal((await runStile(["move"], shared)).code, 0);
  const file = join(temporaryFolder(), "file");
  const { code, stdout, stderr } = await runStile(["backup", file], { STILE_DATA_DIR });
  assert.deepEqual([code, stdout, existsSync(file)], [1, "", false]);
  assert.match(
    stderr,
    /^stile: The installation of \S+ was moved to PostgreSQL\. Set STILE_DATABASE_URL to where it was moved;/,
  );
  assert.equal((await runStile(["backup", file], shared)).code, 0);
});

test("names the folder and the setting if a backup can't write its temporary file (D16, operator)", async () => {
  const settings = { ...(await installation("aside")), TMPDIR: "/proc/none" };
  const { code, stderr } = await runStile(["backup", join(temporaryFolder(), "file")], settings);
  assert.equal(code, 1);
  assert.match(
    stderr,
    /^stile: \/proc\/none\/stile-\S+ can't be used \(nothing can be made there\)\. .* set TMPDIR to another/,
  );
});
