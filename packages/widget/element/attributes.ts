import { THEMES, type Theme } from "@stile/protocol/site-settings";
import { needsVisitor, type WidgetState, type WidgetStateName } from "../machine/widget-state.ts";
import { readAttribute } from "./read-attribute.ts";

/**
 * All that the element hears of, each with and without `data-`: what it looks like, and by what a challenge is asked for, or refused: a
 * change of that begins anew, but for the last: that one is said.
 */
export const OBSERVED: readonly string[] = "theme appearance size dir sitekey action cdata endpoint strings language"
  .split(" ")
  .flatMap((name) => [name, `data-${name}`]);

/** The first look that there is of those that are wished for, which may be anything. */
export const chooseTheme = (wishes: readonly unknown[]): Theme =>
  (wishes as readonly Theme[]).find((wish) => THEMES.includes(wish)) ?? "auto";

/** Whether a change of one of them begins anew, and is not only shown and said. */
export const isOfRun = (attribute: string): boolean => /sitekey|action|cdata|endpoint|strings/.test(attribute);

/** Whether the page has said of this state that nothing begins in it but by a press, a submission or a script. */
export function isLeftAlone(element: Element, name: WidgetStateName): boolean {
  const attribute = name === "error" ? "retry" : name === "expired" ? "refresh-expired" : "execution";
  return /^(execute|submit|manual|never)$/.test(readAttribute(element, attribute) ?? "");
}

/** Whether nothing of the widget is to be seen; before the challenge only its attributes can say that it is invisible. */
export function isUnseen(element: Element, shown: WidgetState, isInvisible = false): boolean {
  if (needsVisitor(shown)) return false;
  const appearance = readAttribute(element, "appearance");
  const isNeverSeen = isInvisible || readAttribute(element, "size") === "invisible";
  return isNeverSeen || appearance === "interaction-only" || (appearance === "execute" && shown.name === "idle");
}
