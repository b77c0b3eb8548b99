import { ACCOUNT_TABLES } from "./sqlite-account-tables.ts";
import { SERVICE_TABLES } from "./sqlite-service-tables.ts";
import { SITE_TABLES } from "./sqlite-site-tables.ts";
import { STATISTICS_TABLES } from "./sqlite-statistics-tables.ts";

const VERSION_1 = [SITE_TABLES, SERVICE_TABLES, ACCOUNT_TABLES, STATISTICS_TABLES].join("\n");

/**
 * The migrations from an empty file to today's tables. A migration's number is its place, counted
 * from 1. From release 0.1.0, existing migrations never change, and new ones are appended.
 */
export const MIGRATIONS: readonly string[] = [VERSION_1];
