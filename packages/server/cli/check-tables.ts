import type { Finding } from "@stile/protocol/dashboard-api";
import { MIGRATIONS } from "@stile/stores/sqlite/schema/sqlite-schema";
import { COMMAND_LINE } from "../command-line.ts";

/**
 * Whether the next start upgrades the tables of the embedded database. `step` is its last
 * migration.
 */
export const hasOlderTables = (step: number): boolean => step < MIGRATIONS.length;

/** Finding for an embedded database that SQLite reports as damaged, with SQLite's message. */
export const damagedTables = (detail: string): Finding => ({
  level: "fail",
  text: `The database is damaged (${detail}).`,
  fix: `Restore a backup: ${COMMAND_LINE} restore FILE`,
});

/** Finding for an embedded database with older tables. */
export const OLDER: Finding = {
  level: "warn",
  text: "The database was written by an older version of Stile.",
  fix: "The next start upgrades it, and keeps a copy next to it.",
};
