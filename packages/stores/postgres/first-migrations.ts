import { FIRST_TABLES } from "./migrations/0001-sites-and-marks.ts";
import { STATISTICS_TABLES } from "./migrations/0002-statistics.ts";
import { ACCOUNT_TABLES } from "./migrations/0003-accounts.ts";
import { COUNTING_FUNCTIONS } from "./migrations/0004-count-names.ts";
import { SPENDING_FUNCTIONS } from "./migrations/0005-spend.ts";
import { PARTITION_FUNCTIONS } from "./migrations/0006-partitions.ts";
import { NODE_TABLES } from "./migrations/0007-nodes.ts";
import { GENERATION_FUNCTIONS } from "./migrations/0008-generation-of-a-batch.ts";
import { NODE_MARKS } from "./migrations/0009-node-marks.ts";
import { SPENDS_ELSEWHERE } from "./migrations/0010-where-spends-lie.ts";
import { LEASE_FUNCTIONS } from "./migrations/0011-limit-leases.ts";
import { SPENDING_AT_ONCE } from "./migrations/0012-spend-at-once.ts";

/**
 * The first twelve steps (`engine/postgres-migrations.ts`): sites, statistics, accounts, and
 * spending.
 */
export const FIRST_MIGRATIONS: readonly string[] = [
  FIRST_TABLES,
  STATISTICS_TABLES,
  ACCOUNT_TABLES,
  COUNTING_FUNCTIONS,
  SPENDING_FUNCTIONS,
  PARTITION_FUNCTIONS,
  NODE_TABLES,
  GENERATION_FUNCTIONS,
  NODE_MARKS,
  SPENDS_ELSEWHERE,
  LEASE_FUNCTIONS,
  SPENDING_AT_ONCE,
];
