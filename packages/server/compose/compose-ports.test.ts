import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { openSqliteStore } from "@stile/stores/sqlite/sqlite-store";
import { pino } from "pino";
import { composePorts } from "./compose-ports.ts";

test("a bank of scenes that can't be read stops no start: nothing is asked to be laid out, and the log says why", async (context) => {
  const directory = mkdtempSync(join(tmpdir(), "stile-ports-"));
  const file = join(directory, "stile.sqlite");
  const store = await openSqliteStore({ file });
  context.after(async () => {
    await store.close();
    rmSync(directory, { recursive: true, force: true });
  });
  await store.layoutBanks.addBank({ bakedAtMs: 1, drawnAtMs: 1, scenes: [] });
  const database = new DatabaseSync(file);
  database.exec("UPDATE layout_banks SET content = x'00'");
  database.close();
  await store.begin();
  const lines: string[] = [];
  const log = pino({ level: "error" }, { write: (line: string) => void lines.push(line) });
  const clock = { nowMs: () => Date.now() };
  const networkLists = { find: () => ({ isDatacenter: false, isTor: false }) };
  const { ports } = await composePorts({ store, clock, masterKey: new Uint8Array(32).fill(1), networkLists, log });
  assert.equal(ports.layoutScenes.newest(), undefined);
  assert.match(lines.join(), /the scenes to lay out can't be read/);
});
