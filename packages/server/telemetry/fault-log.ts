import type { Logger } from "./log.ts";

const MINUTE_MS = 60_000;
/** The most request ids that a summary names. */
export const MAX_NAMED = 20;
/**
 * How many kinds of faults are counted separately. All others count as one kind, because messages
 * may differ each time.
 */
const MAX_KINDS = 32;

/** The request or job in which a fault occurred. */
export type FaultContext = { readonly requestId?: string; readonly job?: string };

/** Logs a fault; `what` is the sentence of its line. */
export type FaultLog = (fault: unknown, what: string, context?: FaultContext) => void;

/** Faults of one kind since its last line in the log. */
type RepeatedFault = { count: number; requestIds: string[] };

function kindOf(fault: unknown, what: string): string {
  if (!(fault instanceof Error)) return what;
  const { name, message, cause } = fault;
  return [what, name, message, cause instanceof Error ? cause.message : ""].join("\n");
}

/**
 * Logs faults so that a store failing for hours does not fill the disk. It logs the first fault of
 * a kind in full, then one line per minute with their number and the first request ids. After a
 * minute without any, the next one is logged in full. `later` runs its work after a minute.
 */
export function createFaultLog(
  log: Logger,
  later: (work: () => void) => void = (work) => void setTimeout(work, MINUTE_MS).unref(),
): FaultLog {
  const held = new Map<string, RepeatedFault>();

  const summarize = (kind: string, what: string): void => {
    const { count, requestIds } = held.get(kind) ?? { count: 0, requestIds: [] };
    if (count === 0) {
      held.delete(kind);
      return;
    }
    log.error({ count, ...(requestIds.length > 0 && { requestIds }) }, `Repeated: ${what}`);
    held.set(kind, { count: 0, requestIds: [] });
    later(() => summarize(kind, what));
  };

  return (fault, what, context = {}) => {
    const exact = kindOf(fault, what);
    const kind = held.has(exact) || held.size < MAX_KINDS ? exact : what;
    const known = held.get(kind);
    if (known === undefined) {
      held.set(kind, { count: 0, requestIds: [] });
      later(() => summarize(kind, what));
      log.error({ ...context, err: fault }, what);
      return;
    }
    known.count += 1;
    if (context.requestId !== undefined && known.requestIds.length < MAX_NAMED)
      known.requestIds.push(context.requestId);
  };
}
