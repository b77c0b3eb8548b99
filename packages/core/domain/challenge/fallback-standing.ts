import type { RiskFlag } from "@stile/protocol/risk-flags";
import type { FallbackState } from "./challenge.ts";

/**
 * How a solution with less work counts. `none`: it had all the work. `hurried`: by the service's
 * clock it came sooner than a browser without WebAssembly can finish, so programs must wait or pay.
 * Of the others, the first few of a network are `excused`, the rest `patient`.
 */
export type FallbackStanding = "none" | "hurried" | "patient" | "excused";

/** The workload of a step-up after such a solution; `isWorkDone` if only a click is missing. */
export function fallbackAfter(standing: FallbackStanding, isWorkDone: boolean): FallbackState {
  if (standing === "none") return "none";
  return isWorkDone && standing === "excused" ? "excused" : "continued";
}

/**
 * The flags whose step-up needs only a click and no more work (D9, submission). A hurried solution
 * has not done its work.
 */
export function forgivenFlags(standing: FallbackStanding): readonly RiskFlag[] {
  return standing === "hurried" ? ["low_evidence"] : ["low_evidence", "pow_fallback"];
}
