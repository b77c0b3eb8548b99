// The service as a later version, whose tables are one step ahead of this one's; settings and
// output are those of the service. With the argument "forgets" that step is wrong on purpose, to
// prove that the search for double spends works.
import { POSTGRES_MIGRATIONS } from "@stile/stores/postgres/schema/postgres-schema";

/**
 * Adds a column to one table of each kind: one that is read with `*`, one whose writes name their
 * columns, one that is partitioned.
 */
const ADDS = `
ALTER TABLE sites ADD COLUMN later TEXT NOT NULL DEFAULT '';
ALTER TABLE links ADD COLUMN later BIGINT;
ALTER TABLE token_marks ADD COLUMN later BIGINT;
CREATE TABLE later_table (id BIGINT PRIMARY KEY);
`;

/**
 * Removes the mark of every spent token right after it was spent, without triggering the check for
 * removed marks.
 */
const FORGETS = `
ALTER TABLE token_marks DISABLE TRIGGER note_removal;
CREATE FUNCTION forget_mark() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM token_marks WHERE keep_until_ms = new.keep_until_ms AND id = new.id;
  RETURN NULL;
END $$;
CREATE TRIGGER forgets AFTER INSERT ON token_marks FOR EACH ROW EXECUTE FUNCTION forget_mark();
`;

(POSTGRES_MIGRATIONS as string[]).push(process.argv.includes("forgets") ? FORGETS : ADDS);
// Removes our argument, so that the service does not take it for its own.
process.argv.splice(2);
await import("@stile/server/main");
