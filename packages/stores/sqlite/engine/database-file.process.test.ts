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

test("a copy ends though somebody writes all the while, and is whole", {
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

test("of a database behind a link the log is read too, which lies beside the file and not beside the link", async (context) => {
  const elsewhere = join(folder, "elsewhere");
  mkdirSync(elsewhere);
  const [file, link] = [join(elsewhere, "stile.sqlite"), join(folder, "link.sqlite")];
  // As long as nobody folds it in, all of a new database is in its log.
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
