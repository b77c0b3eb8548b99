import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { Agent } from "node:http";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, type TestContext, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { mintToken } from "@stile/testkit/minting/mint-tokens";
import { startTcpProxy, type TcpProxy } from "@stile/testkit/postgres/tcp-proxy";
import { startPostgres } from "@stile/testkit/postgres/throw-away-postgres";
import { runStile, startStile } from "@stile/testkit/service/run-command";
import { type RunningService, startService } from "@stile/testkit/service/service";
import { openServiceCryptography } from "@stile/testkit/service/service-cryptography";
import { type HeardOutcome, redeemOnce } from "@stile/testkit/torture/redeem-call";
import { assertSameRows, withClient } from "../contract/same-rows.ts";
import { MIGRATION_LOCK } from "../postgres/engine/migrate-postgres.ts";

const engine = await startPostgres({ isDurable: false });
after(engine.stop);
let made = 0;
const newDatabase = (): string => engine.createDatabase(`beside_${++made}`);
const settings = { STILE_LIMIT_VERIFY: "10000000", STILE_LOG_LEVEL: "silent" };

/** A service on SQLite in its own process, and the calls that a customer of its demo site makes. */
async function runningInstallation(context: TestContext) {
  const service = await startService(settings);
  context.after(service.dispose);
  const cryptography = await openServiceCryptography(service.dataDirectory, "", undefined);
  const agent = new Agent({ keepAlive: true });
  context.after(() => agent.destroy());
  const redeemAt = async (
    { baseUrl }: Pick<RunningService, "baseUrl">,
    token: string,
  ): Promise<HeardOutcome> =>
    (await redeemOnce(baseUrl, service.secretKey, agent, { token })).outcome;
  return {
    service,
    file: join(service.dataDirectory, "stile.sqlite"),
    environment: { ...settings, STILE_DATA_DIR: service.dataDirectory },
    mint: (count: number) =>
      Array.from({ length: count }, () => mintToken(cryptography, service.siteKey, {})),
    redeemAt,
    redeemAll: (tokens: readonly string[]) =>
      Promise.all(tokens.map((token) => redeemAt(service, token))),
    /** Stops the service and starts it again on PostgreSQL. */
    startOn: async (url: string): Promise<RunningService> => {
      assert.equal(await service.stop(), 0);
      assert.match(
        service.log(),
        /^stile: Stopped\. The installation was moved to PostgreSQL: start [^\n]+\n$/,
      );
      const node = await startService({
        ...settings,
        STILE_DATA_DIR: service.dataDirectory,
        STILE_DATABASE_URL: url,
      });
      context.after(node.dispose);
      return node;
    },
  };
}

function change(file: string, sql: string): void {
  const database = new DatabaseSync(file, { timeout: 5000 });
  database.exec(sql);
  database.close();
}

async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await delay(5);
}

/** Holds up a move to that database, after it has its snapshot, until `work` is done. */
async function whileHeldBack(url: string, work: () => Promise<void>): Promise<void> {
  const waiting = `SELECT FROM pg_locks JOIN pg_database d ON d.oid = database AND d.datname = current_database()
    WHERE locktype = 'advisory' AND NOT granted`;
  await withClient(url, async (client) => {
    await client.query("SELECT pg_advisory_lock($1)", [MIGRATION_LOCK]);
    await until(async () => ((await client.query(waiting)).rowCount ?? 0) > 0);
    await work();
  });
}

/** Inserts rows numbered 1 to 2500, more than one batch has. */
const insertMany = (into: string): string =>
  `WITH RECURSIVE n (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < 2500) INSERT INTO ${into} FROM n;`;
const LARGE_ROWS = [
  "statistics SELECT 'pk_old', 'day', 'outcome', 86400000 * value, 'n', value",
  "decisions SELECT 'pk_old', 'd' || value, 'r', 'allow', NULL, '{}'",
  "challenge_marks SELECT 4000000000000 + value, CAST(value AS BLOB)",
]
  .map(insertMany)
  .join("");
