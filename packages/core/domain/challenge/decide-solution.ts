import type { RiskFlag } from "@stile/protocol/risk-flags";
import { type Assessment, NOT_SCORED, scoreWithout, withShadows } from "@stile/risk/assess";
import type { Site } from "../site/site.ts";
import { recommend } from "../site/thresholds.ts";
import type { ChallengeStage, FallbackState } from "./challenge.ts";
import { type Click, decideSubmission, type SubmissionOutcome } from "./decide-submission.ts";
import { type FallbackStanding, fallbackAfter, forgivenFlags } from "./fallback-standing.ts";

/**
 * The flags that cost nothing beyond the press (D9, submission): one for a visitor who was hardly
 * seen, which a press resolves, and two that keyboards and browsers without WebAssembly raise.
 */
const ANSWERED: readonly RiskFlag[] = ["low_evidence", "click_unplaced", "pow_fallback"];

/** The findings that decide about a correct solution. */
export type SolutionFindings = {
  /** The stage of the challenge that was solved. */
  readonly stage: ChallengeStage;
  readonly assessment: Assessment;
  readonly click: Click;
  /** Whether the visitor used keys, by the service's clock and receipts. */
  readonly isKeySeen: boolean;
  readonly standing: FallbackStanding;
  /** Whether the site's owner currently refuses visits like this one. */
  readonly isRefused: boolean;
  /** Whether the site lets the bot that signed the submission through without scoring it. */
  readonly isExempt: boolean;
};

/** The result of a correct solution. */
export type SolutionDecision = {
  /** The assessment as published, which differs for exempt bots and for visitors who have paid. */
  readonly assessment: Assessment;
  readonly outcome: SubmissionOutcome;
  /**
   * Whether a step-up needs no new work, because its only causes are a visitor who was hardly seen,
   * or less work for want of WebAssembly (D9, submission).
   */
  readonly isWorkDone: boolean;
  /**
   * Whether the price is for a visitor who did not press: then it includes that of a press (D9,
   * submission).
   */
  readonly paysForPress: boolean;
  /** The workload that the next challenge should have. */
  readonly fallback: FallbackState;
};

/** Decides about a correct solution (D9, submission). */
export function decideSolution(site: Site, findings: SolutionFindings): SolutionDecision {
  const { stage, click, standing } = findings;
  // Without WebAssembly nobody can pay so much in time.
  const mayPay = findings.isKeySeen && standing === "none";
  const otherwise = scoreWithout(ANSWERED, findings.assessment);
  const isBlocked = (score: number): boolean => recommend(score, site.thresholds) === "block";
  // A visitor who has paid gets a token, so the doubts that the press resolved must not block it at
  // redemption either.
  const isPaid = stage === "priced" && !isBlocked(otherwise);
  const scored =
    isPaid && isBlocked(findings.assessment.score)
      ? withShadows(ANSWERED, findings.assessment)
      : findings.assessment;
  const decide = (score: number): SubmissionOutcome =>
    findings.isRefused
      ? "block"
      : decideSubmission(site, { score, otherwise, click, mayPay, stage });

  const assessment = findings.isExempt ? NOT_SCORED : scored;
  const outcome = findings.isExempt ? "issue" : decide(assessment.score);
  const isWorkDone =
    outcome === "step_up" && decide(scoreWithout(forgivenFlags(standing), assessment)) === "issue";
  const paysForPress = outcome === "price" && click === "not_asked";
  return {
    assessment,
    outcome,
    isWorkDone,
    paysForPress,
    fallback: fallbackAfter(standing, isWorkDone),
  };
}
