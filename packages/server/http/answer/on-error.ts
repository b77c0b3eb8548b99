import { StoreUnavailable } from "@stile/core/ports/store-unavailable";
import type { FaultLog } from "../../telemetry/fault-log.ts";
import { BodyGaveWay } from "../request/body.ts";
import { type Answer, errorAnswer, type RequestContext } from "./answer.ts";

/** Seconds after which a caller may try again if the store did not answer (D15, outage). */
const RETRY_AFTER_SECONDS = "1";

/** The sentence for a fault after which the same request may succeed; undefined for any other. */
function explainRetryable(fault: unknown): string | undefined {
  if (fault instanceof StoreUnavailable)
    return "The service can't reach its store right now. Try again in a moment.";
  if (fault instanceof BodyGaveWay)
    return "The service waits for too many requests, and longest for this one. Try again in a moment.";
  return undefined;
}

/** What the log says about a fault of a request. */
function explainToOperator(fault: unknown): string {
  if (fault instanceof StoreUnavailable)
    return "The store failed or did not answer, so callers get 503. Check the database and the disk.";
  if (fault instanceof BodyGaveWay)
    return "Too many requests wait for their bodies, so the one that waits longest gets 503.";
  return "A request failed because of a fault in the service. Report `err`.";
}

/**
 * The answer to a fault as the client may see it: nothing internal, only the request id of the log
 * entry (D11, errors; D15, outage).
 */
export function faultAnswer(
  fault: unknown,
  context: RequestContext,
  recordFault: FaultLog,
): Answer {
  recordFault(fault, explainToOperator(fault), { requestId: context.requestId });
  const retryable = explainRetryable(fault);
  return errorAnswer("internal_error", context, {
    message:
      retryable ??
      "The service failed on this request. The log has the cause under the request id.",
    status: retryable === undefined ? 500 : 503,
    ...(retryable !== undefined && { headers: { "Retry-After": RETRY_AFTER_SECONDS } }),
  });
}
