import type { Decision, DoorRefusal, LogEntry } from "@stile/core/domain/statistics/decision";
import type { DecisionFilter } from "@stile/protocol/dashboard-statistics";

/** Columns of both kinds; a refusal has the filter `refused` and no label. */
type Columns = Pick<Decision, "siteKey" | "decisionId" | "requestId" | "label"> & { readonly show: DecisionFilter };
/** What no query but that for hosts asks for: the rest of a decision, or of a refusal. */
type Detail = Omit<Decision, keyof Columns | "recommendation"> | Omit<DoorRefusal, keyof Columns>;
/** An entry as it lies in its row, but for the detail, which is JSON. */
export type LogRow = Columns & { readonly detail: string };

/** What goes into the column `detail`. Named one by one, so that nothing goes into this column by accident. */
export function detailOf(entry: LogEntry): Detail {
  const { atMs, action, host } = entry;
  if (entry.outcome === "refused") return { atMs, outcome: entry.outcome, reason: entry.reason, action, host };
  const { source, outcome, score, contributions, device, solveMs, signedAgent } = entry;
  return { atMs, source, outcome, score, contributions, action, host, device, solveMs, signedAgent };
}

/** The entry of a row. */
export function toEntry({ detail: text, show, label, ...columns }: LogRow): LogEntry {
  const detail = JSON.parse(text) as Detail;
  if (detail.outcome === "refused" || show === "refused") return { ...columns, ...detail } as DoorRefusal;
  return { ...columns, ...detail, recommendation: show, label };
}
