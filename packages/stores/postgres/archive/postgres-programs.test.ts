import assert from "node:assert/strict";
import { test } from "node:test";
import { DatabaseProblem } from "../engine/database-problem.ts";
import { findPostgresPrograms, firstWords } from "./postgres-programs.ts";

test("a server that is newer than every program is told with what to install", () => {
  assert.throws(
    () => findPostgresPrograms(99, "/nowhere"),
    (fault) => fault instanceof DatabaseProblem && /apt-get install postgresql-client-99$/.test(fault.message),
  );
});

test("programs are found outside PATH too, of the server's version or the next", () => {
  assert.match(findPostgresPrograms(14, "").pgDump, /^\/usr\/lib\/postgresql\/\d+\/bin\/pg_dump$/);
});

test("of what a program says, the first error counts", () => {
  assert.equal(
    firstWords('psql:<stdin>:3: ERROR:  relation "a" already exists\nmore\n'),
    'relation "a" already exists',
  );
  assert.equal(firstWords("pg_dump: error: connection failed.\n"), "connection failed");
  assert.equal(firstWords(""), "it said nothing");
});
