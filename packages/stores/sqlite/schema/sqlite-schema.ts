import { ACCOUNT_TABLES } from "./sqlite-account-tables.ts";
import { SERVICE_TABLES } from "./sqlite-service-tables.ts";
import { SITE_TABLES } from "./sqlite-site-tables.ts";
import { STATISTICS_TABLES } from "./sqlite-statistics-tables.ts";

const VERSION_1 = [SITE_TABLES, SERVICE_TABLES, ACCOUNT_TABLES, STATISTICS_TABLES].join("\n");

/**
 * The migrations from an empty file to today's tables; the number of one is its place, counted from 1.
 * From the release of 0.1.0 on, none changes and new ones are appended: databases exist that
 * took the others as they were.
 */
export const MIGRATIONS: readonly string[] = [VERSION_1];
