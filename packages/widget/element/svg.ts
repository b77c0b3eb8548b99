/** Shapes as [tag, attributes]; drawn with createElementNS, since markup strings are refused under Trusted Types. */
export type Shape = readonly [tag: "path" | "circle" | "rect", attributes: Readonly<Record<string, string>>];

const SVG = "http://www.w3.org/2000/svg";

function draw(tag: string, attributes: Shape[1]): SVGElement {
  const shape = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) shape.setAttribute(name, value);
  return shape;
}

/** A decorative picture on a square of `size` units. */
export function createPicture(size: number, shapes: readonly Shape[]): SVGElement {
  const picture = draw("svg", { viewBox: `0 0 ${size} ${size}`, "aria-hidden": "true" });
  picture.append(...shapes.map((shape) => draw(...shape)));
  return picture;
}

/** The mark: a stile, a ladder across the rail of a fence. */
export const MARK: readonly Shape[] = [
  ["path", { d: "M9.5 3l-3 18m8-18l3 18M8.5 8.5h7M7.6 13.5h8.8M6.9 18h10.2M1 11h4m14 0h4" }],
];

/** All signs of the button's left side; the style sheet shows those whose class is the state's. The arc has a length of 100. */
export const SIGNS: readonly Shape[] = [
  ["rect", { class: "ask", x: "3", y: "3", width: "22", height: "22", rx: "6" }],
  ["circle", { class: "ring busy wrong", cx: "14", cy: "14", r: "11" }],
  ["circle", { class: "arc busy", cx: "14", cy: "14", r: "11", pathLength: "100", "stroke-dasharray": "100" }],
  ["circle", { class: "disc done", cx: "14", cy: "14", r: "12" }],
  ["path", { class: "tick done", d: "M8.5 14.1l3.8 3.8 7.2-7.8" }],
  ["path", { class: "wrong", d: "M14 8.5V15m0 4v.5" }],
];
