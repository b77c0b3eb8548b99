import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { chmodSync } from "node:fs";
import { after, test } from "node:test";
import type { Finding } from "@stile/protocol/dashboard-api";
import { startListeningNode, temporaryFolder } from "@stile/testkit/postgres/node-on-postgres";
import { startPostgres } from "@stile/testkit/postgres/throw-away-postgres";
import { UPGRADING_COMMAND_LINE } from "@stile/testkit/service/programs";
import { runStile } from "@stile/testkit/service/run-command";

const engine = await startPostgres({ isDurable: true });
after(engine.stop);
let made = 0;

function newSettings() {
  made += 1;
  return {
    STILE_DATABASE_URL: engine.createDatabase(`doctor_${made}`),
    STILE_DATA_DIR: temporaryFolder(),
    STILE_MASTER_KEY: randomBytes(32).toString("base64"),
    STILE_DEMO: "off",
  };
}

const sql = (text: string): string => engine.runSql(`doctor_${made}`, text);

type Told = {
  readonly code: number | null;
  readonly findings: readonly Finding[];
  readonly failures: number;
};

async function doctor(
  settings: Record<string, string>,
  program?: readonly string[],
): Promise<Told> {
  const { code, stdout, stderr } = await runStile(["doctor", "--json"], settings, program);
  assert.equal(stderr, "");
  assert.doesNotMatch(stdout, /throw-away/);
  return { code, ...(JSON.parse(stdout) as Omit<Told, "code">) };
}

const find = ({ findings }: Told, pattern: RegExp): Finding =>
  findings.find(({ text }) => pattern.test(text)) ??
  assert.fail(`${pattern} in ${JSON.stringify(findings)}`);

