import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { BUSY_DEADLINE_MS } from "@stile/stores/sqlite/engine/busy";
import { readConfig } from "../config.ts";
import { openDataDirectory } from "../data-directory.ts";
import { openOperatorStore } from "./operator-ports.ts";

test("a command waits for a server whose disk is slow for longer than any visitor does (D16)", async (t) => {
  const path = mkdtempSync(join(tmpdir(), "stile-operator-"));
  t.after(() => rmSync(path, { recursive: true }));
  const reading = readConfig({ STILE_DATA_DIR: path });
  assert.ok(reading.kind === "config");
  const directory = openDataDirectory(path);
  const store = await openOperatorStore(reading.config, directory);
  t.after(() => store.close());
  const server = new DatabaseSync(directory.databaseFile);
  server.exec("BEGIN IMMEDIATE");
  const written = store.ping();
  await Promise.race([written, setTimeout(BUSY_DEADLINE_MS + 500)]);
  server.exec("COMMIT");
  server.close();
  await written;
});
