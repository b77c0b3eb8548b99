import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, type TestContext, test } from "node:test";
import { OPERATOR } from "@stile/core/domain/account/audit";
import { createSite } from "@stile/core/use-cases/site/create-site";
import { startPostgres } from "@stile/testkit/postgres/throw-away-postgres";
import { readConfig } from "../config/config.ts";
import { explainFault } from "../faults/operator-faults.ts";
import { createLog } from "../telemetry/log.ts";
import { composeService, type Service } from "./compose.ts";

const engine = await startPostgres({ isDurable: false });
after(engine.stop);

const MASTER_KEY = randomBytes(32).toString("base64");
const folder = mkdtempSync(join(tmpdir(), "stile-nodes-"));
after(() => rmSync(folder, { recursive: true, force: true }));
let made = 0;
const newDatabase = (): string => engine.createDatabase(`service_${++made}`);

/**
 * Deleted only when all nodes have stopped, because they record their last write to the database
 * there.
 */
const newDirectory = (): string => mkdtempSync(join(folder, "node-"));

/** A node on the database with its own data directory. It stops after the test. */
async function startNode(
  context: TestContext,
  settings: Record<string, string>,
  mayCreateNew = false,
): Promise<Service> {
  const STILE_DATA_DIR = settings.STILE_DATA_DIR ?? newDirectory();
  const reading = readConfig({
    STILE_PORT: "0",
    STILE_MASTER_KEY: MASTER_KEY,
    ...settings,
    STILE_DATA_DIR,
  });
  assert.ok(reading.kind === "config", JSON.stringify(reading));
  const service = await composeService(reading.config, createLog("silent"), { mayCreateNew });
  context.after(() => service.stop());
  return service;
}

/** The message to the operator about a start that fails. */
async function refusalOf(context: TestContext, settings: Record<string, string>): Promise<string> {
  const fault = await startNode(context, settings).then(
    () => assert.fail("it started"),
    (error: unknown) => error,
  );
  return explainFault(fault, { dataDirectory: "data" });
}

test("makes one account, one site and one service key if nodes start at once on an empty database (D16, operator)", async (context) => {
  const settings = { STILE_DATABASE_URL: newDatabase() };
  const nodes = await Promise.all([1, 2, 3].map(() => startNode(context, settings)));
  const [first] = nodes;
  assert.ok(first !== undefined);
  const accounts = await first.store.sites.listAccounts();
  assert.equal(accounts.length, 1);
  assert.equal((await first.store.sites.listSites(accounts[0]?.accountId ?? "")).length, 1);
  assert.equal((await first.store.serviceKeys.listServiceKeys()).length, 1);
  assert.equal(nodes.filter(({ firstStart }) => firstStart.isFirst).length, 1);
  assert.match((await first.store.describe()).engine, /^PostgreSQL \d+/);
});

test("shares sites between nodes, and opens on one node what another sealed (D4, sealed token)", async (context) => {
  const settings = { STILE_DATABASE_URL: newDatabase() };
  const [here, there] = [await startNode(context, settings), await startNode(context, settings)];
  const [account] = await here.store.sites.listAccounts();
  const made = await createSite(
    here.sitePorts,
    { accountId: account?.accountId ?? "", actor: OPERATOR },
    { name: "Shop", domains: ["shop.example"] },
  );
  assert.ok(made.kind === "created");
  assert.deepEqual(await there.sitePorts.directory.findSite(made.site.siteKey), made.site);
  const key = {
    keyId: here.api.cryptography.currentKeyId(),
    purpose: "token",
    day: 20_000,
  } as const;
  const nonce = new Uint8Array(12);
  const sealed = here.api.cryptography.seal(key, nonce, Uint8Array.of(7), new Uint8Array(0));
  assert.deepEqual(
    [...(there.api.cryptography.open(key, nonce, sealed, new Uint8Array(0)) ?? [])],
    [7],
  );
});

