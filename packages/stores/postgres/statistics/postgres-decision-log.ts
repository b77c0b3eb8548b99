import { withChange } from "@stile/core/domain/account/audit";
import {
  DECISION_DAYS,
  filterOf,
  firstIdOf,
  KEPT_ENTRIES,
  type LogEntry,
  REFUSALS_READ_FOR_HOSTS,
} from "@stile/core/domain/statistics/decision";
import type { DecisionLog } from "@stile/core/ports/statistics/decision-log";
import type { DecisionLabel, RefusedHost } from "@stile/protocol/dashboard-statistics";
import { createBufferedDecisions } from "../../buffers/buffered-decisions.ts";
import { detailOf, type LogRow, toEntry } from "../../rows/log-rows.ts";
import { writeAudit } from "../account/postgres-audit-log.ts";
import type { Database, DatabaseConnections } from "../engine/database.ts";
import { deleteInSteps } from "../postgres-housekeeping.ts";

const DAY_MS = 86_400_000;

const LIST = `SELECT site_key AS "siteKey", decision_id AS "decisionId", request_id AS "requestId", recommendation AS show,
    label, detail::TEXT AS detail
  FROM decisions WHERE site_key = $1 AND ($3::text IS NULL OR decision_id < $3) AND ($4::text IS NULL OR recommendation = $4)
    AND ($5::text IS NULL OR request_id = $5) ORDER BY decision_id DESC LIMIT $2`;

const REFUSED_HOSTS = `SELECT detail ->> 'host' AS host, max((detail ->> 'atMs')::BIGINT) AS "lastAtMs" FROM
    (SELECT detail FROM decisions WHERE site_key = $1 AND decision_id >= $2 AND decision_id < $3
      AND recommendation = 'refused' ORDER BY decision_id DESC LIMIT ${REFUSALS_READ_FOR_HOSTS}) AS refusals
  WHERE detail ->> 'reason' = 'domain_mismatch' AND detail ->> 'host' IS NOT NULL
  GROUP BY detail ->> 'host' ORDER BY count(*) DESC, (detail ->> 'host') COLLATE "C" LIMIT $4`;

const INSERT = `INSERT INTO decisions (site_key, decision_id, request_id, recommendation, label, detail)
  SELECT d.site, d.id, d.request, d.show, d.label, d.detail::JSON
    FROM jsonb_to_recordset($1) AS d (site TEXT, id TEXT, request TEXT, show TEXT, label TEXT, detail TEXT)
    JOIN sites ON sites.site_key = d.site ORDER BY d.site COLLATE "C", d.id COLLATE "C"
  ON CONFLICT (site_key, decision_id) DO NOTHING`;

/**
 * Locked until the label is written, so that each of two concurrent changes reports the label that
 * it replaced.
 */
const SELECT_LABEL = `SELECT label FROM decisions
  WHERE site_key = $1 AND decision_id = $2 AND recommendation <> 'refused' FOR UPDATE`;

const LAST_KEPT = `SELECT decision_id AS "decisionId" FROM decisions
  WHERE site_key = $1 AND (recommendation = 'refused') = $2 AND (label IS NOT NULL) = $3
  ORDER BY decision_id DESC LIMIT 1 OFFSET $4`;
const REMOVE = `DELETE FROM decisions WHERE site_key = $2 AND decision_id IN
  (SELECT decision_id FROM decisions WHERE site_key = $2 AND (recommendation = 'refused') = $3
    AND (label IS NOT NULL) = $4 AND decision_id < $5 ORDER BY decision_id LIMIT $1)`;

/**
 * Removes decisions that are too old or beyond the newest of their kind, in steps of one site each.
 */
async function prune(jobs: DatabaseConnections, nowMs: number): Promise<number> {
  const oldestId = firstIdOf(nowMs - DECISION_DAYS * DAY_MS);
  const { rows: sites } = await jobs.read<{ siteKey: string }>(
    'SELECT site_key AS "siteKey" FROM sites',
  );
  let removed = 0;
  for (const { siteKey } of sites) {
    for (const { isRefusal, isLabelled, max } of KEPT_ENTRIES) {
      const kind = [siteKey, isRefusal, isLabelled];
      const { rows } = await jobs.read<{ decisionId: string }>(LAST_KEPT, [...kind, max - 1]);
      const lastKept = rows[0]?.decisionId ?? "";
      const beforeId = lastKept > oldestId ? lastKept : oldestId;
      removed += await deleteInSteps(jobs, REMOVE, [...kind, beforeId]);
    }
  }
  return removed;
}

function toWritten(entry: LogEntry) {
  const { siteKey, decisionId, requestId } = entry;
  const label = entry.outcome === "refused" ? null : entry.label;
  const detail = JSON.stringify(detailOf(entry));
  return {
    site: siteKey,
    id: decisionId,
    request: requestId,
    show: filterOf(entry),
    label,
    detail,
  };
}

/** The latest decisions of each site, in PostgreSQL. */
export function createPostgresDecisionLog({ calls, figures, jobs }: Database): DecisionLog {
  return {
    ...createBufferedDecisions(async (entries) => {
      await jobs.write(INSERT, [JSON.stringify(entries.map(toWritten))]);
    }),
    list: async (query) => {
      const { siteKey, limit, beforeId = null, show = null, requestId = null } = query;
      const parameters = [siteKey, limit, beforeId, show, requestId];
      const { rows } = await figures.read<LogRow>(LIST, parameters);
      return rows.map(toEntry);
    },
    listRefusedHosts: async (query) => {
      const span = [firstIdOf(query.fromMs), firstIdOf(query.toMs)];
      const parameters = [query.siteKey, ...span, query.limit];
      return (await figures.read<RefusedHost>(REFUSED_HOSTS, parameters)).rows;
    },
    setLabel: ({ siteKey, decisionId, label }, entry) =>
      calls.transaction(async (query) => {
        const { rows } = await query<{ label: DecisionLabel | null }>(SELECT_LABEL, [
          siteKey,
          decisionId,
        ]);
        const [found] = rows;
        if (found === undefined || found.label === label) return found !== undefined;
        await query("UPDATE decisions SET label = $1 WHERE site_key = $2 AND decision_id = $3", [
          label,
          siteKey,
          decisionId,
        ]);
        await writeAudit(
          query,
          entry && withChange(entry, { field: "label", before: found.label, after: label }),
        );
        return true;
      }),
    prune: (nowMs) => prune(jobs, nowMs),
  };
}
