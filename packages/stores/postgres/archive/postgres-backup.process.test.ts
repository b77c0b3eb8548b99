import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { startPostgres } from "@stile/testkit/postgres/throw-away-postgres";
import pg from "pg";
import { openPostgresStore } from "../postgres-store.ts";
import { readArchive } from "./postgres-archive.ts";
import { backupPostgres } from "./postgres-backup.ts";
import { findPostgresPrograms } from "./postgres-programs.ts";

const engine = await startPostgres({ isDurable: false });
after(engine.stop);
const folder = mkdtempSync(join(tmpdir(), "stile-backup-"));
after(() => rmSync(folder, { recursive: true, force: true }));

test("writes a backup although a partition is removed between its look and its lock (D16, operator)", async (context) => {
  const url = engine.createDatabase("meeting");
  const node = await openPostgresStore({ url });
  const limits = { challengePerMinute: null, totalPerMinute: null };
  await node.sites.insertAccount({
    accountId: "acc_1",
    name: "Default",
    createdAtMs: Date.now(),
    ...limits,
  });
  const locker = new pg.Client({ connectionString: url });
  await locker.connect();
  context.after(() => Promise.all([node.close(), locker.end()]));
  const hourAgoMs = Date.now() - 3_600_000;
  await node.housekeeping.sweep(hourAgoMs);
  // pg_dump has read the list of tables, and locks them one after another.
  await locker.query("BEGIN; LOCK TABLE passkeys IN ACCESS EXCLUSIVE MODE");
  const file = join(folder, "backup");
  const backingUp = backupPostgres(url, file);
  const waiting = "SELECT count(*) FROM pg_locks WHERE NOT granted";
  while (engine.runSql("meeting", waiting) === "0") await Promise.race([delay(20), backingUp]);
  await node.housekeeping.sweep(hourAgoMs + 1_800_000);
  await locker.query("ROLLBACK");
  await backingUp;
  assert.ok((await readArchive(findPostgresPrograms(1), file)).step > 0);
});