test("reports only ok for a sound database, and creates no table in an empty one (D16, operator)", async (context) => {
  const settings = newSettings();
  const empty = await doctor(settings);
  assert.deepEqual([empty.code, empty.failures], [0, 0]);
  find(empty, /^There are no tables yet/);
  assert.equal(
    sql("SELECT count(*) FROM pg_class WHERE relnamespace = 'public'::REGNAMESPACE"),
    "0",
  );

  await startListeningNode(context, settings);
  const told = await doctor(settings);
  assert.deepEqual([told.code, told.findings.filter(({ level }) => level !== "ok")], [0, []]);
  assert.match(
    find(told, /^Store PostgreSQL/).text,
    /durability strict \(fsync=on, full_page_writes=on, synchronous_commit=on, /,
  );
  for (const expected of [
    /^The tables match this version \(step \d+\)$/,
    /^The clocks of this machine and of the database agree$/,
    /^No standby confirms what is committed/,
    /^1 account, 1 site$/,
    /^The master key comes from STILE_MASTER_KEY$/,
    /^A server is running on this data directory, at http/,
  ]) {
    assert.equal(find(told, expected).level, "ok");
  }
  const { code, stdout } = await runStile(["doctor"], settings);
  assert.equal(code, 0);
  assert.match(stdout, /^ok {4}Node .*\nok {4}A server is running .*\n\nNo errors\.\n$/s);
});

test("reports a failure and the fix for an empty database in which no start could create tables (D16, operator)", async () => {
  const settings = newSettings();
  engine.runSql(
    "postgres",
    "CREATE DATABASE ascii TEMPLATE template0 ENCODING 'SQL_ASCII' LC_COLLATE 'C' LC_CTYPE 'C'",
  );
  engine.runSql("postgres", "CREATE ROLE guest LOGIN PASSWORD 'guest'");
  const change = (part: (url: URL) => void): Record<string, string> => {
    const url = new URL(settings.STILE_DATABASE_URL);
    part(url);
    return { ...settings, STILE_DATABASE_URL: url.href };
  };
  const ascii = await doctor(change((url) => Object.assign(url, { pathname: "/ascii" })));
  assert.equal(ascii.code, 1);
  assert.equal(
    find(ascii, /^The database is encoded in SQL_ASCII, .* createdb -T template0 -E UTF8/).level,
    "fail",
  );
  const guest = await doctor(
    change((url) => Object.assign(url, { username: "guest", password: "guest" })),
  );
  assert.equal(guest.code, 1);
  assert.equal(find(guest, /^The user "guest" may not make tables .* GRANT CREATE/).level, "fail");
});

test("reports a failure and the fix for a database that lost a table (D16, operator)", async (context) => {
  const settings = newSettings();
  await startListeningNode(context, settings);
  sql("ALTER TABLE nodes RENAME TO elsewhere");
  const told = await doctor(settings);
  sql("ALTER TABLE elsewhere RENAME TO nodes");
  assert.equal(told.code, 1);
  const { level, fix } = find(told, /lacks the table nodes, which it had\.$/);
  assert.equal(level, "fail");
  assert.match(fix ?? "", /^Stop every node, .* restore FILE --replace$/);
});

test("warns about settings that make an engine forget, with the command that fixes each at its source (D16, operator)", async () => {
  for (const [set, fix] of [
    [
      "ALTER DATABASE doctor_N SET synchronous_commit = off",
      /psql -c 'ALTER DATABASE "doctor_\d+" RESET synchronous_commit'$/,
    ],
    [
      "ALTER ROLE stile IN DATABASE doctor_N SET synchronous_commit = off",
      /psql -c 'ALTER ROLE "stile" IN DATABASE "doctor_\d+" RESET sync/,
    ],
  ] as const) {
    const settings = newSettings();
    sql(set.replace("_N", `_${made}`));
    const told = await doctor(settings);
    assert.equal(told.code, 0);
    assert.match(find(told, /^Store PostgreSQL/).text, /durability crash-safe/);
    const { level, fix: given } = find(
      told,
      /^synchronous_commit is off: .* a token spent in them counts again\.$/,
    );
    assert.equal(level, "warn");
    assert.match(given ?? "", fix);
    // The command in the finding fixes the setting.
    sql(/'(.*)'/.exec(given ?? "")?.[1] ?? "");
    assert.match(find(await doctor(settings), /^Store PostgreSQL/).text, /durability strict/);
  }
});

test("warns about older tables, fails on newer ones unless the version runs on them, and changes neither (D16, operator)", async (context) => {
  const settings = newSettings();
  await (await startListeningNode(context, settings)).service.stop();
  const step = sql("SELECT max(number) FROM migrations");
  const older = await doctor(settings, UPGRADING_COMMAND_LINE);
  assert.equal(older.code, 0);
  assert.match(
    find(older, /^The tables are at step/).fix ?? "",
    /upgrades them\. Before that, run: npm run stile -- backup FILE/,
  );
  assert.equal(sql("SELECT max(number) FROM migrations"), step);
  sql(`INSERT INTO migrations VALUES (98, ${step})`);
  const runs = await doctor(settings);
  assert.equal(runs.code, 0);
  assert.match(
    find(runs, /^The tables are at step 98, .* It runs on them\.$/).fix ?? "",
    /^Continue the upgrade/,
  );
  sql("INSERT INTO migrations (number) VALUES (99)");
  const newer = await doctor(settings);
  assert.deepEqual([newer.code, newer.failures], [1, 1]);
  assert.match(
    find(newer, /^The tables are at step 99/).fix ?? "",
    /^Run the version that wrote them/,
  );
});

test("reports clocks that differ: this machine's from the database's, and nodes' from one another's (D16, operator)", async (context) => {
  const shifted = newSettings();
  sql(`CREATE SCHEMA shifted;
    CREATE FUNCTION shifted.clock_timestamp() RETURNS TIMESTAMPTZ LANGUAGE sql AS 'SELECT pg_catalog.clock_timestamp() + interval ''1 minute''';
    ALTER DATABASE doctor_${made} SET search_path = shifted, pg_catalog, public`);
  const told = await doctor(shifted);
  assert.match(
    find(told, /^This machine's clock is (59|60)\.\d s behind the database's\.$/).fix ?? "",
    /timedatectl/,
  );

  const settings = newSettings();
  await startListeningNode(context, settings);
  sql(
    `INSERT INTO nodes SELECT 'other', 1, at_ms, ahead_ms - 7000, pg_current_xact_id()::xid::text FROM nodes`,
  );
  assert.equal(
    find(
      await doctor(settings),
      /^The clocks of the 2 nodes of the last 2 minutes are up to 7\.\d s apart\.$/,
    ).level,
    "warn",
  );
});

test("reports the fix for an unreachable database, a different master key and an open folder (D16, operator)", async (context) => {
  const settings = newSettings();
  await startListeningNode(context, settings);
  const gone = await doctor({ ...settings, STILE_DATABASE_URL: engine.urlOf("nothing") });
  assert.equal(gone.code, 1);
  assert.match(find(gone, /has no database "nothing"/).text, /make it with: createdb/);
  const other = await doctor({ ...settings, STILE_MASTER_KEY: randomBytes(32).toString("base64") });
  assert.equal(other.code, 1);
  assert.equal(find(other, /^The master key does not open the keys/).level, "fail");
  find(other, /^Store PostgreSQL/);
  chmodSync(settings.STILE_DATA_DIR, 0o755);
  const open = find(await doctor(settings), /can be read by others\.$/);
  assert.deepEqual(
    [open.level, open.fix],
    ["warn", `Run: chmod go-rwx "${settings.STILE_DATA_DIR}"`],
  );
});
