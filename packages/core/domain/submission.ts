import type { BehaviourSignals } from "@stile/protocol/signals";
import { POINTER_KINDS } from "@stile/protocol/signals";
import { mayAsk } from "./challenge.ts";
import { recommend } from "./recommendation.ts";
import type { Site } from "./site.ts";

/** What a right solution leads to (D9). */
export type Decision = "issue" | "step_up" | "block";

const CLICK = POINTER_KINDS.indexOf("click");

/** Whether the behaviour shows a click on the widget, by whatever device; assistive technology and keys click too. */
export function hasClick(behaviour: BehaviourSignals | "withheld"): boolean {
  return behaviour !== "withheld" && behaviour.pointer.some((sample) => sample[3] === CLICK);
}

/** Decides by the site's mode, the published score, and whether the visitor did what the challenge asked (D9). */
export function decideSubmission(site: Site, score: number, hasInteracted: boolean): Decision {
  if (!mayAsk(site.mode)) return "issue";
  const recommendation = recommend(score, site.thresholds);
  if (recommendation === "block") return "block";
  const needsClick = site.mode === "interactive" || recommendation === "challenge";
  return needsClick && !hasInteracted ? "step_up" : "issue";
}
