import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { type TestContext, test } from "node:test";
import { DatabaseProblem } from "../engine/database-problem.ts";
import { findPostgresPrograms, firstWords } from "./postgres-programs.ts";

test("says what to install when the server is newer than every program", () => {
  assert.throws(
    () => findPostgresPrograms(99, "/nowhere"),
    (fault) =>
      fault instanceof DatabaseProblem &&
      /apt-get install postgresql-client-99$/.test(fault.message),
  );
});

test("finds programs outside PATH too, of the server's version or the next", () => {
  assert.match(findPostgresPrograms(14, "").pgDump, /^\/usr\/lib\/postgresql\/\d+\/bin\/pg_dump$/);
});

/** A folder with programs that print that version. */
function programsOf(context: TestContext, version: number): string {
  const folder = mkdtempSync(join(tmpdir(), "stile-programs-"));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  for (const name of ["pg_dump", "pg_restore", "psql"])
    writeFileSync(join(folder, name), `#!/bin/sh\necho "${name} (PostgreSQL) ${version}.1"\n`, {
      mode: 0o755,
    });
  return folder;
}

test("prefers the server's own version, then the nearest newer one, and among equals those of PATH", (context) => {
  const [older, own, next, newest] = [97, 98, 99, 100].map((version) =>
    programsOf(context, version),
  );
  const found = (major: number, ...folders: readonly (string | undefined)[]): string =>
    findPostgresPrograms(major, folders.join(delimiter)).pgDump;
  assert.equal(found(98, older, newest, own, next), `${own}/pg_dump`);
  assert.equal(found(98, older, newest, next), `${next}/pg_dump`);
  assert.equal(found(98, own, programsOf(context, 98)), `${own}/pg_dump`);
});

test("takes the first error of a program's output", () => {
  assert.equal(
    firstWords('psql:<stdin>:3: ERROR:  relation "a" already exists\nmore\n'),
    'relation "a" already exists',
  );
  assert.equal(firstWords("pg_dump: error: connection failed.\n"), "connection failed");
  assert.equal(firstWords(""), "it said nothing");
});
