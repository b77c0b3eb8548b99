import assert from "node:assert/strict";
import { test } from "node:test";
import { StoreUnavailable } from "@stile/core/ports/store-unavailable";
import { explainFault } from "./operator-faults.ts";

const fault = new StoreUnavailable("connection refused");

test("a database that can't be used is named where it is", () => {
  assert.match(
    explainFault(fault, { dataDirectory: "/var/lib/stile" }),
    /^The database in \/var\/lib\/stile can't be used/,
  );
});

test("and with PostgreSQL its setting is named: no file of the data directory has anything to do with it", () => {
  const place = { dataDirectory: "/var/lib/stile", databaseUrl: "postgres://stile:secret@db/stile" };
  const told = explainFault(fault, place);
  assert.match(told, /^The database of STILE_DATABASE_URL can't be used/);
  assert.doesNotMatch(told, /var\/lib|secret/);
});
