import type { ObservedBehaviour } from "@stile/protocol/observed-signals";
import type { Interaction } from "@stile/protocol/site-settings";
import type { Site } from "../site/site.ts";
import { recommend } from "../site/thresholds.ts";
import type { Visitor } from "../visitor/visitor.ts";
import { type ChallengeStage, mayAsk } from "./challenge.ts";

/**
 * The result of a correct solution (D9, submission): a token, a press, a single further challenge
 * at a higher price, or nothing.
 */
export type SubmissionOutcome = "issue" | "step_up" | "price" | "block";

/**
 * Whether a challenge asked for a click, and got it. An unrequested click does not count (D9,
 * submission).
 */
export type Click = "not_asked" | "due" | "made";

/**
 * The state of the click. Any device counts, and its place is not compared with the widget's:
 * clicks by keyboard and assistive technology have none.
 */
export function clickOf(asked: Interaction, behaviour: ObservedBehaviour | "withheld"): Click {
  if (asked !== "click") return "not_asked";
  const isMade = behaviour !== "withheld" && behaviour.pointer.some(({ kind }) => kind === "click");
  return isMade ? "made" : "due";
}

/**
 * Whether the site lets the bot that signed the request through without scoring it (D9,
 * submission).
 */
export function isLetThrough(site: Site, { signedAgent }: Pick<Visitor, "signedAgent">): boolean {
  return site.signedAgents === "let_through" && signedAgent !== undefined;
}

/** The doubts that decide. */
export type SubmissionDoubts = {
  /** The published score. */
  readonly score: number;
  /**
   * The score without the flags that a press resolves or cannot change: `low_evidence`,
   * `click_unplaced`, less work.
   */
  readonly otherwise: number;
  readonly click: Click;
  /**
   * Whether the visitor may pay work instead of pressing: keys were seen, as when a password
   * manager fills in the form and Enter sends it.
   */
  readonly mayPay: boolean;
  /** The stage of the challenge that was solved. */
  readonly stage: ChallengeStage;
};

/**
 * Decides by the site's mode, the published score, and whether the visitor did what the challenge
 * asked (D9, submission). Once requested, a click is required even if the score has improved:
 * better signals do not replace it. A press only resolves the doubt that nobody was seen. If other
 * doubts remain, the visitor gets one further challenge at a higher price, and then a token. In
 * `managed`, a visitor who only used keys pays that price instead of pressing. Example, mode
 * `managed`, thresholds 0.30 and 0.60: a first solution has 0.37 (nobody seen, and a window without
 * a screen), so the visitor is asked for a press. After the press, 0.34 remains without
 * `low_evidence`: `price`. The visitor solves the priced challenge, with any score below 0.60:
 * `issue`.
 */
export function decideSubmission(site: Site, doubts: SubmissionDoubts): SubmissionOutcome {
  if (!mayAsk(site.mode)) return "issue";
  // The press was made before this challenge, so the doubts that it resolved cannot block now.
  if (doubts.stage === "priced")
    return recommend(doubts.otherwise, site.thresholds) === "block" ? "block" : "issue";
  const recommendation = recommend(doubts.score, site.thresholds);
  if (recommendation === "block") return "block";
  const needsClick =
    doubts.click === "due" || site.mode === "interactive" || recommendation === "challenge";
  const isOtherwiseFine = recommend(doubts.otherwise, site.thresholds) === "allow";
  if (needsClick && doubts.click !== "made") {
    const isPaying = doubts.mayPay && isOtherwiseFine && doubts.click === "not_asked";
    return isPaying && site.mode === "managed" ? "price" : "step_up";
  }
  return isOtherwiseFine ? "issue" : "price";
}
