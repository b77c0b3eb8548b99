import { THEMES, type Theme } from "@stile/protocol/site-settings";
import {
  isWorking,
  needsVisitor,
  type WidgetState,
  type WidgetStateName,
} from "../machine/widget-state.ts";
import { readAttribute } from "./read-attribute.ts";

/** Every name also with `data-` in front of it. */
const withData = (names: readonly string[]): readonly string[] =>
  names.flatMap((name) => [name, `data-${name}`]);

/** The attributes by which a challenge is requested or refused: a change begins a new run. */
const RUN_ATTRIBUTES = withData(["sitekey", "action", "cdata", "endpoint", "strings"]);

/**
 * All attributes that the element observes. Those listed here only change its looks or its texts.
 */
export const OBSERVED: readonly string[] = [
  ...withData(["theme", "appearance", "size", "dir", "language"]),
  ...RUN_ATTRIBUTES,
];

/** The first of these values that is a theme. */
export const chooseTheme = (wanted: readonly unknown[]): Theme =>
  (wanted as readonly Theme[]).find((value) => THEMES.includes(value)) ?? "auto";

/** Whether a change of the attribute begins a new run, instead of only changing looks or texts. */
export const isOfRun = (attribute: string): boolean => RUN_ATTRIBUTES.includes(attribute);

/** Whether the code for an attribute is in `surface.js`: callbacks, and the page's own texts. */
export const needsSurface = (attribute: string): boolean =>
  attribute.endsWith("callback") || attribute.endsWith("strings");

/** Values of `execution`, `retry` and `refresh-expired` that prevent automatic runs. */
const UNASKED_NEVER: readonly (string | null)[] = ["execute", "submit", "manual", "never"];

/**
 * Whether the page has set that in this state only a press, a submission or a script may begin a
 * run.
 */
export function isLeftAlone(element: Element, name: WidgetStateName): boolean {
  const attribute =
    name === "error" ? "retry" : name === "expired" ? "refresh-expired" : "execution";
  return UNASKED_NEVER.includes(readAttribute(element, attribute));
}

/**
 * Whether nothing of the widget is visible; before the challenge only its attributes can say that
 * it is invisible.
 */
export function isUnseen(element: Element, shown: WidgetState, isInvisible = false): boolean {
  // A visitor who pressed waits for the work, and sees its progress.
  if (needsVisitor(shown) || (isWorking(shown) && shown.isClicked)) return false;
  const appearance = readAttribute(element, "appearance");
  const isNeverSeen = isInvisible || readAttribute(element, "size") === "invisible";
  return (
    isNeverSeen ||
    appearance === "interaction-only" ||
    (appearance === "execute" && shown.name === "idle")
  );
}
