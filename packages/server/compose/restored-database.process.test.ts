import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { dirname, join } from "node:path";
import { after, type TestContext, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { redeemToken } from "@stile/core/use-cases/token/redeem-token";
import { mintToken } from "@stile/testkit/minting/mint-tokens";
import { startListeningNode, temporaryFolder } from "@stile/testkit/postgres/node-on-postgres";
import { postgresProgram, startPostgres } from "@stile/testkit/postgres/throw-away-postgres";

const engine = await startPostgres({ isDurable: false });
after(engine.stop);
let made = 0;

/**
 * Runs one of PostgreSQL's own programs, as an operator who does not know Stile's commands would.
 */
function run(program: string, ...args: readonly string[]): void {
  const { status, stderr } = spawnSync(join(dirname(postgresProgram().file), program), [...args], {
    encoding: "utf8",
  });
  assert.equal(status, 0, stderr);
}

/**
 * A node with a permanent data directory, and a token that is redeemed between `before` and
 * `after`.
 */
async function redeemAround(
  context: TestContext,
  before: (url: string, dump: string) => void,
  after: (url: string, dump: string) => void,
) {
  const url = engine.createDatabase(`restored_${++made}`);
  const dump = join(temporaryFolder(), "dump");
  const settings = {
    STILE_DATABASE_URL: url,
    STILE_MASTER_KEY: randomBytes(32).toString("base64"),
    STILE_DATA_DIR: temporaryFolder(),
  };
  const node = await startListeningNode(context, settings);
  const tokens = node.mint(2);
  before(url, dump);
  assert.deepEqual(await node.redeemAll(tokens.slice(0, 1)), ["verified"]);
  await node.service.stop();
  after(url, dump);
  const again = await startListeningNode(context, settings);
  return { again, answers: await again.redeemAll(tokens) };
}

const dumpAll = (url: string, dump: string): void =>
  run("pg_dump", "--format=custom", `--file=${dump}`, url);

test("keeps spent tokens spent after pg_restore --clean into the same database (D3, single use)", async (context) => {
  const { answers } = await redeemAround(context, dumpAll, (url, dump) =>
    run("pg_restore", "--clean", "--if-exists", `--dbname=${url}`, dump),
  );
  assert.deepEqual(answers, ["token_expired", "token_expired"]);
});

test("keeps spent tokens spent at every moment if a dump is restored under a running node (D3, single use)", async (context) => {
  const url = engine.createDatabase(`restored_${++made}`);
  const dump = join(temporaryFolder(), "dump");
  const settings = {
    STILE_DATABASE_URL: url,
    STILE_MASTER_KEY: randomBytes(32).toString("base64"),
  };
  const node = await startListeningNode(context, {
    ...settings,
    STILE_DATA_DIR: temporaryFolder(),
  });
  dumpAll(url, dump);
  const tokens = node.mint(1);
  assert.deepEqual(await node.redeemAll(tokens), ["verified"]);
  run("pg_restore", "--single-transaction", "--clean", "--if-exists", `--dbname=${url}`, dump);
  let [answer] = await node.redeemAll(tokens);
  for (; answer === "internal_error"; [answer] = await node.redeemAll(tokens)) await delay(50);
  assert.equal(answer, "token_expired");
});

test("keeps spent tokens spent if the rows of a dump are restored into emptied tables (D3, single use)", async (context) => {
  const { answers } = await redeemAround(context, dumpAll, (url, dump) => {
    run(
      "psql",
      "--quiet",
      url,
      "-c",
      "DELETE FROM nodes; DELETE FROM generations; DELETE FROM token_marks",
    );
    run(
      "pg_restore",
      "--data-only",
      "--table=nodes",
      "--table=generations",
      `--dbname=${url}`,
      dump,
    );
  });
  assert.deepEqual(answers, ["token_expired", "token_expired"]);
});

test("keeps spent tokens spent if tables were emptied, among them the records of runs and nodes (D3, single use)", async (context) => {
  const { answers } = await redeemAround(
    context,
    () => {},
    (url) =>
      run(
        "psql",
        "--quiet",
        url,
        "-c",
        "TRUNCATE nodes, generations, token_marks, mark_partitions",
      ),
  );
  assert.deepEqual(answers, ["token_expired", "token_expired"]);
});

test("notices a restore if the database knows less of this node than its data directory does (D3, single use)", async (context) => {
  // As with a snapshot of the disk: no row was rewritten, and the timeline is the same.
  const { answers } = await redeemAround(
    context,
    () => {},
    (url) =>
      run(
        "psql",
        "--quiet",
        url,
        "-c",
        "BEGIN; UPDATE nodes SET number = 1, xid = pg_current_xact_id()::xid::text; COMMIT",
      ),
  );
  assert.deepEqual(answers, ["token_expired", "token_expired"]);
});

test("keeps tokens valid or spent across a restart on the same database (D3, single use)", async (context) => {
  const { answers } = await redeemAround(
    context,
    () => {},
    (url) => run("psql", "--quiet", url, "-c", "VACUUM (FULL, FREEZE)"),
  );
  assert.deepEqual(answers, ["token_already_used", "verified"]);
});

/** Two nodes: the first seals tokens, and the second redeems them. */
async function startTwo(context: TestContext) {
  const settings = {
    STILE_DATABASE_URL: engine.createDatabase(`restored_${++made}`),
    STILE_MASTER_KEY: randomBytes(32).toString("base64"),
  };
  const start = async () =>
    (await startListeningNode(context, { ...settings, STILE_DATA_DIR: temporaryFolder() })).service;
  const [here, there] = [await start(), await start()];
  const { siteKey, secretKey } =
    here.firstStart.demoKeys ?? assert.fail("the first node makes the demo site");
  const redeem = (token: string) => {
    const nothing = {
      siteKey: undefined,
      idempotencyKey: undefined,
      remoteIp: undefined,
      userAgent: undefined,
    };
    const read = () => ({ kind: "fields", fields: { token, ...nothing } }) as const;
    return redeemToken(there.api, { secretKey, address: undefined }, { kind: "received", read });
  };
  return { here, there, seal: () => mintToken(here.api.cryptography, siteKey, {}), redeem };
}

/** A token that names a key nobody made. */
function forge(token: string): string {
  const bytes = Buffer.from(token, "base64url");
  bytes.writeUInt32BE(1_000_000, 1);
  return bytes.toString("base64url");
}

test("opens a token at once although its key is newer than this node's keys (D3, single use; D4, sealed token)", async (context) => {
  const { here, there, seal, redeem } = await startTwo(context);
  // The nodes retire their key. The first node to notice seals with a new one at once.
  engine.runSql(`restored_${made}`, "TRUNCATE nodes, generations, token_marks, mark_partitions");
  await here.api.followKeys?.();
  assert.deepEqual(
    [here, there].map(({ api }) => api.cryptography.currentKeyId()),
    [2, 1],
  );
  const token = seal();
  const answers = await Promise.all([forge(token), token].map(redeem));
  assert.deepEqual(
    answers.map(({ kind }) => kind),
    ["refused", "verified"],
    JSON.stringify(answers),
  );
});

test("reports an outage, not a fault, for a token with a newer key while the keys can't be read (D15, outage)", async (context) => {
  const { seal, redeem } = await startTwo(context);
  const forged = forge(seal());
  engine.runSql(
    `restored_${made}`,
    "DELETE FROM service_keys; UPDATE generations SET number = number + 1",
  );
  await assert.rejects(redeem(forged), {
    name: "StoreUnavailable",
    message: "the service keys can't be read",
  });
});
