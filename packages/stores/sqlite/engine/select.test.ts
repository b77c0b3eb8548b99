import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { prepareSelect, selectOne, toPlainRow } from "./select.ts";

const database = new DatabaseSync(":memory:");
database.exec("CREATE TABLE pets (name TEXT NOT NULL, legs INTEGER) STRICT");
database.exec("INSERT INTO pets VALUES ('cat', 4), ('fish', NULL), ('hen', 2)");

type Pet = { readonly name: string; readonly legs: number | null };

test("returns rows in the query's order, with parameters by position or by name", () => {
  const select = prepareSelect<Pet>(
    database,
    "SELECT name, legs FROM pets WHERE name >= $from ORDER BY name",
  );
  assert.deepEqual(select.all({ from: "d" }).map(toPlainRow), [
    { name: "fish", legs: null },
    { name: "hen", legs: 2 },
  ]);
  assert.equal(select.get({ from: "a" })?.legs, 4);
  assert.equal(select.get({ from: "x" }), undefined);
  const byPlace = prepareSelect<Pet>(
    database,
    "SELECT name, legs FROM pets WHERE legs > ? AND name <> ?",
  );
  assert.deepEqual(
    byPlace.all(1, "hen").map(({ name }) => name),
    ["cat"],
  );
});

test("returns rows as plain objects, unlike node:sqlite", () => {
  const written: Pet = { name: "hen", legs: 2 };
  const row = prepareSelect<Pet>(database, "SELECT name, legs FROM pets WHERE name = ?").get(
    written.name,
  );
  assert.ok(row !== undefined);
  assert.deepEqual(toPlainRow(row), written);
  assert.notDeepEqual(row, written);
});

test("selectOne throws if there is no row", () => {
  assert.equal(selectOne<{ pets: number }>(database, "SELECT count(*) AS pets FROM pets").pets, 3);
  assert.throws(
    () => selectOne<Pet>(database, "SELECT * FROM pets WHERE name = 'dog'"),
    /the query must have a row, but has none: SELECT/,
  );
});
