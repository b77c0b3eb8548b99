import type { ObservedBehaviour } from "@stile/protocol/observed-signals";
import type { Interaction } from "@stile/protocol/site-settings";
import type { Site } from "../site/site.ts";
import { recommend } from "../site/thresholds.ts";
import type { Visitor } from "../visitor/visitor.ts";
import { mayAsk } from "./challenge.ts";

/** What a correct solution leads to (D9). */
export type SubmissionOutcome = "issue" | "step_up" | "block";

/**
 * Whether the behaviour shows a click by any device. The place of the click is not compared with the widget's: clicks
 * by keyboard and assistive technology have none.
 */
export function hasClick(behaviour: ObservedBehaviour | "withheld"): boolean {
  return behaviour !== "withheld" && behaviour.pointer.some(({ kind }) => kind === "click");
}

/** Whether the site lets the bot that signed the request through without judging it (D9). */
export function isLetThrough(site: Site, { signedAgent }: Pick<Visitor, "signedAgent">): boolean {
  return site.signedAgents === "let_through" && signedAgent !== undefined;
}

/**
 * Decides by the site's mode, the published score, and whether the visitor did what the challenge asked (D9). Once
 * asked for, a click is required even if the score has improved: better signals do not replace it.
 */
export function decideSubmission(
  site: Site,
  score: number,
  asked: Interaction,
  hasClicked: boolean,
): SubmissionOutcome {
  if (!mayAsk(site.mode)) return "issue";
  const recommendation = recommend(score, site.thresholds);
  if (recommendation === "block") return "block";
  const needsClick = asked === "click" || site.mode === "interactive" || recommendation === "challenge";
  const hasInteracted = asked === "click" && hasClicked;
  return needsClick && !hasInteracted ? "step_up" : "issue";
}
