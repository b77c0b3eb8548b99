import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import type { Finding } from "@stile/protocol/dashboard-api";
import { temporaryFolder } from "@stile/testkit/postgres/node-on-postgres";
import { startPostgres } from "@stile/testkit/postgres/throw-away-postgres";
import { runStile } from "@stile/testkit/service/run-command";

// The named standbys do not exist. Commits wait for none of them, because the engine only waits for
// its own disk.
const engine = await startPostgres({
  isDurable: false,
  settings: ["synchronous_commit=local", "synchronous_standby_names=elsewhere"],
});
after(engine.stop);

async function doctor(STILE_DATABASE_URL: string): Promise<readonly Finding[]> {
  const settings = {
    STILE_DATABASE_URL,
    STILE_DATA_DIR: temporaryFolder(),
    STILE_MASTER_KEY: randomBytes(32).toString("base64"),
    STILE_DEMO: "off",
  };
  const { stdout } = await runStile(["doctor", "--json"], settings);
  return (JSON.parse(stdout) as { readonly findings: readonly Finding[] }).findings;
}

const find = (findings: readonly Finding[], pattern: RegExp): Finding =>
  findings.find(({ text }) => pattern.test(text)) ??
  assert.fail(`${pattern} in ${JSON.stringify(findings)}`);

test("reports an engine that does not wait for its disk as best-effort, and the source of each setting (D16, operator)", async () => {
  const told = await doctor(engine.createDatabase("best_effort"));
  const store = find(
    told,
    /^Store PostgreSQL .*, durability best-effort \(fsync=off, full_page_writes=off, /,
  );
  assert.equal(store.level, "warn");
  for (const name of ["fsync", "full_page_writes"]) {
    const { level, fix } = find(
      told,
      new RegExp(`^${name} is off: a machine that loses its power `),
    );
    assert.deepEqual(
      [level, fix],
      ["warn", `Take ${name} off the command line that starts PostgreSQL, and restart it.`],
    );
  }
});

test("reports standbys that no commit waits for, and the setting that would wait for them (D16, operator)", async () => {
  const told = await doctor(engine.createDatabase("standbys"));
  const { level, fix } = find(
    told,
    /^Standbys are named \(elsewhere\), but synchronous_commit is local .* may lack what was spent\.$/,
  );
  assert.deepEqual(
    [level, fix],
    [
      "warn",
      "Take synchronous_commit off the command line that starts PostgreSQL, and restart it.",
    ],
  );
  assert.equal(
    told.some(({ text }) => text.startsWith("No standby confirms")),
    false,
  );
});

test("reports a standby that only confirms to memory, and an absent one that commits wait for (D16, operator)", async () => {
  const [memory, away] = [engine.createDatabase("memory"), engine.createDatabase("away")];
  engine.runSql("postgres", "ALTER DATABASE memory SET synchronous_commit = remote_write");
  engine.runSql("postgres", "ALTER DATABASE away SET synchronous_commit = on");
  const { level, fix } = find(
    await doctor(memory),
    /^Standbys are named .* is remote_write and waits for their memory /,
  );
  assert.equal(level, "warn");
  assert.match(fix ?? "", /ALTER DATABASE "memory" RESET synchronous_commit/);
  const told = find(
    await doctor(away),
    /^Every commit waits for a standby \(elsewhere\), and none is connected: /,
  );
  assert.deepEqual(
    [told.level, /ALTER SYSTEM SET synchronous_standby_names = ''/.test(told.fix ?? "")],
    ["warn", true],
  );
});

test("reports each of several servers once (D16, operator)", async () => {
  const { port } = engine;
  const url = engine.createDatabase("several");
  const named = (hosts: string) =>
    `${url.replace(`127.0.0.1:${port}`, hosts)}?target_session_attrs=read-write`;
  const told = await doctor(named(`127.0.0.1:1,127.0.0.1:${port},localhost:${port}`));
  assert.equal(find(told, /^PostgreSQL at 127\.0\.0\.1:1, .* can't be reached/).level, "warn");
  for (const host of ["127.0.0.1", "localhost"])
    find(told, new RegExp(`^PostgreSQL at ${host}:${port} is the primary$`));
  find(
    await doctor(named("127.0.0.1:1,127.0.0.1:2")),
    /^PostgreSQL at 127\.0\.0\.1:1 or 127\.0\.0\.1:2 can't be reached/,
  );
});

test("says to fix a setting in the address or in the role, wherever it is turned off (D16, operator)", async () => {
  const url = engine.createDatabase("by_client");
  const byAddress = find(
    await doctor(`${url}?options=-c%20synchronous_commit%3Doff`),
    /^synchronous_commit is off: /,
  );
  assert.equal(
    byAddress.fix,
    "Take synchronous_commit out of STILE_DATABASE_URL (or PGOPTIONS), and restart the nodes.",
  );
  engine.runSql("postgres", "ALTER ROLE stile SET synchronous_commit = off");
  const { fix = "" } = find(await doctor(url), /^synchronous_commit is off: /);
  assert.equal(
    fix,
    `Run as a superuser, and restart the nodes: psql -c 'ALTER ROLE "stile" RESET synchronous_commit'`,
  );
  engine.runSql("postgres", /'(.*)'/.exec(fix)?.[1] ?? "");
  assert.equal(
    (await doctor(url)).some(({ text }) => text.startsWith("synchronous_commit is off")),
    false,
  );
});

test("reports a node's key that others may read, with the command to run (D16, operator)", async () => {
  const key = join(temporaryFolder(), "node.key");
  writeFileSync(key, "a key");
  chmodSync(key, 0o644);
  const url = `${engine.urlOf("postgres")}?sslmode=verify-full&sslcert=${key}&sslkey=${key}`;
  const open = find(await doctor(url), /node\.key can be read by others\.$/);
  assert.deepEqual([open.level, open.fix], ["warn", `Run: chmod go-rwx "${key}"`]);
  chmodSync(key, 0o600);
  assert.equal(find(await doctor(url), /node\.key is readable by its owner only$/).level, "ok");
});
