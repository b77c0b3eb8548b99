import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type TestContext, test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { LINK_MS } from "@stile/core/domain/account/link";
import { digestToken } from "@stile/core/services/account/bearer-tokens";
import { BUSY_DEADLINE_MS } from "@stile/stores/sqlite/engine/busy";
import { readStep } from "@stile/stores/sqlite/engine/database-file";
import { migrate } from "@stile/stores/sqlite/engine/migrate";
import { MIGRATIONS } from "@stile/stores/sqlite/schema/sqlite-schema";
import { configOf } from "@stile/testkit/service/config-of";
import { openDataDirectory } from "../data-directory/data-directory.ts";
import { initialize, offerSetup } from "../lifecycle/first-start.ts";
import { openOperatorPorts, openOperatorStore } from "./operator-ports.ts";

async function openStore(t: TestContext) {
  const path = mkdtempSync(join(tmpdir(), "stile-operator-"));
  const config = configOf({ STILE_DATA_DIR: path });
  const directory = openDataDirectory(path);
  const store = await openOperatorStore(config, directory);
  t.after(async () => {
    await store.close();
    rmSync(path, { recursive: true });
  });
  return { store, directory };
}

test("after the system's clock was set back, makes a link that is still valid on a server whose clock is ahead (D16, operator)", async (t) => {
  const { store, directory } = await openStore(t);
  const serverNowMs = Date.now() + 86_400_000;
  await store.begin();
  await store.housekeeping.sweep(serverNowMs);
  const ports = await openOperatorPorts(store);
  await initialize(ports, directory, undefined);
  const token = (await offerSetup(ports)) ?? "";
  const link = await store.links.findLink(digestToken(ports.cryptography, token));
  assert.ok((link?.expiresAtMs ?? 0) >= serverNowMs + LINK_MS.setup, String(link?.expiresAtMs));
});

test("upgrades the database if no server runs, and not under a running server of an older version (D16, operator)", async (t) => {
  const path = mkdtempSync(join(tmpdir(), "stile-operator-"));
  t.after(() => rmSync(path, { recursive: true }));
  const config = configOf({ STILE_DATA_DIR: path });
  const directory = openDataDirectory(path);
  const older = new DatabaseSync(directory.databaseFile);
  const known = MIGRATIONS.length;
  migrate(older);
  (MIGRATIONS as string[]).push("CREATE TABLE later (id INTEGER PRIMARY KEY) STRICT");
  t.after(() => (MIGRATIONS as string[]).pop());
  older.close();
  directory.lock();
  await assert.rejects(
    openOperatorStore(config, directory),
    /An older version of Stile runs on .* Restart it/,
  );
  assert.equal(readStep(directory.databaseFile), known);
  directory.unlock();
  await (await openOperatorStore(config, directory)).close();
  assert.equal(readStep(directory.databaseFile), MIGRATIONS.length);
});

test("waits longer for a server with a slow disk than any visitor does (D16, operator)", async (t) => {
  const { store, directory } = await openStore(t);
  const server = new DatabaseSync(directory.databaseFile);
  server.exec("BEGIN IMMEDIATE");
  const written = store.ping();
  await Promise.race([written, setTimeout(BUSY_DEADLINE_MS + 500)]);
  server.exec("COMMIT");
  server.close();
  await written;
});
