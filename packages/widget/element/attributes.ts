import { THEMES, type Theme } from "@stile/protocol/site-settings";
import {
  isWorking,
  needsVisitor,
  type WidgetState,
  type WidgetStateName,
} from "../machine/widget-state.ts";
import { readAttribute } from "./read-attribute.ts";

/**
 * All attributes that the element observes, each with and without `data-`: those for its look, and
 * those by which a challenge is requested or refused. A change of the latter begins a new run. The
 * last one, `language`, only changes the texts.
 */
export const OBSERVED: readonly string[] =
  "theme appearance size dir sitekey action cdata endpoint strings language"
    .split(" ")
    .flatMap((name) => [name, `data-${name}`]);

/** The first of the wished themes that exists; a wish may be any value. */
export const chooseTheme = (wishes: readonly unknown[]): Theme =>
  (wishes as readonly Theme[]).find((wish) => THEMES.includes(wish)) ?? "auto";

/**
 * Whether a change of the attribute begins a new run, and does not only change what is shown and
 * said.
 */
export const isOfRun = (attribute: string): boolean =>
  /sitekey|action|cdata|endpoint|strings/.test(attribute);

/**
 * Whether the page has said that in this state only a press, a submission or a script may begin a
 * run.
 */
export function isLeftAlone(element: Element, name: WidgetStateName): boolean {
  const attribute =
    name === "error" ? "retry" : name === "expired" ? "refresh-expired" : "execution";
  return /^(execute|submit|manual|never)$/.test(readAttribute(element, attribute) ?? "");
}

/**
 * Whether nothing of the widget is visible; before the challenge only its attributes can say that
 * it is invisible.
 */
export function isUnseen(element: Element, shown: WidgetState, isInvisible = false): boolean {
  // A visitor who pressed waits for the work, and sees how far it is.
  if (needsVisitor(shown) || (isWorking(shown) && shown.isClicked)) return false;
  const appearance = readAttribute(element, "appearance");
  const isNeverSeen = isInvisible || readAttribute(element, "size") === "invisible";
  return (
    isNeverSeen ||
    appearance === "interaction-only" ||
    (appearance === "execute" && shown.name === "idle")
  );
}
