import type { ObservedBehaviour } from "@stile/protocol/observed-signals";
import type { Interaction } from "@stile/protocol/site-settings";
import type { Site } from "../site/site.ts";
import { recommend } from "../site/thresholds.ts";
import type { Visitor } from "../visitor/visitor.ts";
import { mayAsk } from "./challenge.ts";

/** What a correct solution leads to (D9). */
export type SubmissionOutcome = "issue" | "step_up" | "block";

/** Whether a challenge asked for a click, and got it. A click that nobody asked for does not count (D9). */
export type Click = "not_asked" | "due" | "made";

/**
 * What became of the click. It is one by any device, and its place is not compared with the widget's: clicks by
 * keyboard and assistive technology have none.
 */
export function clickOf(asked: Interaction, behaviour: ObservedBehaviour | "withheld"): Click {
  if (asked !== "click") return "not_asked";
  const isMade = behaviour !== "withheld" && behaviour.pointer.some(({ kind }) => kind === "click");
  return isMade ? "made" : "due";
}

/** Whether the site lets the bot that signed the request through without judging it (D9). */
export function isLetThrough(site: Site, { signedAgent }: Pick<Visitor, "signedAgent">): boolean {
  return site.signedAgents === "let_through" && signedAgent !== undefined;
}

/**
 * Decides by the site's mode, the published score, and whether the visitor did what the challenge asked (D9). Once
 * asked for, a click is required even if the score has improved: better signals do not replace it.
 */
export function decideSubmission(site: Site, score: number, click: Click): SubmissionOutcome {
  if (!mayAsk(site.mode)) return "issue";
  const recommendation = recommend(score, site.thresholds);
  if (recommendation === "block") return "block";
  const needsClick = click === "due" || site.mode === "interactive" || recommendation === "challenge";
  return needsClick && click !== "made" ? "step_up" : "issue";
}
