import assert from "node:assert/strict";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { StoreUnavailable } from "@stile/core/ports/store-unavailable";
import { explainFault } from "./operator-faults.ts";

const fault = new StoreUnavailable("connection refused");

test("names the place of a database that can't be used", () => {
  assert.match(
    explainFault(fault, { dataDirectory: "/var/lib/stile" }),
    /^The database in \/var\/lib\/stile can't be used/,
  );
});

test("explains a file error that a thread passed on as a message like any other", () => {
  const place = { dataDirectory: "/var/lib/stile" };
  const full = new Error(
    "ENOSPC: no space left on device, open '/var/lib/stile/stile.sqlite-generation.new'",
  );
  assert.equal(
    explainFault(full, place),
    "/var/lib/stile/stile.sqlite-generation.new can't be used (the disk is full). Make room and try again.",
  );
  const noThread = Object.assign(new Error("Worker initialization failure: EMFILE"), {
    code: "ERR_WORKER_INIT_FAILED",
  });
  assert.match(
    explainFault(noThread, place),
    /^The data directory .* \(too many files are open\)\. Raise .*ulimit -n/,
  );
});

test("names the folder for temporary files, not the data directory, for the fault of a temporary file", () => {
  const place = { dataDirectory: "/var/lib/stile" };
  const own = join(tmpdir(), "stile-restore-x1y2z3", "list");
  assert.equal(
    explainFault(Object.assign(new Error(), { code: "EACCES", path: own }), place),
    `${own} can't be used (this user has no permission). Fix that, or set TMPDIR to another folder.`,
  );
  // A write names no file.
  const full = Object.assign(new Error("ENOSPC: no space left on device, write"), {
    code: "ENOSPC",
    syscall: "write",
  });
  assert.equal(
    explainFault(full, place),
    `A file can't be written (the disk is full). Make room where /var/lib/stile is, and in ${tmpdir()} (TMPDIR), and try again.`,
  );
});

test("reports a fault that is not a file error with its place in the code", () => {
  const place = { dataDirectory: "/var/lib/stile" };
  const refused = Object.assign(new Error("connect ECONNREFUSED 127.0.0.1:5432"), {
    code: "ECONNREFUSED",
  });
  for (const fault of [refused, new TypeError("x is undefined")])
    assert.equal(explainFault(fault, place), fault.stack);
});

test("names the setting of PostgreSQL, and no file of the data directory", () => {
  const place = {
    dataDirectory: "/var/lib/stile",
    databaseUrl: "postgres://stile:secret@db/stile",
  };
  const told = explainFault(fault, place);
  assert.match(told, /^The database of STILE_DATABASE_URL can't be used/);
  assert.doesNotMatch(told, /var\/lib|secret/);
});
