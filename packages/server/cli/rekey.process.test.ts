import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type TestContext, test } from "node:test";
import { rekeySqlite } from "@stile/stores/sqlite/engine/rekey-sqlite";
import { startListeningNode, temporaryFolder } from "@stile/testkit/postgres/node-on-postgres";
import { runServer, runStile } from "@stile/testkit/service/run-command";
import { createVault } from "../cryptography/member-secrets.ts";
import { resealSecrets } from "../cryptography/reseal-secrets.ts";

const MEMBER = "usr_1";
const SECRET = Uint8Array.of(1, 2, 3, 4);

const readKey = (file: string): Buffer => Buffer.from(readFileSync(file, "utf8").trim(), "base64");

/**
 * A stopped installation: a member with an authenticator app, and three tokens, one of them
 * redeemed.
 */
async function stoppedInstallation(
  context: TestContext,
  more: Readonly<Record<string, string>> = {},
) {
  const folder = temporaryFolder();
  const settings = { STILE_DATA_DIR: folder, ...more };
  const node = await startListeningNode(context, settings);
  const tokens = node.mint(3);
  assert.deepEqual(await node.redeemAll(tokens.slice(0, 1)), ["verified"]);
  await node.service.stop();
  const files = {
    database: join(folder, "stile.sqlite"),
    key: join(folder, "master.key"),
    next: join(folder, "master.key.next"),
  };
  const masterKey =
    more.STILE_MASTER_KEY === undefined
      ? readKey(files.key)
      : Buffer.from(more.STILE_MASTER_KEY, "base64");
  const database = new DatabaseSync(files.database);
  const insert =
    "INSERT INTO members VALUES (?, (SELECT account_id FROM accounts), 'a@b.example', 'A', 'viewer', 'hash', ?, 7, '[]', 1, NULL, 1)";
  database.prepare(insert).run(MEMBER, createVault(masterKey).seal(SECRET, MEMBER));
  database.close();
  return { folder, settings, tokens, files, masterKey };
}

type Installation = Awaited<ReturnType<typeof stoppedInstallation>>;

/** The member's secret in the store, opened with the key; undefined if the key does not open it. */
function openSecret({ files }: Installation, masterKey: Uint8Array): Uint8Array | undefined {
  const database = new DatabaseSync(files.database, { readOnly: true });
  const row = database
    .prepare("SELECT totp_secret AS sealed FROM members WHERE user_id = ?")
    .get(MEMBER);
  database.close();
  return createVault(masterKey).open((row as { sealed: Uint8Array }).sealed, MEMBER);
}

/** Checks that the service starts, refuses everything issued before, and serves. */
async function assertServes(
  context: TestContext,
  { settings, tokens }: Installation,
  more = {},
): Promise<void> {
  const node = await startListeningNode(context, { ...settings, ...more });
  assert.deepEqual(new Set(await node.redeemAll(tokens)), new Set(["token_expired"]));
  assert.deepEqual(await node.redeemAll(node.mint(2)), ["verified", "verified"]);
  await node.service.stop();
}

test("seals everything under a new master key, keeps the old one, and refuses everything issued before (D4, sealed token; D16, operator)", async (context) => {
  const installation = await stoppedInstallation(context);
  const { folder, files, masterKey, settings } = installation;
  const { code, stdout, stderr } = await runStile(["rekey"], settings);
  assert.deepEqual([code, stderr], [0, ""]);
  const fresh = readKey(files.key);
  assert.notDeepEqual(fresh, masterKey);
  assert.equal(existsSync(files.next), false);
  const [kept = ""] = readdirSync(folder).filter((name) => name.startsWith("master.key.before-"));
  assert.deepEqual(readKey(join(folder, kept)), masterKey);
  for (const name of ["master.key", kept])
    assert.equal(statSync(join(folder, name)).mode & 0o777, 0o600, name);
  assert.match(
    stdout,
    /^Sealed 1 service keys and 1 authenticator secrets under a new master key\./,
  );
  for (const key of [fresh, masterKey])
    assert.ok(!stdout.includes(key.toString("base64")), "no key is printed");
  assert.deepEqual(openSecret(installation, fresh), SECRET);
  assert.equal(openSecret(installation, masterKey), undefined);
  await assertServes(context, installation);
});

