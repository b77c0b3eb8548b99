import type { DatabaseSync } from "node:sqlite";
import { FIRST_TABLES } from "../migrations/0001-first-tables.ts";
import { ACCOUNT_TABLES } from "../migrations/0002-accounts.ts";
import { STATISTICS_TABLES } from "../migrations/0003-statistics.ts";
import { SCORE_BLOCK_TABLES } from "../migrations/0004-score-blocks.ts";
import { GENERATION_TABLES } from "../migrations/0005-generations.ts";
import { SECOND_FACTOR_COLUMNS } from "../migrations/0006-second-factors.ts";
import { ACCOUNT_LIMITS } from "../migrations/0007-account-limits.ts";
import { LAST_SEEN_COLUMN } from "../migrations/0008-last-seen.ts";
import { LAYOUT_TABLES } from "../migrations/0009-layout-banks.ts";
import { LAYOUT_VOTE_TABLES } from "../migrations/0010-layout-votes.ts";
import { MOVE_COLUMNS } from "../migrations/0011-moves.ts";
import { FADING_VOTE_COLUMNS } from "../migrations/0012-fading-votes.ts";
import { LINK_MAKER_COLUMN } from "../migrations/0013-makers-of-links.ts";
import { NEWEST_KEY_COLUMN } from "../migrations/0014-newest-key-id.ts";
import { CHANGE_DIGEST_COLUMN } from "../migrations/0015-repeated-changes.ts";
import { selectOne } from "./select.ts";

/**
 * The steps from an empty file to today's tables; a step's number is its place, counted from 1.
 * Steps are only appended: `migrations/released.json` pins their text.
 */
export const MIGRATIONS: readonly string[] = [
  FIRST_TABLES,
  ACCOUNT_TABLES,
  STATISTICS_TABLES,
  SCORE_BLOCK_TABLES,
  GENERATION_TABLES,
  SECOND_FACTOR_COLUMNS,
  ACCOUNT_LIMITS,
  LAST_SEEN_COLUMN,
  LAYOUT_TABLES,
  LAYOUT_VOTE_TABLES,
  MOVE_COLUMNS,
  FADING_VOTE_COLUMNS,
  LINK_MAKER_COLUMN,
  NEWEST_KEY_COLUMN,
  CHANGE_DIGEST_COLUMN,
];

/**
 * The database was written by a later version of the service; the message says what to do. Nothing
 * was changed.
 */
export class NewerDatabase extends Error {
  override readonly name = "NewerDatabase";
}

/** Throws NewerDatabase if the database took a step beyond the `known` number of steps. */
export function refuseNewer(step: number, known: number = MIGRATIONS.length): void {
  if (step <= known) return;
  throw new NewerDatabase(
    `The database was written by a newer version of Stile (its tables are at step ${step}, this version ` +
      `knows ${known}). Start that version or a later one, or restore a backup made with this one.`,
  );
}

/**
 * Brings the tables up to date, with all missing steps in one transaction: a crash or a failed step
 * leaves the database as it was, and the version that wrote it can still start. Does nothing if the
 * database is up to date. Throws NewerDatabase; throws SQLITE_BUSY while another process writes,
 * and can then simply be called again.
 */
export function migrate(database: DatabaseSync, migrations: readonly string[] = MIGRATIONS): void {
  inTransaction(database, () => {
    database.exec("CREATE TABLE IF NOT EXISTS migrations (number INTEGER PRIMARY KEY) STRICT");
    const { last } = selectOne<{ last: number }>(
      database,
      "SELECT coalesce(max(number), 0) AS last FROM migrations",
    );
    refuseNewer(last, migrations.length);
    const insert = database.prepare("INSERT INTO migrations (number) VALUES (?)");
    for (const [index, sql] of migrations.entries()) {
      if (index < last) continue;
      database.exec(sql);
      insert.run(index + 1);
    }
  });
}

function inTransaction(database: DatabaseSync, work: () => void): void {
  database.exec("BEGIN IMMEDIATE");
  try {
    work();
    database.exec("COMMIT");
  } catch (error) {
    if (database.isTransaction) database.exec("ROLLBACK");
    throw error;
  }
}
