import type {
  DecisionData,
  DecisionFilter,
  ScoredRequestData,
} from "@stile/protocol/dashboard-statistics";
import type { RiskFlag } from "@stile/protocol/risk-flags";
import { formatScore } from "../../ui/format.ts";
import { flagLabel } from "./text.ts";
import type { ScoreThresholds } from "./what-if.ts";

/** The outcome for a visitor, in a word, and its colour. */
export const OUTCOMES = {
  token: { label: "Token issued", tone: "good" },
  step_up: { label: "Challenged: click", tone: "warn" },
  priced: { label: "Challenged: work", tone: "warn" },
  blocked: { label: "Blocked", tone: "bad" },
  answered: { label: "Scored", tone: "" },
  refused: { label: "Refused", tone: "bad" },
} as const satisfies Record<DecisionData["outcome"], { label: string; tone: string }>;

/** Where the scored request came from. */
export const SOURCES: Readonly<Record<ScoredRequestData["source"], string>> = {
  widget: "Widget",
  score: "Your server (score request)",
  no_script: "Visitor without JavaScript, after a wait",
};

/** Names of the filters of the list. */
export const FILTER_LABELS: Readonly<Record<DecisionFilter, string>> = {
  allow: "Recommendation: allow",
  challenge: "Recommendation: challenge",
  block: "Recommendation: block",
  refused: "Refused before scoring",
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
}: Pick<ScoredRequestData, "contributions">): readonly FlagReason[] {
  const heaviest = Math.max(...contributions.map(({ weight }) => weight), 0);
  return contributions.map(({ flag, weight }) => ({
    flag,
    label: flagLabel(flag),
    // A shadow flag has no weight: it is shown, but does not count against anybody.
    strength:
      weight === 0
        ? "shadow flag, not scored"
        : `${formatFactor(Math.exp(weight))} times more likely to be a bot`,
    part: heaviest === 0 ? 0 : weight / heaviest,
  }));
}

function formatFactor(factor: number): string {
  return factor < 10 ? String(Number(factor.toFixed(1))) : String(Math.round(factor));
}

/** The trusted bot that signed the request, in words; undefined if none did. */
export function signedBy({ signedAgent }: ScoredRequestData): string | undefined {
  return signedAgent && `signed by ${signedAgent.name}`;
}

/** Why nothing counts against a visitor. */
export function explainNothing({ signedAgent }: ScoredRequestData): string {
  if (signedAgent?.isLetThrough) {
    return `${signedAgent.name} signed the request, and the site allows signed bots, so nothing raised its score.`;
  }
  return "Nothing raised this visitor's score; everyone starts at 0.05.";
}

/** Why the decision was made, compared with the current thresholds. */
export function describeDecision(
  decision: ScoredRequestData,
  thresholds: ScoreThresholds | undefined,
): string {
  const score = `The score was ${formatScore(decision.score)} on a scale from 0 (person) to 1 (bot)`;
  const verdict = `the recommendation was to ${decision.recommendation}`;
  if (thresholds === undefined) return `${score}, so ${verdict}.`;
  const { challenge, block } = thresholds;
  return `${score}, so ${verdict}. Your thresholds now: challenge from ${formatScore(challenge)}, block from ${formatScore(block)}.`;
}
