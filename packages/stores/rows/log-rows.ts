import type { Decision, DoorRefusal, LogEntry } from "@stile/core/domain/statistics/decision";
import type { DecisionFilter } from "@stile/protocol/dashboard-statistics";

/** The columns that both kinds of entry have. A refusal has the filter `refused` and no label. */
type DecisionColumns = Pick<Decision, "siteKey" | "decisionId" | "requestId" | "label"> & {
  readonly show: DecisionFilter;
};
/** The rest of a decision or a refusal. Only the query for hosts reads it. */
type Detail =
  | Omit<Decision, keyof DecisionColumns | "recommendation">
  | Omit<DoorRefusal, keyof DecisionColumns>;
/** An entry as stored in its row; `detail` is JSON. */
export type LogRow = DecisionColumns & { readonly detail: string };

/**
 * The content of the column `detail`. The fields are listed one by one, so that none gets there by
 * accident.
 */
export function detailOf(entry: LogEntry): Detail {
  const { atMs, action, host } = entry;
  if (entry.outcome === "refused")
    return { atMs, outcome: entry.outcome, reason: entry.reason, action, host };
  const { source, outcome, score, contributions, device, solveMs, signedAgent } = entry;
  return {
    atMs,
    source,
    outcome,
    score,
    contributions,
    action,
    host,
    device,
    solveMs,
    signedAgent,
  };
}

/** The entry of a row. */
export function toEntry(row: LogRow): LogEntry {
  const { detail: text, show, label, ...columns } = row;
  const detail = JSON.parse(text) as Detail;
  if (detail.outcome === "refused" || show === "refused")
    return { ...columns, ...detail } as DoorRefusal;
  return { ...columns, ...detail, recommendation: show, label };
}