const CHANGES = `
  UPDATE statistics SET count = count + 1 WHERE site_key = 'pk_old' AND count % 7 = 0;
  DELETE FROM statistics WHERE site_key = 'pk_old' AND count % 5 = 0;
  INSERT INTO statistics VALUES ('pk_new', 'day', 'outcome', 86400000, 'n', 1);
  UPDATE decisions SET label = 'bot' WHERE decision_id = 'd17';
  DELETE FROM decisions WHERE decision_id = 'd18';
  DELETE FROM challenge_marks WHERE keep_until_ms < 4000000001000;
  INSERT INTO challenge_marks VALUES (4100000000000, x'00');
  INSERT INTO audit_entries (account_id, at_ms, actor_name, action, subject, changes) VALUES ('a', 1, 'b', 'c', 'd', '[]');
  UPDATE sites SET name = 'Renamed' WHERE name = 'Demo';
`;

test("moves a running service with everything that it did meanwhile, and then lets it write nothing more (D3, single use; D16, operator)", async (context) => {
  const { service, file, environment, mint, redeemAt, redeemAll, startOn } =
    await runningInstallation(context);
  change(file, LARGE_ROWS);
  const [before, meanwhile, later] = [mint(3), mint(3), mint(3)];
  assert.deepEqual(await redeemAll(before), ["verified", "verified", "verified"]);
  const url = newDatabase();
  const moving = runStile(["move"], { ...environment, STILE_DATABASE_URL: url });
  await whileHeldBack(url, async () => {
    assert.deepEqual(await redeemAll(meanwhile), ["verified", "verified", "verified"]);
    change(file, CHANGES);
  });
  const moved = await moving;
  assert.deepEqual([moved.code, moved.stderr], [0, ""]);
  assert.match(
    moved.stdout,
    /redeemed tokens until \d+ ms before the end\. It answers 503 .*\nSet STILE_DATABASE_URL .* restart the service/,
  );
  const counts = await assertSameRows(file, url);
  assert.equal(counts.get("token_marks"), 6);
  assert.equal(existsSync(`${file}.moving`), false);

  assert.deepEqual(await redeemAll([...later, ...before]), Array(6).fill("unavailable"));
  const ready = await fetch(`${service.baseUrl}/readyz`);
  assert.equal(ready.status, 503);
  assert.match(await ready.text(), /moved to PostgreSQL/);
  const refused = await fetch(`${service.baseUrl}/api/v1/token/verify`, {
    method: "POST",
    headers: { Authorization: `Bearer ${service.secretKey}`, "Content-Type": "application/json" },
    body: JSON.stringify({ token: later[0] }),
  });
  assert.deepEqual([refused.status, refused.headers.get("Retry-After")], [503, "1"]);
  assert.match(
    (await runStile(["reset-link"], environment)).stderr,
    /was moved to PostgreSQL\. Set STILE_DATABASE_URL/,
  );

  const node = await startOn(url);
  const told = await Promise.all(
    [...before, ...meanwhile, ...later].map((token) => redeemAt(node, token)),
  );
  assert.deepEqual(told, [...Array(6).fill("used"), ...Array(3).fill("verified")]);
});

test("leaves the service of an older version, which would not notice the move, where it is (D3, single use)", async (context) => {
  const { file, environment, mint, redeemAll } = await runningInstallation(context);
  change(file, "UPDATE generations SET moves_to = NULL");
  const { code, stderr } = await runStile(["move"], {
    ...environment,
    STILE_DATABASE_URL: newDatabase(),
  });
  assert.equal(code, 1);
  assert.match(stderr, /^stile: The running service is of an older version of Stile\. Restart it/);
  assert.deepEqual(await redeemAll(mint(1)), ["verified"]);
});

