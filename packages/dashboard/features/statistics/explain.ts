import type { DecisionData } from "@stile/protocol/dashboard-statistics";
import { RISK_FLAGS, type RiskFlag } from "@stile/protocol/risk-flags";
import { formatScore } from "../../ui/format.ts";
import type { Thresholds } from "./what-if.ts";

/** What a visitor got, in a word, and how it should look. */
export const OUTCOMES = {
  token: { label: "Let in", tone: "good" },
  step_up: { label: "Asked to click", tone: "warn" },
  blocked: { label: "Blocked", tone: "bad" },
  answered: { label: "Scored", tone: "" },
} as const satisfies Record<DecisionData["outcome"], { label: string; tone: string }>;

/** Names of the recommendations for people. */
export const RECOMMENDATION_LABELS = {
  allow: "Allow",
  challenge: "Challenge",
  block: "Block",
} as const satisfies Record<DecisionData["recommendation"], string>;

/** What one flag added: in words, and as a share of the heaviest one. */
export type Reason = {
  readonly flag: RiskFlag;
  readonly label: string;
  readonly strength: string;
  readonly part: number;
};

/** A label for a flag; a newer service may send one that this page does not know. */
export function flagLabel(flag: RiskFlag): string {
  return (RISK_FLAGS as Readonly<Record<string, { readonly label: string }>>)[flag]?.label ?? flag;
}

/** The flags of a decision, the heaviest first. A weight of 2.2 in log-odds makes a bot 9 times as likely. */
export function toReasons({ contributions }: Pick<DecisionData, "contributions">): readonly Reason[] {
  const heaviest = Math.max(...contributions.map(({ weight }) => weight), 0);
  return contributions.map(({ flag, weight }) => ({
    flag,
    label: flagLabel(flag),
    // A flag on trial weighs nothing: it is shown, and not held against anybody.
    strength: weight === 0 ? "on trial, not scored" : `bot ${formatFactor(Math.exp(weight))} times as likely`,
    part: heaviest === 0 ? 0 : weight / heaviest,
  }));
}

function formatFactor(factor: number): string {
  return factor < 10 ? String(Number(factor.toFixed(1))) : String(Math.round(factor));
}

/** Why it went as it did, held against the thresholds as they are now. */
export function describeDecision(decision: DecisionData, thresholds: Thresholds | undefined): string {
  const score = `The score was ${formatScore(decision.score)} on a scale from 0 (person) to 1 (bot)`;
  const outcome = `${OUTCOMES[decision.outcome].label.toLowerCase()}, recommendation ${decision.recommendation}`;
  if (thresholds === undefined) return `${score}: ${outcome}.`;
  const { challenge, block } = thresholds;
  return `${score}: ${outcome}. Your thresholds now: challenge from ${formatScore(challenge)}, block from ${formatScore(block)}.`;
}
