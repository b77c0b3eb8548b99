import type { DatabaseSync } from "node:sqlite";
import { withChange } from "@stile/core/domain/account/audit";
import {
  DECISION_DAYS,
  filterOf,
  firstIdOf,
  KEPT_ENTRIES,
  type LogEntry,
  REFUSALS_READ_FOR_HOSTS,
} from "@stile/core/domain/statistics/decision";
import type {
  DecisionLog,
  DecisionQuery,
  RefusedHostQuery,
} from "@stile/core/ports/statistics/decision-log";
import type { DecisionLabel, RefusedHost } from "@stile/protocol/dashboard-statistics";
import { createBufferedDecisions, type InsertEntries } from "../../buffers/buffered-decisions.ts";
import { detailOf, type LogRow, toEntry } from "../../rows/log-rows.ts";
import { createAuditWriter } from "../account/sqlite-audit-log.ts";
import { retryWhileBusy } from "../engine/busy.ts";
import type { Writer } from "../engine/group-commit.ts";
import { prepareSelect, toPlainRow } from "../engine/select.ts";
import { SWEEP_STEP_ROWS } from "../engine/spent-sweep.ts";
import { inSteps } from "../sqlite-housekeeping.ts";

const DAY_MS = 86_400_000;

function createReader(database: DatabaseSync): (query: DecisionQuery) => readonly LogEntry[] {
  const select = prepareSelect<LogRow>(
    database,
    `SELECT site_key AS siteKey, decision_id AS decisionId, request_id AS requestId, recommendation AS show, label, detail
      FROM decisions WHERE site_key = $siteKey AND ($beforeId IS NULL OR decision_id < $beforeId)
      AND ($show IS NULL OR recommendation = $show)
      AND ($requestId IS NULL OR request_id = $requestId) ORDER BY decision_id DESC LIMIT $limit`,
  );
  return (query) => {
    const { siteKey, limit, beforeId = null, show = null, requestId = null } = query;
    return select.all({ siteKey, limit, beforeId, show, requestId }).map(toEntry);
  };
}

function createHostReader(
  database: DatabaseSync,
): (query: RefusedHostQuery) => readonly RefusedHost[] {
  const select = prepareSelect<RefusedHost>(
    database,
    `SELECT json_extract(detail, '$.host') AS host, max(json_extract(detail, '$.atMs')) AS lastAtMs FROM
      (SELECT detail FROM decisions WHERE site_key = $siteKey AND decision_id >= $fromId AND decision_id < $toId
        AND recommendation = 'refused' ORDER BY decision_id DESC LIMIT ${REFUSALS_READ_FOR_HOSTS})
      WHERE json_extract(detail, '$.reason') = 'domain_mismatch' AND json_extract(detail, '$.host') IS NOT NULL
      GROUP BY host ORDER BY count(*) DESC, host LIMIT $limit`,
  );
  return (query) => {
    const rows = select.all({
      siteKey: query.siteKey,
      fromId: firstIdOf(query.fromMs),
      toId: firstIdOf(query.toMs),
      limit: query.limit,
    });
    return rows.map(toPlainRow);
  };
}

/**
 * Whether a row is one of those that are counted together (KEPT_ENTRIES). Its parameters are the
 * second and third.
 */
const IS_OF_KIND = "(recommendation = 'refused') = ?2 AND (label IS NOT NULL) = ?3";

/**
 * Removes rows that are too old, or beyond the newest of their kind, a few rows of one site at a
 * time.
 */
function createPrune(database: DatabaseSync, writer: Writer): (nowMs: number) => Promise<number> {
  const selectSites = prepareSelect<{ readonly siteKey: string }>(
    database,
    "SELECT site_key AS siteKey FROM sites",
  );
  const selectLastKept = prepareSelect<{ readonly decisionId: string }>(
    database,
    `SELECT decision_id AS decisionId FROM decisions WHERE site_key = ?1 AND ${IS_OF_KIND}
      ORDER BY decision_id DESC LIMIT 1 OFFSET ?4`,
  );
  const remove = database.prepare(
    `DELETE FROM decisions WHERE site_key = ?1 AND decision_id IN
      (SELECT decision_id FROM decisions WHERE site_key = ?1 AND ${IS_OF_KIND} AND decision_id < ?4
        ORDER BY decision_id LIMIT ${SWEEP_STEP_ROWS})`,
  );
  return async (nowMs) => {
    const oldestId = firstIdOf(nowMs - DECISION_DAYS * DAY_MS);
    const sites = await writer.write(() => selectSites.all());
    let removed = 0;
    for (const { siteKey } of sites) {
      for (const { isRefusal, isLabelled, max } of KEPT_ENTRIES) {
        const kind = [siteKey, Number(isRefusal), Number(isLabelled)] as const;
        const lastKept = await writer.write(() => selectLastKept.get(...kind, max - 1));
        const beforeId =
          lastKept !== undefined && lastKept.decisionId > oldestId ? lastKept.decisionId : oldestId;
        removed += await inSteps(writer, () => Number(remove.run(...kind, beforeId).changes));
      }
    }
    return removed;
  };
}

/** The log, and the write of its `flush`. */
export type SqliteDecisionLog = DecisionLog & { readonly insertMany: InsertEntries };

/** The latest decisions of each site, in SQLite. */
export function createSqliteDecisionLog(
  database: DatabaseSync,
  writer: Writer,
  now: () => number,
): SqliteDecisionLog {
  const list = createReader(database);
  const listRefusedHosts = createHostReader(database);
  const insert = database.prepare(
    `INSERT INTO decisions (site_key, decision_id, request_id, recommendation, label, detail)
      VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (site_key, decision_id) DO NOTHING`,
  );
  const selectLabel = prepareSelect<{ readonly label: DecisionLabel | null }>(
    database,
    "SELECT label FROM decisions WHERE site_key = ? AND decision_id = ? AND recommendation <> 'refused'",
  );
  const setLabel = database.prepare(
    "UPDATE decisions SET label = ? WHERE site_key = ? AND decision_id = ?",
  );
  const audit = createAuditWriter(database);
  const write = (entry: LogEntry): void => {
    const { siteKey, decisionId, requestId } = entry;
    const label = entry.outcome === "refused" ? null : entry.label;
    insert.run(
      siteKey,
      decisionId,
      requestId,
      filterOf(entry),
      label,
      JSON.stringify(detailOf(entry)),
    );
  };
  const insertMany: InsertEntries = (entries) =>
    writer.write((transaction) => {
      for (const entry of entries)
        if (transaction.findRevision(entry.siteKey) !== undefined) write(entry);
    });
  return {
    ...createBufferedDecisions(insertMany),
    insertMany,
    list: (query) => retryWhileBusy(() => list(query), now),
    listRefusedHosts: (query) => retryWhileBusy(() => listRefusedHosts(query), now),
    setLabel: ({ siteKey, decisionId, label }, entry) =>
      writer.write(() => {
        const found = selectLabel.get(siteKey, decisionId);
        if (found === undefined || found.label === label) return found !== undefined;
        setLabel.run(label, siteKey, decisionId);
        if (entry !== undefined)
          audit(withChange(entry, { field: "label", before: found.label, after: label }));
        return true;
      }),
    prune: createPrune(database, writer),
  };
}
