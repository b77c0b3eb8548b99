/** A line of a picture: its class, and its path. */
export type Shape = readonly [className: string, path: string];

/** Makes an SVG element with these attributes; Trusted Types would refuse markup strings. */
function draw(tag: string, attributes: Readonly<Record<string, string>>): SVGElement {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag) as SVGElement;
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}

/** A decorative picture on a square of `size` units. */
export function createPicture(size: number, shapes: readonly Shape[]): SVGElement {
  const picture = draw("svg", { viewBox: `0 0 ${size} ${size}`, "aria-hidden": "true" });
  picture.append(...shapes.map(([name, path]) => draw("path", { class: name, d: path })));
  return picture;
}

/** The logo: a stile, a ladder across the rail of a fence. */
export const MARK: readonly Shape[] = [
  ["", "M9.5 3l-3 18m8-18l3 18M8.5 8.5h7M7.6 13.5h8.8M6.9 18h10.2M1 11h4m14 0h4"],
];

/** A circle around 14,14 of radius 11, starting at its right end: 69.1 units long. */
const RING = "M25 14a11 11 0 0 1-22 0 11 11 0 0 1 22 0";

/**
 * All signs of the button's left side; the style sheet shows those whose class is that of the
 * state.
 */
export const SIGNS: readonly Shape[] = [
  ["ask", "M9 3h10a6 6 0 0 1 6 6v10a6 6 0 0 1-6 6H9a6 6 0 0 1-6-6V9a6 6 0 0 1 6-6z"],
  ["ring busy wrong", RING],
  ["arc busy", RING],
  ["disc done", RING],
  ["tick done", "M8.5 14.1l3.8 3.8 7.2-7.8"],
  ["wrong", "M14 8.5V15m0 4v.5"],
];
