import { needsVisitor, type WidgetState } from "../machine/widget-state.ts";

/** An attribute of the widget, by its name or with `data-` in front, as other captchas write theirs; null where there is neither. */
export const readAttribute = (element: Element, name: string): string | null =>
  element.getAttribute(name) ?? element.getAttribute(`data-${name}`);

/** Whether nothing of the widget is to be seen; before the challenge only its attributes can say that it is invisible. */
export function isUnseen(element: Element, shown: WidgetState, isInvisible: boolean): boolean {
  if (needsVisitor(shown)) return false;
  const appearance = readAttribute(element, "appearance");
  const isNeverSeen = isInvisible || readAttribute(element, "size") === "invisible";
  return isNeverSeen || appearance === "interaction-only" || (appearance === "execute" && shown.name === "idle");
}