test("resumes a rekey that was killed at any point, and a start says to run it again (D16, operator)", async (context) => {
  const moments = {
    "before the transaction": false,
    "after the transaction": true,
  };
  for (const [moment, isSealed] of Object.entries(moments)) {
    const installation = await stoppedInstallation(context);
    const { files, settings, masterKey } = installation;
    const next = randomBytes(32);
    writeFileSync(files.next, `${next.toString("base64")}\n`, { mode: 0o600 });
    if (isSealed) {
      rekeySqlite(files.database, (secrets) => resealSecrets(secrets, masterKey, next));
      assert.match(
        (await runServer(settings)).stderr,
        /master\.key\.next is there: .* rekey\n$/,
        moment,
      );
    }
    const { code, stdout } = await runStile(["rekey"], settings);
    assert.equal(code, 0, moment);
    assert.equal(
      stdout.startsWith("An earlier run has already sealed everything"),
      isSealed,
      moment,
    );
    assert.deepEqual(readKey(files.key), next, moment);
    assert.deepEqual(openSecret(installation, next), new Uint8Array(SECRET), moment);
    await assertServes(context, installation);
  }
});

test("leaves STILE_MASTER_KEY to the operator, and keeps the new key in a file until the service has it (D16, operator)", async (context) => {
  const given = randomBytes(32).toString("base64");
  const installation = await stoppedInstallation(context, { STILE_MASTER_KEY: given });
  const { files, settings } = installation;
  const { code, stdout } = await runStile(["rekey"], settings);
  assert.equal(code, 0);
  assert.match(
    stdout,
    /master\.key\.next contains the new master key\. Put its content into STILE_MASTER_KEY on every node/,
  );
  assert.match((await runServer(settings)).stderr, /STILE_MASTER_KEY is still the old one/);
  assert.match(
    (await runStile(["rekey"], settings)).stdout,
    /^An earlier run has already sealed everything/,
  );
  await assertServes(context, installation, {
    STILE_MASTER_KEY: readFileSync(files.next, "utf8").trim(),
  });
});

test("changes nothing with a wrong master key, under a running server or in an empty folder (D16, operator)", async (context) => {
  const installation = await stoppedInstallation(context);
  const { files, settings } = installation;
  const before = readFileSync(files.database);
  const wrong = { ...settings, STILE_MASTER_KEY: randomBytes(32).toString("base64") };
  assert.match(
    (await runStile(["rekey"], wrong)).stderr,
    /^stile: The master key does not open the keys in the store\./,
  );
  assert.deepEqual(readFileSync(files.database), before);
  const node = await startListeningNode(context, settings);
  for (const args of [["rekey"], ["rekey", "--service-keys-only"]]) {
    const { code, stderr } = await runStile(args, settings);
    assert.equal(code, 1);
    assert.match(stderr, /^stile: Another Stile server runs on .*\. Stop it/);
  }
  assert.deepEqual(await node.redeemAll(node.mint(1)), ["verified"]);
  await node.service.stop();
  const nowhere = join(temporaryFolder(), "nothing");
  assert.match(
    (await runStile(["rekey"], { STILE_DATA_DIR: nowhere })).stderr,
    /^stile: There is no installation in /,
  );
  assert.equal(existsSync(nowhere), false);
});

test("refuses everything issued before and keeps the master key with --service-keys-only (D4, sealed token; D16, operator)", async (context) => {
  const installation = await stoppedInstallation(context);
  const { files, settings, masterKey } = installation;
  const { code, stdout } = await runStile(["rekey", "--service-keys-only"], settings);
  assert.equal(code, 0);
  assert.match(stdout, /^Retired the service keys \(1\)\./);
  assert.deepEqual(readKey(files.key), masterKey);
  assert.deepEqual(openSecret(installation, masterKey), SECRET);
  await assertServes(context, installation);
});
