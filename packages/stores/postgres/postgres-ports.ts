import { createPostgresAuditLog } from "./account/postgres-audit-log.ts";
import { createPostgresLinks } from "./account/postgres-links.ts";
import { createPostgresMembers } from "./account/postgres-members.ts";
import { createPostgresSessions } from "./account/postgres-sessions.ts";
import type { Database } from "./engine/database.ts";
import { createPostgresHousekeeping } from "./postgres-housekeeping.ts";
import { createPostgresServiceKeys } from "./postgres-service-keys.ts";
import { createPostgresKeyUsage } from "./site/postgres-key-usage.ts";
import { createPostgresSites } from "./site/postgres-sites.ts";
import { createSpending, type SpendingPlan } from "./spending/spending.ts";
import { createPostgresDecisionLog } from "./statistics/postgres-decision-log.ts";
import { createPostgresStatistics } from "./statistics/postgres-statistics.ts";
import { createPostgresTokenLedger } from "./token/postgres-token-ledger.ts";

/** All ports over those connections, and `spending`. */
export function createPostgresPorts(database: Database, plan: SpendingPlan) {
  const { calls, jobs } = database;
  const spending = createSpending(database, plan);
  const ports = {
    sites: createPostgresSites(database, spending.turns),
    tokens: createPostgresTokenLedger(calls, spending),
    challenges: { spend: spending.spendChallenge },
    limiter: { consume: spending.consume },
    statistics: createPostgresStatistics(database),
    decisions: createPostgresDecisionLog(database),
    keyUsage: createPostgresKeyUsage(database),
    serviceKeys: createPostgresServiceKeys(calls),
    members: createPostgresMembers(calls),
    links: createPostgresLinks(calls, jobs),
    sessions: createPostgresSessions(calls, jobs),
    auditLog: createPostgresAuditLog(calls, jobs),
    housekeeping: createPostgresHousekeeping(jobs),
  };
  return { ports, spending };
}
