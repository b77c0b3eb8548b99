/**
 * An attribute of the widget, by its name or with `data-` in front, as other captchas name it; null
 * if absent.
 */
export const readAttribute = (element: Element, name: string): string | null =>
  element.getAttribute(name) ?? element.getAttribute(`data-${name}`);