test("retires no key at a restart alongside a running node, or after all nodes have stopped (D3, single use)", async (context) => {
  const settings = { STILE_DATABASE_URL: newDatabase(), STILE_DATA_DIR: newDirectory() };
  const beside = await startNode(context, { STILE_DATABASE_URL: settings.STILE_DATABASE_URL });
  for (let start = 0; start < 2; start++) {
    const node = await startNode(context, settings);
    assert.deepEqual(
      (await node.store.serviceKeys.listServiceKeys()).map(({ isRetired }) => isRetired),
      [false],
    );
    await node.stop();
  }
  await beside.stop();
  const again = await startNode(context, settings);
  assert.deepEqual(
    (await again.store.serviceKeys.listServiceKeys()).map(({ isRetired }) => isRetired),
    [false],
  );
});

test("retires every key in a copy of the database, because it lacks the tokens spent after the copy (D3, single use)", async (context) => {
  const url = newDatabase();
  const node = await startNode(context, { STILE_DATABASE_URL: url });
  await node.stop();
  const copy = engine.createDatabase(`service_${++made}`, `service_${made - 1}`);
  const restored = await startNode(context, { STILE_DATABASE_URL: copy });
  const keys = await restored.store.serviceKeys.listServiceKeys();
  assert.deepEqual(
    keys.map(({ isRetired }) => isRetired),
    [true, false],
  );
});

test("refuses a node with another master key or none, with the reason, and changes nothing (D4, sealed token)", async (context) => {
  const STILE_DATABASE_URL = newDatabase();
  await startNode(context, { STILE_DATABASE_URL });
  const other = { STILE_DATABASE_URL, STILE_MASTER_KEY: randomBytes(32).toString("base64") };
  assert.match(
    await refusalOf(context, other),
    /^The master key does not open the keys in the store\./,
  );
  const none = { STILE_DATABASE_URL, STILE_MASTER_KEY: "" };
  assert.match(await refusalOf(context, none), /^The master key .* is missing/);
});

test("begins no empty database if there are traces of an installation, unless the operator insists", async (context) => {
  const STILE_DATABASE_URL = newDatabase();
  const [first, second] = [newDirectory(), newDirectory()];
  for (const directory of [first, second]) writeFileSync(join(directory, "stile.sqlite"), "");
  const told = await refusalOf(context, { STILE_DATABASE_URL, STILE_DATA_DIR: first });
  assert.match(told, /^The database of STILE_DATABASE_URL is empty, but .*stile\.sqlite/);
  const node = await startNode(context, { STILE_DATABASE_URL, STILE_DATA_DIR: second }, true);
  assert.equal(node.firstStart.isFirst, true);
});

test("begins no new installation for a node whose database is now empty or whose address is missing", async (context) => {
  const STILE_DATABASE_URL = newDatabase();
  await (await startNode(context, { STILE_DATABASE_URL })).stop();
  const [emptied, unset, fresh] = [newDirectory(), newDirectory(), newDirectory()];
  for (const STILE_DATA_DIR of [emptied, unset, fresh])
    await (await startNode(context, { STILE_DATABASE_URL, STILE_DATA_DIR })).stop();
  engine.runSql(
    `service_${made}`,
    "DROP SCHEMA public CASCADE; CREATE SCHEMA public AUTHORIZATION stile",
  );
  assert.match(
    await refusalOf(context, { STILE_DATABASE_URL, STILE_DATA_DIR: emptied }),
    /^The database of STILE_DATABASE_URL is empty, but .*node-mark/,
  );
  const told = await refusalOf(context, { STILE_DATA_DIR: unset });
  assert.match(
    told,
    /stile\.sqlite is missing, but \S+node-mark .* Set STILE_DATABASE_URL .* --new\.$/,
  );
  assert.equal(
    (await startNode(context, { STILE_DATA_DIR: fresh }, true)).firstStart.isFirst,
    true,
  );
});

