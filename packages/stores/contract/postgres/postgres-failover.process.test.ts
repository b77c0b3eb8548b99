import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { Agent } from "node:http";
import { after, type TestContext, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import type { Finding } from "@stile/protocol/dashboard-api";
import { mintToken } from "@stile/testkit/minting/mint-tokens";
import {
  type ListeningNode,
  startListeningNode,
  temporaryFolder,
} from "@stile/testkit/postgres/node-on-postgres";
import { startPostgres, type ThrowAwayPostgres } from "@stile/testkit/postgres/throw-away-postgres";
import { type HeardOutcome, redeemOnce } from "@stile/testkit/torture/redeem-call";
import { inspectServers } from "../../postgres/connection/inspect-servers.ts";
import {
  type ConnectionOptions,
  readConnectionOptions,
} from "../../postgres/engine/connection-options.ts";
import { createDatabase, type DatabaseConnections } from "../../postgres/engine/database.ts";
import { GENEROUS_MS, untilAnswered } from "../until-answered.ts";

const engines: ThrowAwayPostgres[] = [];
const agent = new Agent({ keepAlive: true });
after(async () => {
  agent.destroy();
  for (const engine of engines) await engine.stop();
});

async function startEngine(name: string, follows?: ThrowAwayPostgres): Promise<ThrowAwayPostgres> {
  const settings = [`cluster_name=${name}`];
  const engine = await startPostgres({ isDurable: false, settings, ...(follows && { follows }) });
  engines.push(engine);
  return engine;
}

const sql = (engine: ThrowAwayPostgres, statement: string): string =>
  engine.runSql("postgres", statement);

/** Changes a setting while the engine runs, as an operator does. */
function setUp(engine: ThrowAwayPostgres, setting: string, value: string): void {
  sql(engine, `ALTER SYSTEM SET ${setting} = '${value}'`);
  sql(engine, "SELECT pg_reload_conf()");
}

async function until(engine: ThrowAwayPostgres, condition: string): Promise<void> {
  while (sql(engine, `SELECT ${condition}`) !== "t") await delay(20);
}

/** The standby takes over, and waits for no standby of its own. */
function promote(standby: ThrowAwayPostgres): void {
  setUp(standby, "synchronous_standby_names", "");
  sql(standby, "SELECT pg_promote()");
}

const countMarks = (engine: ThrowAwayPostgres, database: string): number =>
  Number(engine.runSql(database, "SELECT count(*) FROM token_marks"));

/**
 * Two nodes with their own data directories that know these servers, on a new database of the first
 * one.
 */
async function startNodes(
  context: TestContext,
  database: string,
  servers: readonly ThrowAwayPostgres[],
) {
  const hosts = servers.map(({ port }) => `127.0.0.1:${port}`).join(",");
  const url = servers[0]?.createDatabase(database).replace(/127\.0\.0\.1:\d+/, hosts);
  const settings = {
    STILE_DATABASE_URL: `${url}?target_session_attrs=read-write`,
    STILE_MASTER_KEY: randomBytes(32).toString("base64"),
    STILE_LIMIT_VERIFY: "100000",
  };
  const start = () =>
    startListeningNode(context, { ...settings, STILE_DATA_DIR: temporaryFolder() });
  const nodes = [await start(), await start()] as const;
  const [first, second] = nodes;
  const { siteKey, secretKey } =
    first.service.firstStart.demoKeys ?? assert.fail("the first node makes the demo site");
  const ask = async ({ baseUrl }: ListeningNode, token: string): Promise<HeardOutcome> =>
    (await redeemOnce(baseUrl, secretKey, agent, { token })).outcome;
  /** Asks one node after the other until one knows the outcome. */
  const redeem = async (token: string, at = 0): Promise<HeardOutcome> => {
    const sinceMs = performance.now();
    for (let tries = at; performance.now() - sinceMs < GENEROUS_MS; tries++) {
      const outcome = await ask(tries % 2 === 0 ? first : second, token);
      if (outcome !== "unavailable") return outcome;
      await delay(20);
    }
    return assert.fail("neither node answers");
  };
  const redeemAll = (tokens: readonly string[]) =>
    Promise.all(tokens.map((token) => redeem(token)));
  /**
   * Waits until each node redeems tokens that it seals: it has noticed that a standby took over,
   * and knows the keys of the new run.
   */
  const untilRedeemed = async (): Promise<void> => {
    for (const node of nodes) {
      const seal = (): string => mintToken(node.service.api.cryptography, siteKey, {});
      while ((await ask(node, seal())) !== "verified") await delay(50);
    }
  };
  return {
    url: settings.STILE_DATABASE_URL,
    nodes,
    ask,
    redeem,
    redeemAll,
    untilRedeemed,
    mint: first.mint,
  };
}

type Redeem = (token: string, at: number) => Promise<HeardOutcome>;

/**
 * Two callers redeem each token at once, some tokens at a time. Returns how often each was
 * verified.
 */
async function race(
  tokens: readonly string[],
  redeem: Redeem,
  onVerified: () => void,
): Promise<number[]> {
  const waiting = tokens.entries();
  const verified = tokens.map(() => 0);
  const raceAll = async (): Promise<void> => {
    for (const [at, token] of waiting) {
      const call = async (caller: number): Promise<void> => {
        if ((await redeem(token, caller)) !== "verified") return;
        verified[at] = (verified[at] ?? 0) + 1;
        onVerified();
      };
      await Promise.all([call(0), call(1)]);
    }
  };
  await Promise.all(Array.from({ length: 8 }, raceAll));
  return verified;
}

const textsOf = (findings: readonly Finding[]): string =>
  findings.map(({ level, text }) => `${level}: ${text}`).join("\n");
const all = <Value>(tokens: readonly string[], value: Value): Value[] => tokens.map(() => value);

const a = await startEngine("a");
const b = await startEngine("b", a);

test("counts no token twice and forgets no answered one when a confirming standby takes over during a race (D3, single use)", async (context) => {
  setUp(a, "synchronous_standby_names", "FIRST 1 (b)");
  await until(a, "EXISTS (SELECT FROM pg_stat_replication WHERE sync_state = 'sync')");
  const { nodes, redeem, redeemAll, untilRedeemed, mint } = await startNodes(context, "confirmed", [
    a,
    b,
  ]);
  const { findings } = await untilAnswered(nodes[0].service.store.describe);
  assert.match(textsOf(findings), /^ok: Standbys confirm what is committed \(FIRST 1 \(b\)\): /m);
  const tokens = mint(400);
  let answered = 0;
  let takingOver: Promise<void> | undefined;
  const takeOver = async (): Promise<void> => {
    await a.kill();
    const told = answered;
    promote(b);
    const known = countMarks(b, "confirmed");
    context.diagnostic(`${told} were answered, ${known} are known`);
    assert.ok(told >= 100 && known >= told, "an answered redemption is forgotten");
  };
  const verified = await race(tokens, redeem, () => {
    answered += 1;
    if (answered === 100) takingOver = takeOver();
  });
  await takingOver;
  assert.deepEqual(new Set(verified), new Set([0, 1]));
  assert.deepEqual(await redeemAll(tokens), all(tokens, "expired"));
  await untilRedeemed();
});

test("makes no token valid again when a lagging standby takes over, although it forgot answered redemptions (D3, single use)", async (context) => {
  const c = await startEngine("c", b);
  const { redeemAll, untilRedeemed, mint } = await startNodes(context, "lagging", [b, c]);
  const [known, forgotten, unspent] = [mint(20), mint(20), mint(20)];
  assert.deepEqual(await redeemAll(known), all(known, "verified"));
  await until(
    b,
    "EXISTS (SELECT FROM pg_stat_replication WHERE replay_lsn >= pg_current_wal_lsn())",
  );
  setUp(c, "primary_conninfo", "");
  await until(c, "NOT EXISTS (SELECT FROM pg_stat_wal_receiver)");
  assert.deepEqual(await redeemAll(forgotten), all(forgotten, "verified"));
  await b.kill();
  promote(c);
  assert.equal(countMarks(c, "lagging"), known.length, "the standby did not lag");
  for (const tokens of [forgotten, known, unspent])
    assert.deepEqual(await redeemAll(tokens), all(tokens, "expired"));
  await untilRedeemed();
});

const WHO = "SELECT current_setting('cluster_name') AS name, pg_backend_pid() AS pid";

/**
 * The standby takes over while the primary still runs, and one of a process's connections to the
 * primary breaks. Then the process leaves the primary with all of its connections.
 */
async function leaveBySplit(
  options: ConnectionOptions,
  former: ThrowAwayPostgres,
  newer: ThrowAwayPostgres,
) {
  const { spending, calls, close } = await createDatabase(options);
  const serverOf = async ({ read }: DatabaseConnections) =>
    (await read<{ name: string; pid: number }>(WHO)).rows[0];
  const [first, second] = [await serverOf(spending), await serverOf(calls)];
  assert.deepEqual([first?.name, second?.name], ["c", "c"]);
  promote(newer);
  sql(former, "ALTER DATABASE former ALLOW_CONNECTIONS false");
  sql(former, `SELECT pg_terminate_backend(${second?.pid}, 5000)`);
  assert.equal((await serverOf(calls))?.name, "d");
  assert.equal((await serverOf(spending))?.name, "d", "an earlier connection continues");
  sql(former, "ALTER DATABASE former ALLOW_CONNECTIONS true");
  await close();
}

/** Sessions of nodes that did more than ask which server this is. */
const USED = `SELECT count(*) FROM pg_stat_activity
  WHERE application_name = 'stile' AND query <> '' AND query NOT LIKE '%pg_control_system%'`;

test("never returns to a primary that a standby took over from, and uses the new one again when it is back (D3, single use)", async (context) => {
  const c = engines.at(-1) ?? assert.fail("the test before starts it");
  const d = await startEngine("d", c);
  // Nodes cannot stop without a database.
  context.after(() => d.start());
  const { url, nodes, ask, redeemAll, untilRedeemed, mint } = await startNodes(context, "former", [
    c,
    d,
  ]);
  await until(
    c,
    "EXISTS (SELECT FROM pg_stat_replication WHERE replay_lsn >= pg_current_wal_lsn())",
  );
  const options = readConnectionOptions(url);
  assert.match(
    textsOf(await inspectServers(options)),
    new RegExp(`^ok: .*:${c.port} is the primary\nok: .*:${d.port} is a standby$`),
  );
  const before = mint(5);
  await leaveBySplit(options, c, d);
  await c.kill();
  assert.deepEqual(await redeemAll(before), all(before, "expired"));
  await untilRedeemed();
  const later = mint(5);
  assert.match(
    textsOf(await inspectServers(options)),
    new RegExp(`^warn: .*:${c.port}, .* can't be reached .*\nok: .*:${d.port} is the primary$`),
  );
  await c.start();
  assert.match(
    textsOf(await inspectServers(options)),
    new RegExp(
      `^fail: Two servers .* accept writes, .*:${c.port} \\(timeline 3\\) and .*:${d.port} \\(timeline 4\\)`,
    ),
  );
  await d.kill();
  for (const node of nodes) {
    for (const token of later) assert.equal(await ask(node, token), "unavailable");
  }
  assert.equal(sql(c, USED), "0");
  await d.start();
  assert.deepEqual(await redeemAll(later), all(later, "verified"));
});
