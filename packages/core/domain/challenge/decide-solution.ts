import type { RiskFlag } from "@stile/protocol/risk-flags";
import { type Assessment, NOT_JUDGED, scoreWithout, withShadows } from "@stile/risk/assess";
import type { Site } from "../site/site.ts";
import { recommend } from "../site/thresholds.ts";
import type { ChallengeStage, FallbackWish } from "./challenge.ts";
import { type Click, decideSubmission, type SubmissionOutcome } from "./decide-submission.ts";
import { type FallbackStanding, forgivenFlags, wishAfter } from "./fallback-standing.ts";

/**
 * The flags that cost nothing beyond the press (D9): that nobody was seen, which it answers; and
 * two that keyboards and browsers without WebAssembly raise.
 */
const ANSWERED: readonly RiskFlag[] = ["low_evidence", "click_unplaced", "pow_fallback"];

/** What the decision about a correct solution rests on. */
export type SolutionFindings = {
  /** The stage of the challenge that was solved. */
  readonly stage: ChallengeStage;
  readonly assessment: Assessment;
  readonly click: Click;
  readonly standing: FallbackStanding;
  /** Whether the site's owner refuses visits like this one at this moment. */
  readonly isRefused: boolean;
  /** Whether the site lets the bot that signed the submission through without scoring it. */
  readonly isExempt: boolean;
};

/** What a correct solution leads to. */
export type SolutionDecision = {
  /** The assessment as published, which differs for exempt bots and for visitors who have paid. */
  readonly assessment: Assessment;
  readonly outcome: SubmissionOutcome;
  /**
   * Whether a step-up needs no new work, because its only causes are a visitor who was hardly seen,
   * or less work for want of WebAssembly (D9).
   */
  readonly isWorkDone: boolean;
  /** The workload that the next challenge wishes for. */
  readonly wish: FallbackWish;
};

/** Decides what a correct solution leads to (D9). */
export function decideSolution(site: Site, findings: SolutionFindings): SolutionDecision {
  const { stage, click, standing } = findings;
  const otherwise = scoreWithout(ANSWERED, findings.assessment);
  const isBlocked = (score: number): boolean => recommend(score, site.thresholds) === "block";
  // A visitor who has paid is let in, so what the press answered must not block their token at
  // redemption either.
  const isPaid = stage === "priced" && !isBlocked(otherwise);
  const scored =
    isPaid && isBlocked(findings.assessment.score)
      ? withShadows(ANSWERED, findings.assessment)
      : findings.assessment;
  const decide = (score: number): SubmissionOutcome =>
    findings.isRefused ? "block" : decideSubmission(site, { score, otherwise, click, stage });

  const assessment = findings.isExempt ? NOT_JUDGED : scored;
  const outcome = findings.isExempt ? "issue" : decide(assessment.score);
  const isWorkDone =
    outcome === "step_up" && decide(scoreWithout(forgivenFlags(standing), assessment)) === "issue";
  return { assessment, outcome, isWorkDone, wish: wishAfter(standing, isWorkDone) };
}
