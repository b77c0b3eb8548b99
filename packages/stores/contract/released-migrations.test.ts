import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { POSTGRES_MIGRATIONS } from "../postgres/schema/postgres-schema.ts";
import { MIGRATIONS } from "../sqlite/schema/sqlite-schema.ts";

/** The digest of each migration, in order. */
const PINS = {
  sqlite: ["1a266ec7e1c404085679fde3057db6c06d86913f2b55d6eecedf0a45b8b82249"],
  postgres: ["1018eb5e20edeccf16ef980cdfc111116b9a75ec9234f4c7e35d3b1c5ad57c2a"],
};

/** Digest of the SQL without regard to white space. */
function digest(sql: string): string {
  return createHash("sha256").update(sql.replaceAll(/\s+/g, " ").trim()).digest("hex");
}

for (const [engine, migrations] of Object.entries({
  sqlite: MIGRATIONS,
  postgres: POSTGRES_MIGRATIONS,
}) as [keyof typeof PINS, readonly string[]][]) {
  test(`no migration of ${engine} that was released is ever changed`, () => {
    assert.deepEqual(
      migrations.map(digest),
      PINS[engine],
      "Until 0.1.0 is released, replace the digest of migration 1. From then on, databases exist that took a migration " +
        "as it was: restore it, and write the change as a new migration, whose digest is added here.",
    );
  });
}
