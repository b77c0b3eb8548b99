import type { DatabaseSync } from "node:sqlite";
import { DECISION_DAYS, type Decision, firstIdOf, MAX_DECISIONS_PER_SITE } from "@stile/core/domain/decision";
import type { DecisionLog, DecisionQuery } from "@stile/core/ports/decision-log";
import { createDecisionHold } from "../decision-hold.ts";
import { retryWhileBusy } from "./busy.ts";
import { inSteps } from "./housekeeping.ts";
import { SWEEP_STEP_ROWS } from "./mark-sweep.ts";
import type { Writer } from "./writer.ts";

const DAY_MS = 86_400_000;

/** What no query asks for of a decision. */
type Detail = Omit<Decision, "siteKey" | "decisionId" | "requestId" | "recommendation" | "label">;
type Row = Pick<Decision, "siteKey" | "decisionId" | "requestId" | "recommendation" | "label"> & {
  readonly detail: string;
};

function detailText(decision: Decision): string {
  // Named one by one, so that nothing goes into this column by accident.
  const { atMs, source, outcome, score, contributions, action, host, device, solveMs } = decision;
  const detail: Detail = { atMs, source, outcome, score, contributions, action, host, device, solveMs };
  return JSON.stringify(detail);
}

function toDecision({ detail, ...columns }: Row): Decision {
  return { ...columns, ...(JSON.parse(detail) as Detail) };
}

function createReader(database: DatabaseSync): (query: DecisionQuery) => readonly Decision[] {
  const select = database.prepare(
    `SELECT site_key AS siteKey, decision_id AS decisionId, request_id AS requestId, recommendation, label, detail
      FROM decisions WHERE site_key = $siteKey AND ($beforeId IS NULL OR decision_id < $beforeId)
      AND ($recommendation IS NULL OR recommendation = $recommendation)
      AND ($requestId IS NULL OR request_id = $requestId) ORDER BY decision_id DESC LIMIT $limit`,
  );
  return ({ siteKey, limit, beforeId = null, recommendation = null, requestId = null }) =>
    (select.all({ siteKey, limit, beforeId, recommendation, requestId }) as unknown as Row[]).map(toDecision);
}

/** Removes, a site and a few rows at a time, what is too old or beyond the newest MAX_DECISIONS_PER_SITE. */
function createPrune(database: DatabaseSync, writer: Writer): (nowMs: number) => Promise<number> {
  const selectSites = database.prepare("SELECT site_key AS siteKey FROM sites");
  const selectLastKept = database.prepare(
    `SELECT decision_id AS decisionId FROM decisions WHERE site_key = ? ORDER BY decision_id DESC
      LIMIT 1 OFFSET ${MAX_DECISIONS_PER_SITE - 1}`,
  );
  const remove = database.prepare(
    `DELETE FROM decisions WHERE site_key = ?1 AND decision_id IN
      (SELECT decision_id FROM decisions WHERE site_key = ?1 AND decision_id < ?2
        ORDER BY decision_id LIMIT ${SWEEP_STEP_ROWS})`,
  );
  return async (nowMs) => {
    const oldestId = firstIdOf(nowMs - DECISION_DAYS * DAY_MS);
    const sites = await writer.write(() => selectSites.all() as { siteKey: string }[]);
    let removed = 0;
    for (const { siteKey } of sites) {
      const lastKept = await writer.write(() => selectLastKept.get(siteKey) as { decisionId: string } | undefined);
      const beforeId = lastKept !== undefined && lastKept.decisionId > oldestId ? lastKept.decisionId : oldestId;
      removed += await inSteps(writer, () => Number(remove.run(siteKey, beforeId).changes));
    }
    return removed;
  };
}

/** The last decisions of each site in SQLite; `flush` writes what is held in one transaction, and keeps it if that fails. */
export function createDecisions(database: DatabaseSync, writer: Writer, now: () => number): DecisionLog {
  const hold = createDecisionHold();
  const list = createReader(database);
  const insert = database.prepare(
    `INSERT INTO decisions (site_key, decision_id, request_id, recommendation, label, detail)
      VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (site_key, decision_id) DO NOTHING`,
  );
  const setLabel = database.prepare("UPDATE decisions SET label = ? WHERE site_key = ? AND decision_id = ?");
  const write = (decision: Decision): void => {
    const { siteKey, decisionId, requestId, recommendation, label } = decision;
    insert.run(siteKey, decisionId, requestId, recommendation, label, detailText(decision));
  };
  return {
    append: hold.append,
    flush: async () => {
      const taken = hold.take();
      if (taken.length === 0) return;
      try {
        await writer.write((transaction) => {
          for (const decision of taken) if (transaction.findRevision(decision.siteKey) !== undefined) write(decision);
        });
      } catch (error) {
        hold.putBack(taken);
        throw error;
      }
    },
    list: (query) => retryWhileBusy(() => list(query), now),
    setLabel: ({ siteKey, decisionId, label }) =>
      writer.write(() => setLabel.run(label, siteKey, decisionId).changes === 1),
    prune: createPrune(database, writer),
  };
}