test("redeems and counts each token once, although many ask before, during and after a move (D3, single use)", async (context) => {
  const { service, file, environment, mint, redeemAt, startOn } =
    await runningInstallation(context);
  change(file, LARGE_ROWS);
  const url = newDatabase();
  const tokens: string[] = [];
  const heard = new Map<string, HeardOutcome[]>();
  const ask = async (at: Pick<RunningService, "baseUrl">, token: string): Promise<HeardOutcome> => {
    const outcome = await redeemAt(at, token);
    heard.set(token, [...(heard.get(token) ?? []), outcome]);
    return outcome;
  };
  let isOver = false;
  const caller = async (): Promise<void> => {
    while (!isOver) {
      const [token = ""] = mint(1);
      tokens.push(token);
      await Promise.all([ask(service, token), ask(service, token)]);
      // Redeems a token again that was redeemed long ago.
      await ask(service, tokens[Math.floor(tokens.length / 2)] ?? "");
    }
  };
  const callers = Array.from({ length: 6 }, caller);
  await until(() => tokens.length > 100);
  const moved = await runStile(["move"], { ...environment, STILE_DATABASE_URL: url });
  const atTheEnd = tokens.length;
  await until(() => tokens.length > atTheEnd + 100);
  isOver = true;
  await Promise.all(callers);
  assert.equal(moved.code, 0, moved.stderr);

  const node = await startOn(url);
  for (let at = 0; at < tokens.length; at += 50) {
    await Promise.all(
      tokens.slice(at, at + 50).flatMap((token) => [ask(node, token), ask(node, token)]),
    );
  }
  const told = tokens.map((token) => heard.get(token) ?? []);
  const successes = told.map(
    (outcomes) => outcomes.filter((outcome) => outcome === "verified").length,
  );
  assert.equal(Math.max(...successes), 1);
  // A write that was answered too late may have spent a token without a caller knowing.
  for (const [at, count] of successes.entries())
    assert.ok(count === 1 || told[at]?.includes("unavailable"));
  assert.ok(successes.filter((count) => count === 0).length < tokens.length / 10);
  assert.ok(told.flat().every((outcome) => ["verified", "used", "unavailable"].includes(outcome)));
  const [counted] = await withClient(
    url,
    async (client) =>
      (
        await client.query(
          "SELECT sum(count)::INTEGER AS redeemed FROM statistics WHERE resolution = 'day' AND name = 'token_redeemed'",
        )
      ).rows as { redeemed: number }[],
  );
  assert.equal(counted?.redeemed, tokens.length);
});

/**
 * A database whose connection breaks at that statement of the move; `broken` resolves when it does.
 */
async function wayBrokenAt(context: TestContext, statement: string, mode: "silent" | "deaf") {
  const url = newDatabase();
  const { promise: broken, resolve } = Promise.withResolvers<void>();
  let isBroken = false;
  const way: TcpProxy = await startTcpProxy(engine.port, {
    onAsked: (question) => {
      if (isBroken || !question.includes(statement)) return;
      isBroken = true;
      way.setMode(mode);
      resolve();
    },
  });
  context.after(way.stop);
  const brokenUrl = new URL(url);
  brokenUrl.port = `${way.port}`;
  return { url, way, broken, brokenUrl: brokenUrl.href };
}

for (const [moment, statement] of [
  ["while it copies large tables", "INSERT INTO statistics"],
  ["while writes are held", "setval("],
] as const) {
  test(`leaves no trace of a mover that is killed ${moment}: the service continues, and can be moved again (D16, operator)`, async (context) => {
    const { file, environment, mint, redeemAt, redeemAll, startOn } =
      await runningInstallation(context);
    change(file, LARGE_ROWS);
    const [spent, fresh] = [mint(2), mint(2)];
    const { url, broken, brokenUrl } = await wayBrokenAt(context, statement, "silent");
    assert.deepEqual(await redeemAll(spent.slice(0, 1)), ["verified"]);
    const mover = startStile(["move"], { ...environment, STILE_DATABASE_URL: brokenUrl });
    await broken;
    mover.kill();
    assert.equal((await mover.ended).code, null);
    assert.deepEqual(await redeemAll(spent), ["used", "verified"]);
    const again = await runStile(["move"], { ...environment, STILE_DATABASE_URL: url });
    assert.deepEqual([again.code, again.stderr], [0, ""]);
    await assertSameRows(file, url);
    const node = await startOn(url);
    const told = await Promise.all([...spent, ...fresh].map((token) => redeemAt(node, token)));
    assert.deepEqual(told, ["used", "used", "verified", "verified"]);
  });
}

