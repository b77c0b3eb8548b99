import type { DatabaseSync } from "node:sqlite";
import { createSqliteAuditLog } from "./account/sqlite-audit-log.ts";
import { createSqliteLinks } from "./account/sqlite-links.ts";
import { createSqliteMembers } from "./account/sqlite-members.ts";
import { createSqliteSessions } from "./account/sqlite-sessions.ts";
import type { Writer } from "./engine/group-commit.ts";
import { createSqliteKeyUsage } from "./site/sqlite-key-usage.ts";
import { createSqliteSites } from "./site/sqlite-sites.ts";
import { createSqliteHousekeeping } from "./sqlite-housekeeping.ts";
import { createSqliteServiceKeys } from "./sqlite-service-keys.ts";
import { createSqliteDecisionLog } from "./statistics/sqlite-decision-log.ts";
import { createSqliteStatistics } from "./statistics/sqlite-statistics.ts";
import { createSqliteTokenLedger } from "./token/sqlite-token-ledger.ts";

/**
 * All ports. They read over the connection and write with the writer; `now` is the monotonic clock
 * (ms).
 */
export function createSqlitePorts(database: DatabaseSync, writer: Writer, now: () => number) {
  return {
    sites: createSqliteSites(database, writer, now),
    tokens: createSqliteTokenLedger(database, writer, now),
    statistics: createSqliteStatistics(database, writer, now),
    decisions: createSqliteDecisionLog(database, writer, now),
    keyUsage: createSqliteKeyUsage(database, writer, now),
    serviceKeys: createSqliteServiceKeys(database, writer, now),
    members: createSqliteMembers(database, writer, now),
    links: createSqliteLinks(database, writer, now),
    sessions: createSqliteSessions(database, writer, now),
    auditLog: createSqliteAuditLog(database, writer, now),
    housekeeping: createSqliteHousekeeping(database, writer, now),
  };
}

/** All ports that a connection offers, and the writes of their buffers. */
export type SqlitePorts = ReturnType<typeof createSqlitePorts>;
