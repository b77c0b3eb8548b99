import { SPENDING_FUNCTIONS } from "../spending/postgres-spending-functions.ts";
import { ACCOUNT_TABLES } from "./postgres-account-tables.ts";
import { COUNTING_FUNCTIONS } from "./postgres-counting-functions.ts";
import { GENERATION_FUNCTIONS } from "./postgres-generation-functions.ts";
import { NODE_TABLES } from "./postgres-node-tables.ts";
import { PARTITION_FUNCTIONS } from "./postgres-partition-functions.ts";
import { SERVICE_TABLES } from "./postgres-service-tables.ts";
import { SITE_TABLES } from "./postgres-site-tables.ts";
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
 * The migrations from an empty database to today's tables. A migration's number is its place,
 * counted from 1. From release 0.1.0, existing migrations never change, and new ones are appended.
 * Nodes of the previous version keep running while a node of this version starts. So a migration
 * only adds, and what it makes unnecessary is removed one version later. A function that changes
 * gets another number in its name.
 */
export const POSTGRES_MIGRATIONS: readonly string[] = [VERSION_1];

/**
 * How many migrations a program must know to run on today's tables. A migration that adds leaves
 * this unchanged. A migration that removes what older programs use sets it to its own number; from
 * then on those programs are refused.
 */
export const LEAST_KNOWN = 1;
