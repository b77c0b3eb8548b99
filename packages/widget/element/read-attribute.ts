/** An attribute of the widget, by its name or with `data-` in front, as other captchas write theirs; null where there is neither. */
export const readAttribute = (element: Element, name: string): string | null =>
  element.getAttribute(name) ?? element.getAttribute(`data-${name}`);
