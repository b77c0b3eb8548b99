import { FIRST_MIGRATIONS } from "../first-migrations.ts";
import { LAYOUT_TABLES } from "../migrations/0013-layout-banks.ts";
import { LAYOUT_VOTE_TABLES } from "../migrations/0014-layout-votes.ts";
import { FADING_VOTE_COLUMNS } from "../migrations/0015-fading-votes.ts";
import { LINK_MAKER_COLUMN } from "../migrations/0016-makers-of-links.ts";
import { LEAST_KNOWN_COLUMN } from "../migrations/0017-who-can-run.ts";
import { COUNTED_ONCE } from "../migrations/0018-counted-once.ts";
import { NEWEST_KEY_COLUMN } from "../migrations/0019-newest-key-id.ts";
import { MARK_PARTITIONS } from "../migrations/0020-mark-partitions.ts";
import { PLACES_BY_SHARE } from "../migrations/0021-places-by-share.ts";
import { CURRENT_RUN_FUNCTION } from "../migrations/0022-current-run.ts";
import { CHANGE_DIGEST_COLUMN } from "../migrations/0023-repeated-changes.ts";

/**
 * The steps from an empty database to today's tables; a step's number is its place, counted from 1.
 * Steps are only appended: `../migrations/released.json` pins their text. Nodes of the version
 * before keep running while one of this version starts, so a step adds, and what it makes
 * unnecessary is removed a version later; a function that changes gets another number in its name.
 */
export const POSTGRES_MIGRATIONS: readonly string[] = [
  ...FIRST_MIGRATIONS,
  LAYOUT_TABLES,
  LAYOUT_VOTE_TABLES,
  FADING_VOTE_COLUMNS,
  LINK_MAKER_COLUMN,
  LEAST_KNOWN_COLUMN,
  COUNTED_ONCE,
  NEWEST_KEY_COLUMN,
  MARK_PARTITIONS,
  PLACES_BY_SHARE,
  CURRENT_RUN_FUNCTION,
  CHANGE_DIGEST_COLUMN,
];

/**
 * How many steps a program must know to run on today's tables (decision 0096). A step that adds
 * leaves this as it is. A step that removes what older programs use raises this to its own number:
 * those programs are refused from then on.
 */
export const LEAST_KNOWN = 17;