/** Resolves when the database has the moved data. */
async function untilArrived(url: string): Promise<void> {
  const select = "SELECT FROM pg_class WHERE oid = to_regclass('accounts')";
  await withClient(url, (client) => until(async () => (await client.query(select)).rowCount === 1));
}

for (const [end, mode, isThere] of [
  ["did not arrive", "silent", false],
  ["arrived and was not answered", "deaf", true],
] as const) {
  test(`redeems nothing after a mover is killed over a commit that ${end}, until the next move finds the outcome (D3, single use; D16, operator)`, async (context) => {
    const { environment, mint, redeemAt, redeemAll, startOn } = await runningInstallation(context);
    const tokens = mint(3);
    const { url, broken, brokenUrl } = await wayBrokenAt(context, "COMMIT\0", mode);
    assert.deepEqual(await redeemAll(tokens.slice(0, 1)), ["verified"]);
    const mover = startStile(["move"], { ...environment, STILE_DATABASE_URL: brokenUrl });
    await broken;
    if (isThere) await untilArrived(url);
    assert.deepEqual(await redeemAll(tokens), ["unavailable", "unavailable", "unavailable"]);
    mover.kill();
    await mover.ended;
    assert.deepEqual(await redeemAll(tokens), ["unavailable", "unavailable", "unavailable"]);
    const elsewhere = await runStile(["move"], {
      ...environment,
      STILE_DATABASE_URL: newDatabase(),
    });
    assert.match(
      elsewhere.stderr,
      /^stile: A move to another database was not finished\. Run it again/,
    );
    const again = await runStile(["move"], { ...environment, STILE_DATABASE_URL: url });
    assert.deepEqual([again.code, again.stderr], [0, ""]);
    assert.match(
      again.stdout,
      isThere ? /^The previous move had already finished/ : /^ +1 {2}accounts\n/,
    );
    const node = await startOn(url);
    const told = await Promise.all(tokens.map((token) => redeemAt(node, token)));
    assert.deepEqual(told, ["used", "verified", "verified"]);
    assert.match(
      (await runStile(["move"], { ...environment, STILE_DATABASE_URL: url })).stderr,
      /was moved to PostgreSQL|moved already/,
    );
  });

  test(`finds the outcome of a commit that ${end} when the mover's connection breaks (D3, single use; D16, operator)`, async (context) => {
    const { environment, mint, redeemAll, redeemAt, startOn } = await runningInstallation(context);
    const tokens = mint(2);
    const { url, way, broken, brokenUrl } = await wayBrokenAt(context, "COMMIT\0", mode);
    assert.deepEqual(await redeemAll(tokens.slice(0, 1)), ["verified"]);
    const moving = runStile(["move"], { ...environment, STILE_DATABASE_URL: brokenUrl });
    // The mark is set before the commit is sent. A later commit would break the connection again,
    // permanently.
    await broken;
    if (isThere) await untilArrived(url);
    way.setMode("pass");
    const { code, stdout, stderr } = await moving;
    if (!isThere) {
      assert.equal(code, 1, stdout);
      assert.match(stderr, /^stile: Nothing was moved, and both databases are unchanged/);
      assert.deepEqual(await redeemAll(tokens), ["used", "verified"]);
      return;
    }
    assert.deepEqual([code, stderr], [0, ""]);
    const node = await startOn(url);
    assert.deepEqual(await Promise.all(tokens.map((token) => redeemAt(node, token))), [
      "used",
      "verified",
    ]);
  });
}
