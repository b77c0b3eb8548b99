import { ACCOUNT_TABLES } from "./postgres-account-tables.ts";
import { COUNTING_FUNCTIONS } from "./postgres-counting-functions.ts";
import { GENERATION_FUNCTIONS } from "./postgres-generation-functions.ts";
import { NODE_TABLES } from "./postgres-node-tables.ts";
import { PARTITION_FUNCTIONS } from "./postgres-partition-functions.ts";
import { SERVICE_TABLES } from "./postgres-service-tables.ts";
import { SITE_TABLES } from "./postgres-site-tables.ts";
import { SPENDING_FUNCTIONS } from "./postgres-spending-functions.ts";
import { STATISTICS_TABLES } from "./postgres-statistics-tables.ts";

const VERSION_1 = [
  SITE_TABLES,
  SERVICE_TABLES,
  ACCOUNT_TABLES,
  STATISTICS_TABLES,
  NODE_TABLES,
  GENERATION_FUNCTIONS,
  COUNTING_FUNCTIONS,
  PARTITION_FUNCTIONS,
  SPENDING_FUNCTIONS,
].join("\n");

/**
 * The migrations from an empty database to today's tables; the number of one is its place, counted from 1.
 * From the release of 0.1.0 on, none changes and new ones are appended. Nodes of the version
 * before keep running while one of this version starts, so a migration adds, and what it makes
 * unnecessary is removed a version later; a function that changes gets another number in its name.
 */
export const POSTGRES_MIGRATIONS: readonly string[] = [VERSION_1];

/**
 * How many migrations a program must know to run on today's tables. A migration that adds leaves this as it
 * is. A migration that removes what older programs use raises this to its own number: those programs are
 * refused from then on.
 */
export const LEAST_KNOWN = 1;
