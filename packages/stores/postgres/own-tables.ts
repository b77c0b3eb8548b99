import type { DatabaseConnections, Query } from "./engine/database.ts";
import { DatabaseProblem } from "./engine/database-problem.ts";
import { DATABASE_NOW_MS } from "./engine/postgres-generation.ts";
import { POSTGRES_MIGRATIONS } from "./schema/postgres-schema.ts";

/** The names of the objects that the migrations create, read from their SQL. */
const namesMade = (pattern: RegExp): readonly string[] =>
  POSTGRES_MIGRATIONS.flatMap((sql) => [...sql.matchAll(pattern)].map(([, name]) => name ?? ""));

/** Every table of a database of this version, without the partitions. */
export const OWN_TABLES: readonly string[] = [
  "migrations",
  ...namesMade(/CREATE (?:UNLOGGED )?TABLE (\w+) \(/g),
];
/** Every function of a database of this version. */
export const OWN_FUNCTIONS: readonly string[] = namesMade(/CREATE FUNCTION (\w+)\(/g);

/**
 * The tables that a database at this version's last step lacks; a later version may have dropped
 * some. A table without its primary key counts as missing, as an interrupted restore leaves it: it
 * would accept a spent token again and again.
 */
export async function findMissingTables(query: Query): Promise<readonly string[]> {
  const select = `SELECT CASE WHEN to_regclass(name) IS NULL THEN name ELSE name || ' with its primary key' END AS name
    FROM unnest($1::TEXT[]) AS name
    WHERE NOT EXISTS (SELECT FROM pg_index WHERE indrelid = to_regclass(name) AND indisprimary AND indisvalid)
      AND (SELECT max(number) FROM migrations) = $2`;
  const { rows } = await query<{ name: string }>(select, [OWN_TABLES, POSTGRES_MIGRATIONS.length]);
  return rows.map(({ name }) => name);
}

/** A sentence about missing tables; undefined if there are none. */
export function describeMissing(missing: readonly string[]): string | undefined {
  if (missing.length === 0) return undefined;
  return `The database of STILE_DATABASE_URL lacks the table${missing.length > 1 ? "s" : ""} ${missing.join(", ")}`;
}

/** Throws DatabaseProblem if the database lost one of its tables. */
export async function checkWhole(query: Query): Promise<void> {
  const lost = describeMissing(await findMissingTables(query));
  if (lost === undefined) return;
  throw new DatabaseProblem(
    `${lost}, which it had before. Stop every node, and restore a backup: restore FILE --replace`,
  );
}

/**
 * Restores rows of the first start, without which nothing works, if somebody emptied their tables.
 * Without a horizon, every token counts as used; without turns, nodes do not wait for each other.
 * The horizon of the last sweep is lost, so everything over by now counts as swept.
 */
export async function putBackRows({ write }: Pick<DatabaseConnections, "write">): Promise<void> {
  await write(`WITH turn AS (INSERT INTO turns VALUES ('write'), ('first start') ON CONFLICT DO NOTHING),
      beat AS (INSERT INTO heartbeat VALUES (1, 0) ON CONFLICT DO NOTHING)
    INSERT INTO sweep_horizons SELECT name, ${DATABASE_NOW_MS}
      FROM unnest(ARRAY['token_marks', 'challenge_marks']) AS name ON CONFLICT DO NOTHING`);
}
