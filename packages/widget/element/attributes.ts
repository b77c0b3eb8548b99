import { needsVisitor, type WidgetState, type WidgetStateName } from "../machine/widget-state.ts";
import { readAttribute } from "./read-attribute.ts";

/** Attributes that only change how the widget looks, or what the form carries. */
const SHOWN = ["theme", "appearance", "size", "dir", "response-field", "response-field-name"];
/** Attributes by which a challenge is asked for, or refused: a change begins anew, but for the last: that one is said. */
const OTHERS = ["sitekey", "action", "cdata", "endpoint", "strings", "language"];

/** All that the element hears of, each with and without `data-`. */
export const OBSERVED: readonly string[] = [...SHOWN, ...OTHERS].flatMap((name) => [name, `data-${name}`]);

/** Whether a change of that attribute is only to be shown. */
export const isOfLooks = (attribute: string): boolean => SHOWN.includes(attribute.replace("data-", ""));

/** Whether it changes what is said. `strings` are said by a run that begins anew, too. */
export const isOfWords = (attribute: string): boolean => /language|strings/.test(attribute);

/** Whether the page has said of this state that nothing begins in it but by a press, a submission or a script. */
export function isLeftAlone(element: Element, name: WidgetStateName): boolean {
  const attribute = name === "error" ? "retry" : name === "expired" ? "refresh-expired" : "execution";
  return /^(execute|submit|manual|never)$/.test(readAttribute(element, attribute) ?? "");
}

/** Whether nothing of the widget is to be seen; before the challenge only its attributes can say that it is invisible. */
export function isUnseen(element: Element, shown: WidgetState, isInvisible: boolean): boolean {
  if (needsVisitor(shown)) return false;
  const appearance = readAttribute(element, "appearance");
  const isNeverSeen = isInvisible || readAttribute(element, "size") === "invisible";
  return isNeverSeen || appearance === "interaction-only" || (appearance === "execute" && shown.name === "idle");
}
