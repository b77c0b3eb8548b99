import type { RiskFlag } from "@stile/protocol/risk-flags";
import type { FallbackWish } from "./challenge.ts";

/**
 * How a solution with less work counts. `none`: the work was not less. `hurried`: it came sooner,
 * by the service's clock, than a browser without WebAssembly can be done, so programs must wait or
 * pay. Of the others, the first few of a network are `excused`, the rest `patient`.
 */
export type FallbackStanding = "none" | "hurried" | "patient" | "excused";

/** What a step-up after such a solution wishes for; `isWorkDone` if only a click is missing. */
export function wishAfter(standing: FallbackStanding, isWorkDone: boolean): FallbackWish {
  if (standing === "none") return "none";
  return isWorkDone && standing === "excused" ? "excused" : "continued";
}

/**
 * The flags whose step-up needs only a click and no more work (D9). A hurried solution has not done
 * its work.
 */
export function forgivenFlags(standing: FallbackStanding): readonly RiskFlag[] {
  return standing === "hurried" ? ["low_evidence"] : ["low_evidence", "pow_fallback"];
}
