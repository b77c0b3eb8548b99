import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { POSTGRES_MIGRATIONS } from "./postgres-migrations.ts";

const FOLDER = join(import.meta.dirname, "..", "migrations");

/**
 * Digest of the SQL without regard to white space; the bodies of functions are stored as text,
 * comments included.
 */
function digest(sql: string): string {
  return createHash("sha256").update(sql.replaceAll(/\s+/g, " ").trim()).digest("hex");
}

const names = readdirSync(FOLDER)
  .filter((name) => name.endsWith(".ts"))
  .map((name) => name.slice(0, -".ts".length))
  .sort();
const pins = JSON.parse(readFileSync(join(FOLDER, "released.json"), "utf8")) as Record<
  string,
  string
>;

test("each migration of PostgreSQL has one file, in order", () => {
  assert.equal(names.length, POSTGRES_MIGRATIONS.length);
  for (const [index, name] of names.entries())
    assert.match(name, new RegExp(`^${String(index + 1).padStart(4, "0")}-`));
});

test("no migration of PostgreSQL that may have run somewhere was ever changed", () => {
  const digests = names.map(
    (name, index) => [name, digest(POSTGRES_MIGRATIONS[index] ?? "")] as const,
  );
  assert.deepEqual(
    Object.fromEntries(digests),
    pins,
    "databases exist that took a migration as it was: put it back, and write the change as a new one with the next number; " +
      "a function that changes gets another number in its name. A new migration gets its line in migrations/released.json.",
  );
});
