import { FIRST_TABLES } from "../migrations/0001-sites-and-marks.ts";
import { STATISTICS_TABLES } from "../migrations/0002-statistics.ts";
import { ACCOUNT_TABLES } from "../migrations/0003-accounts.ts";
import { COUNTING_FUNCTIONS } from "../migrations/0004-count-names.ts";
import { SPENDING_FUNCTIONS } from "../migrations/0005-spend.ts";
import { PARTITION_FUNCTIONS } from "../migrations/0006-partitions.ts";
import { NODE_TABLES } from "../migrations/0007-nodes.ts";
import { GENERATION_FUNCTIONS } from "../migrations/0008-generation-of-a-batch.ts";
import { NODE_MARKS } from "../migrations/0009-node-marks.ts";
import { SPENDS_ELSEWHERE } from "../migrations/0010-where-spends-lie.ts";
import { LEASE_FUNCTIONS } from "../migrations/0011-limit-leases.ts";
import { SPENDING_AT_ONCE } from "../migrations/0012-spend-at-once.ts";
import { LAYOUT_TABLES } from "../migrations/0013-layout-banks.ts";
import { LAYOUT_VOTE_TABLES } from "../migrations/0014-layout-votes.ts";
import { FADING_VOTE_COLUMNS } from "../migrations/0015-fading-votes.ts";
import { LINK_MAKER_COLUMN } from "../migrations/0016-makers-of-links.ts";

/**
 * The steps from an empty database to today's tables; the number of a step is its place, counted from 1. Only ever appended to:
 * what a step is, `../migrations/released.json` pins. Nodes of the version before go on while one of this version starts, so a step
 * adds, and what it makes needless goes a version later; a function that changes gets another number in its name.
 */
export const POSTGRES_MIGRATIONS: readonly string[] = [
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
  LAYOUT_TABLES,
  LAYOUT_VOTE_TABLES,
  FADING_VOTE_COLUMNS,
  LINK_MAKER_COLUMN,
];
