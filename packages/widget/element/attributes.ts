import { needsVisitor, type WidgetState, type WidgetStateName } from "../machine/widget-state.ts";
import { readAttribute } from "./read-attribute.ts";

/**
 * All that the element hears of, each with and without `data-`: what it looks like, and by what a challenge is asked for, or refused: a
 * change of that begins anew, but for the last: that one is said.
 */
export const OBSERVED: readonly string[] = "theme appearance size dir sitekey action cdata endpoint strings language"
  .split(" ")
  .flatMap((name) => [name, `data-${name}`]);

/** Whether a change of one of them is only to be shown. */
export const isOfLooks = (attribute: string): boolean => /theme|appearance|size|dir/.test(attribute);

/** Whether it changes what is said. `strings` are said by a run that begins anew, too. */
export const isOfWords = (attribute: string): boolean => /language|strings/.test(attribute);

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
