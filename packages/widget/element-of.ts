/** The element that an event came to first, also inside a shadow tree that is open; false where it was no element. */
export function elementOf(event: Event): Element | false {
  const [target] = event.composedPath();
  return target instanceof Element && target;
}
