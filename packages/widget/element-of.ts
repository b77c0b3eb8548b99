/**
 * The element that an event reached first, also inside an open shadow tree; false if it was not an
 * element.
 */
export function elementOf(event: Event): Element | false {
  const [target] = event.composedPath();
  return target instanceof Element && target;
}
