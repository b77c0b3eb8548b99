import type { Logger } from "../../telemetry/log.ts";
import type { Answer, RequestContext } from "./answer.ts";

/** The most refusals logged per minute, so that nobody can fill a disk with them. */
export const MAX_LOGGED_PER_MINUTE = 60;

const MINUTE_MS = 60_000;

/** The code of an answer's error (D11, errors). */
function codeOf(body: unknown): unknown {
  return (body as { readonly error?: { readonly code?: unknown } } | undefined)?.error?.code;
}

/**
 * Logs refusals under their request ids: unknown site keys, bad requests, wrong secret keys. No
 * site's decisions list these, so the log is the only place to look up an id that somebody was
 * shown. In a flood it logs the first refusals of each minute, then the number of the others. `now`
 * is a monotonic clock in ms.
 */
export function createRefusalLog(log: Logger, now: () => number) {
  let minute = Number.NEGATIVE_INFINITY;
  let count = 0;

  const begin = (next: number): void => {
    if (count > MAX_LOGGED_PER_MINUTE) {
      log.info(
        { refusals: count - MAX_LOGGED_PER_MINUTE },
        "More requests were refused in the last minute; their ids are not logged.",
      );
    }
    minute = next;
    count = 0;
  };

  return (answer: Answer, { requestId }: RequestContext, path?: string): void => {
    // Faults (5xx) are logged where they are caught.
    if (answer.status < 400 || answer.status >= 500 || answer.isUnlogged) return;
    const current = Math.floor(now() / MINUTE_MS);
    if (current !== minute) begin(current);
    count += 1;
    if (count > MAX_LOGGED_PER_MINUTE) return;
    log.info(
      { requestId, status: answer.status, code: codeOf(answer.body), path },
      "Refused a request; `code` says why.",
    );
  };
}
