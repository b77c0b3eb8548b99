import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { MIGRATIONS } from "./migrate.ts";

const FOLDER = join(import.meta.dirname, "..", "migrations");
const PINS = join(FOLDER, "released.json");

/**
 * White space and comments, perhaps around punctuation. Literals and quoted names come first: their
 * content counts.
 */
const GAP = String.raw`(?:\s|--[^\n]*|/\*[\s\S]*?\*/)`;
const PIECES = new RegExp(`'(?:[^']|'')*'|"(?:[^"]|"")*"|${GAP}*([(),;])${GAP}*|${GAP}+`, "g");

/** The SQL as SQLite understands it: layout and comments don't change the digest. */
function digest(sql: string): string {
  const tight = sql.replace(PIECES, (piece, mark?: string) =>
    /^['"]/.test(piece) ? piece : (mark ?? " "),
  );
  return createHash("sha256").update(tight.trim()).digest("hex");
}

const names = readdirSync(FOLDER)
  .filter((name) => name.endsWith(".ts"))
  .map((name) => name.slice(0, -".ts".length))
  .sort();
const pins = JSON.parse(readFileSync(PINS, "utf8")) as Record<string, string>;

test("the layout and the comments of a migration do not count, every word and literal does", () => {
  const sql = "CREATE TABLE a (b TEXT DEFAULT 'x  y');";
  assert.equal(
    digest("-- a table\nCREATE  TABLE a\n(\n  b TEXT /* which */ DEFAULT 'x  y'\n);\n"),
    digest(sql),
  );
  for (const other of [
    "CREATE TABLE a (b TEXT DEFAULT 'x y');",
    "CREATE TABLE ab (b TEXT DEFAULT 'x  y');",
  ]) {
    assert.notEqual(digest(other), digest(sql));
  }
});

test("each migration has one file, in order", () => {
  assert.equal(names.length, MIGRATIONS.length);
  for (const [index, name] of names.entries())
    assert.match(name, new RegExp(`^${String(index + 1).padStart(4, "0")}-`));
});

test("no migration that may have run somewhere was ever changed", () => {
  for (const [index, name] of names.entries()) {
    const is = digest(MIGRATIONS[index] ?? "");
    const pin = pins[name];
    assert.ok(
      pin,
      `${name} is new: add the line  "${name}": "${is}"  to migrations/released.json.`,
    );
    assert.equal(
      is,
      pin,
      `${name} was changed, but databases exist that took it as it was: they would never get the change, and differ from new ` +
        "ones for good. Put it back as it was (git log shows it), and write the change as a new migration with the next number.",
    );
  }
  const gone = Object.keys(pins).filter((name) => !names.includes(name));
  assert.deepEqual(gone, [], "a migration that was released is gone or renamed: put it back");
});
