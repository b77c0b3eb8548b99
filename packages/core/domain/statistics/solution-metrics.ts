import type { DeviceClass } from "@stile/protocol/dashboard-statistics";
import type { RiskFlag } from "@stile/protocol/risk-flags";
import type { SubmissionOutcome } from "../challenge/decide-submission.ts";
import type { CountryCode } from "../visitor/country-code.ts";
import { type Metric, scoreMetric, solveMetric } from "./metrics.ts";

const OUTCOME_METRICS: Readonly<Record<SubmissionOutcome, Metric>> = {
  issue: "token_issued",
  step_up: "challenge_stepped_up",
  price: "challenge_priced",
  block: "challenge_blocked",
};

/** A correct solution and the observations of its visitor. */
export type CountedSolution = {
  readonly outcome: SubmissionOutcome;
  readonly score: number;
  readonly flags: readonly RiskFlag[];
  /** Undefined if there was no work. */
  readonly solveMs: number | undefined;
  readonly device: DeviceClass;
  readonly country: CountryCode | undefined;
  readonly host: string;
  readonly actionName: string | undefined;
};

/** All counts for a correct solution, in the write that spends its challenge. */
export function outcomeMetrics(solution: CountedSolution): readonly Metric[] {
  const metrics: Metric[] = [
    "challenge_solved",
    OUTCOME_METRICS[solution.outcome],
    scoreMetric(solution.actionName, solution.score),
    `device:${solution.device}`,
    `host:${solution.host}`,
  ];
  if (solution.solveMs !== undefined) metrics.push(solveMetric(solution.solveMs));
  if (solution.country !== undefined) metrics.push(`country:${solution.country}`);
  for (const flag of solution.flags) metrics.push(`flag:${flag}`);
  return metrics;
}
