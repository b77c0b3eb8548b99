import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, test } from "node:test";
import { openSqliteStore } from "../sqlite-store.ts";
import { copyDatabase, inspectDatabase, readStep } from "./database-file.ts";
import { selectOne } from "./select.ts";

const folder = mkdtempSync(join(tmpdir(), "stile-copy-"));
after(() => rmSync(folder, { recursive: true, force: true }));

test("finishes a complete copy while another connection keeps writing", {
  timeout: 60_000,
}, async () => {
  const file = join(folder, "busy.sqlite");
  const busy = new DatabaseSync(file, { timeout: 1000 });
  busy.exec(
    "PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; CREATE TABLE spent (number INTEGER PRIMARY KEY, pad)",
  );
  const insert = busy.prepare("INSERT INTO spent (pad) VALUES (zeroblob(?))");
  busy.exec("BEGIN");
  for (let i = 0; i < 3000; i++) insert.run(4000);
  busy.exec("COMMIT");
  let isCopied = false;
  const write = (): void => {
    if (isCopied) return;
    insert.run(1);
    setImmediate(write);
  };
  write();
  const to = join(folder, "copy.sqlite");
  await copyDatabase(file, to);
  isCopied = true;
  busy.close();
  const copy = new DatabaseSync(to, { readOnly: true });
  const { rows, last } = selectOne<{ rows: number; last: number }>(
    copy,
    "SELECT count(*) AS rows, max(number) AS last FROM spent",
  );
  const { integrity_check: found } = selectOne<{ integrity_check: string }>(
    copy,
    "PRAGMA integrity_check",
  );
  copy.close();
  assert.deepEqual([rows, found], [last, "ok"]);
  assert.ok(rows >= 3000);
});

test("finds the log of a symlinked database next to the real file", async (context) => {
  const elsewhere = join(folder, "elsewhere");
  mkdirSync(elsewhere);
  const [file, link] = [join(elsewhere, "stile.sqlite"), join(folder, "link.sqlite")];
  // The log of a new database holds all of its content until a checkpoint.
  const store = await openSqliteStore({ file });
  context.after(() => store.close());
  const limits = { challengePerMinute: null, totalPerMinute: null };
  await store.sites.insertAccount({
    accountId: "acc_1",
    name: "Default",
    createdAtMs: 0,
    ...limits,
  });
  symlinkSync(file, link);
  assert.equal(inspectDatabase(link, true).kind, "installation");
  assert.deepEqual(
    [inspectDatabase(link, true), readStep(link)],
    [inspectDatabase(file, true), readStep(file)],
  );
});
