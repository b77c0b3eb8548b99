import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { startListeningNode, temporaryFolder } from "@stile/testkit/postgres/node-on-postgres";
import { startPostgres } from "@stile/testkit/postgres/throw-away-postgres";
import { redeem } from "@stile/testkit/service/redeem";
import { runServer, runStile } from "@stile/testkit/service/run-command";

const engine = await startPostgres({ isDurable: false });
after(engine.stop);
let made = 0;

function newSettings() {
  return {
    STILE_DATABASE_URL: engine.createDatabase(`rekey_${++made}`),
    STILE_MASTER_KEY: randomBytes(32).toString("base64"),
    STILE_DATA_DIR: temporaryFolder(),
  };
}

test("refuses to rekey while a node runs; afterwards only the new master key starts a node (D4, sealed token; D16, operator)", async (context) => {
  const settings = newSettings();
  const node = await startListeningNode(context, settings);
  const tokens = node.mint(2);
  const refused = await runStile(["rekey"], settings);
  assert.equal(refused.code, 1);
  assert.match(
    refused.stderr,
    /^stile: A node or a command is connected to the database\. Stop all nodes/,
  );
  assert.deepEqual(await node.redeemAll(tokens.slice(0, 1)), ["verified"]);
  await node.service.stop();
  const changed = await runStile(["rekey"], settings);
  assert.deepEqual([changed.code, changed.stderr], [0, ""]);
  assert.match((await runServer(settings)).stderr, /STILE_MASTER_KEY is still the old one/);
  const next = readFileSync(join(settings.STILE_DATA_DIR, "master.key.next"), "utf8").trim();
  const again = await startListeningNode(context, { ...settings, STILE_MASTER_KEY: next });
  assert.deepEqual(await again.redeemAll(tokens), ["token_expired", "token_expired"]);
  assert.deepEqual(await again.redeemAll(again.mint(1)), ["verified"]);
});

test("applies rekey --service-keys-only on every running node (D3, single use; D16, operator)", async (context) => {
  const settings = newSettings();
  const first = await startListeningNode(context, settings);
  const second = await startListeningNode(context, {
    ...settings,
    STILE_DATA_DIR: temporaryFolder(),
  });
  const tokens = first.mint(3);
  assert.deepEqual(await first.redeemAll(tokens.slice(0, 1)), ["verified"]);
  const { code, stdout } = await runStile(["rekey", "--service-keys-only"], settings);
  assert.equal(code, 0);
  assert.match(stdout, /^Retired the service keys \(1\)/);
  // Whichever node is asked first, it spends nothing under a key that it has not read again.
  const heard = await first.redeemAll(tokens);
  assert.ok(!heard.includes("verified"), heard.join());
  const { secretKey = "" } = first.service.firstStart.demoKeys ?? {};
  const [, ...unspent] = tokens;
  for (const { baseUrl } of [first, second]) {
    const isExpired = async (): Promise<void> => {
      for (const token of unspent) {
        assert.equal(
          (await redeem({ baseUrl, secretKey }, token)).body.reasonCode,
          "token_expired",
        );
      }
    };
    await context.waitFor(isExpired, { timeout: 20_000 });
  }
  await context.waitFor(
    async () => assert.deepEqual(await first.redeemAll(first.mint(1)), ["verified"]),
    {
      timeout: 20_000,
    },
  );
});
