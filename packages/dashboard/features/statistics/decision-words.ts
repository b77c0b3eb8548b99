import type {
  DecisionData,
  DecisionFilter,
  JudgementData,
} from "@stile/protocol/dashboard-statistics";
import type { RiskFlag } from "@stile/protocol/risk-flags";
import { formatScore } from "../../ui/format.ts";
import { flagLabel } from "./text.ts";
import type { ScoreThresholds } from "./what-if.ts";

/** The outcome for a visitor, in a word, and its colour. */
export const OUTCOMES = {
  token: { label: "Let in", tone: "good" },
  step_up: { label: "Asked to click", tone: "warn" },
  priced: { label: "Asked for more work", tone: "warn" },
  blocked: { label: "Blocked", tone: "bad" },
  answered: { label: "Scored", tone: "" },
  refused: { label: "Refused", tone: "bad" },
} as const satisfies Record<DecisionData["outcome"], { label: string; tone: string }>;

/** The caller that asked for the score. */
export const ASKED_BY: Readonly<Record<JudgementData["source"], string>> = {
  widget: "The widget",
  score: "Your server (score request)",
  no_script: "A visitor without JavaScript, who waited",
};

/** Names of the filters of the list. */
export const FILTER_LABELS: Readonly<Record<DecisionFilter, string>> = {
  allow: "Recommended: allow",
  challenge: "Recommended: challenge",
  block: "Recommended: block",
  refused: "Refused at the door",
};

/** One flag's part of the score, in words and as a share of the heaviest one. */
export type FlagReason = {
  readonly flag: RiskFlag;
  readonly label: string;
  readonly strength: string;
  readonly part: number;
};

/**
 * The flags of a decision, the heaviest first. A weight of 2.2 in log-odds makes a bot 9 times as
 * likely.
 */
export function toReasons({
  contributions,
}: Pick<JudgementData, "contributions">): readonly FlagReason[] {
  const heaviest = Math.max(...contributions.map(({ weight }) => weight), 0);
  return contributions.map(({ flag, weight }) => ({
    flag,
    label: flagLabel(flag),
    // A shadow flag has no weight: it is shown, but does not count against anybody.
    strength:
      weight === 0
        ? "shadow flag, not scored"
        : `bot ${formatFactor(Math.exp(weight))} times as likely`,
    part: heaviest === 0 ? 0 : weight / heaviest,
  }));
}

function formatFactor(factor: number): string {
  return factor < 10 ? String(Number(factor.toFixed(1))) : String(Math.round(factor));
}

/** The trusted bot that signed the request, in words; undefined if none did. */
export function signedBy({ signedAgent }: JudgementData): string | undefined {
  return signedAgent && `signed by ${signedAgent.name}`;
}

/** Why nothing counts against a visitor. */
export function explainNothing({ signedAgent }: JudgementData): string {
  if (signedAgent?.isLetThrough) {
    return `The request was signed by ${signedAgent.name}, and the site let signed bots through: nothing was held against it.`;
  }
  return "Nothing spoke against this visitor; everybody starts at 0.05.";
}

/** Why the decision was made, compared with the current thresholds. */
export function describeDecision(
  decision: JudgementData,
  thresholds: ScoreThresholds | undefined,
): string {
  const score = `The score was ${formatScore(decision.score)} on a scale from 0 (person) to 1 (bot)`;
  const outcome = `${OUTCOMES[decision.outcome].label.toLowerCase()}, recommendation ${decision.recommendation}`;
  if (thresholds === undefined) return `${score}: ${outcome}.`;
  const { challenge, block } = thresholds;
  return `${score}: ${outcome}. Your thresholds now: challenge from ${formatScore(challenge)}, block from ${formatScore(block)}.`;
}
