import { needsVisitor, type WidgetState, type WidgetStateName } from "../machine/widget-state.ts";
import { readAttribute } from "./read-attribute.ts";

/** Attributes that only change how the widget looks, or what the form carries. */
const SHOWN = ["theme", "appearance", "size", "dir", "response-field", "response-field-name"];
/** Attributes by which a challenge is asked for, or refused: a change begins anew. The last two change what is said. */
const OTHERS = ["sitekey", "action", "cdata", "endpoint", "strings", "language"];

/** All that the element hears of, each with and without `data-`. */
export const OBSERVED: readonly string[] = [...SHOWN, ...OTHERS].flatMap((name) => [name, `data-${name}`]);

/** What a change of an attribute asks for: to be shown, to be said, or to begin anew. `strings` asks for both of the last. */
export function changeOf(attribute: string): {
  readonly isShown: boolean;
  readonly isSaid: boolean;
  readonly isNew: boolean;
} {
  const name = attribute.replace("data-", "");
  const isShown = SHOWN.includes(name);
  return { isShown, isSaid: /^(language|strings)$/.test(name), isNew: !isShown && name !== "language" };
}

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