test("names the problem with the address in a sentence, without the password", async (context) => {
  const url = engine.urlOf("postgres");
  const change = (part: (url: URL) => void): string => {
    const changed = new URL(url);
    part(changed);
    return changed.href;
  };
  engine.runSql("postgres", "CREATE ROLE guest LOGIN PASSWORD 'guest'");
  engine.runSql(
    "postgres",
    "CREATE DATABASE latin TEMPLATE template0 ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C'",
  );
  const cases: readonly [string, RegExp][] = [
    [
      change((at) => {
        at.password = "wrong-secret";
      }),
      /does not let "stile" in; check user and password/,
    ],
    [
      change((at) => {
        at.pathname = "/nothing";
      }),
      /has no database "nothing"; make it with: createdb/,
    ],
    [
      change((at) => {
        at.port = "1";
      }),
      /127\.0\.0\.1:1 can't be reached .*ECONNREFUSED/,
    ],
    [
      change((at) => {
        at.hostname = "nowhere.invalid";
      }),
      /The host nowhere\.invalid .* is not known/,
    ],
    [
      change((at) => {
        at.username = "guest";
        at.password = "guest";
      }),
      /The user "guest" may not make tables/,
    ],
    [
      change((at) => {
        at.pathname = "/latin";
      }),
      /encoded in LATIN1/,
    ],
  ];
  for (const [address, expected] of cases) {
    const told = await refusalOf(context, { STILE_DATABASE_URL: address });
    assert.match(told, expected);
    assert.doesNotMatch(told, /throw-away|wrong-secret|\n/);
  }
});

test("reports a malformed address along with all other mistakes, without the password (D17, settings)", () => {
  for (const text of [
    "db.example.org",
    "mysql://u:secret-1@h/d",
    "postgres://u:secret-1@h",
    "postgres://h/d?sslmode=maybe",
    "postgres://h/d?sslcrl=x",
  ]) {
    const reading = readConfig({ STILE_DATABASE_URL: text, STILE_PORT: "x" });
    assert.ok(reading.kind === "problems" && reading.problems.length === 2, text);
    assert.match(reading.problems.join("\n"), /^STILE_DATABASE_URL .*such as postgres:\/\//m);
    assert.doesNotMatch(reading.problems.join("\n"), /secret-1/);
  }
});

test("refuses a text that PostgreSQL can't store as bad input, not as a fault of the service (D16, operator)", async (context) => {
  const node = await startNode(context, { STILE_DATABASE_URL: newDatabase() });
  const { url: origin } = await node.listen();
  let cookie = "";
  const call = async (method: string, path: string, body?: object): Promise<number> => {
    const headers = { "Content-Type": "application/json", Origin: origin, Cookie: cookie };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await fetch(`${origin}/dashboard/api/${path}`, { method, headers, ...sent });
    const cookies = answer.headers.getSetCookie().map((line) => line.split(";", 1)[0]);
    cookie = cookies.length > 0 ? cookies.join("; ") : cookie;
    return answer.status;
  };
  assert.equal(
    await call("POST", "sign-in/passkey", { ticket: "AAAA", response: { id: "\0" } }),
    401,
  );
  assert.equal(
    await call("POST", "sign-in", { email: "a\0@example.org", password: "wrong horse" }),
    400,
  );
  const owner = { email: "ada@example.org", name: "Ada", password: "correct horse battery" };
  assert.equal(await call("POST", "link/accept", { token: node.setupToken, ...owner }), 200);
  assert.equal(await call("POST", "sites", { name: "a\0b", domains: ["shop.example"] }), 400);
  for (const query of ["before=%00", "requestId=a%00b"]) {
    assert.equal(
      await call("GET", `sites/${node.firstStart.demoKeys?.siteKey}/decisions?${query}`),
      400,
      query,
    );
  }
});

test("starts no node on a database without its service keys; --new makes a key with a fresh id (D16, operator)", async (context) => {
  const settings = { STILE_DATABASE_URL: newDatabase() };
  const node = await startNode(context, settings);
  engine.runSql(`service_${made}`, "TRUNCATE service_keys");
  assert.match(
    await refusalOf(context, settings),
    /^The database has lost the service key 1, .*restore FILE.* --new/,
  );
  await startNode(context, settings, true);
  assert.deepEqual(
    (await node.store.serviceKeys.listServiceKeys()).map(({ keyId }) => keyId),
    [2],
  );
  await startNode(context, settings);
});
