import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { POSTGRES_MIGRATIONS } from "../postgres/schema/postgres-schema.ts";
import { MIGRATIONS } from "../sqlite/schema/sqlite-schema.ts";

/** The digest of each migration, in order. */
const PINS = {
  sqlite: ["99866d975000f468aaaf992a2e127998f7867e81030d855d13d405cd4a362324"],
  postgres: ["e8eee74639f433eef19612fd56bc9998b7203236715d961b66c84bc920e94675"],
};

/** The digest of the SQL, ignoring white space. */
function digest(sql: string): string {
  return createHash("sha256").update(sql.replaceAll(/\s+/g, " ").trim()).digest("hex");
}

for (const [engine, migrations] of Object.entries({
  sqlite: MIGRATIONS,
  postgres: POSTGRES_MIGRATIONS,
}) as [keyof typeof PINS, readonly string[]][]) {
  test(`keeps every released migration of ${engine} unchanged`, () => {
    assert.deepEqual(
      migrations.map(digest),
      PINS[engine],
      "Until 0.1.0 is released, replace the digest of migration 1. From then on, databases exist that took a migration " +
        "as it was: restore it, and write the change as a new migration, whose digest is added here.",
    );
  });
}
