import { StoreUnavailable } from "@stile/core/ports/store-unavailable";
import type { FaultLog } from "../telemetry/fault-log.ts";
import { type Answer, errorAnswer, type RequestContext } from "./answer.ts";

/** Seconds after which a caller may ask again when the store did not answer (D15). */
const RETRY_AFTER_SECONDS = "1";

/** A fault as the client may see it: nothing internal, only the id under which the log tells more (D11, D15). */
export function faultAnswer(fault: unknown, context: RequestContext, recordFault: FaultLog): Answer {
  const isRetryable = fault instanceof StoreUnavailable;
  recordFault(fault, isRetryable ? "store unavailable" : "request failed", { requestId: context.requestId });
  const message = isRetryable
    ? "The service can't reach its store right now. Try again in a moment."
    : "The service failed on this request. The request id finds the cause in its log.";
  return errorAnswer("internal_error", context, {
    message,
    status: isRetryable ? 503 : 500,
    ...(isRetryable && { headers: { "Retry-After": RETRY_AFTER_SECONDS } }),
  });
}
