/** A number in [0, 1). */
export type Random = () => number;

/** One of `choices`. */
export function pick<Choice>(random: Random, choices: readonly Choice[]): Choice {
  return choices[Math.floor(random() * choices.length)] as Choice;
}

/** A whole number from `min` to `max`, both included. */
export function between(random: Random, min: number, max: number): number {
  return min + Math.floor(random() * (max - min + 1));
}

type Value = (random: Random) => string;

/** A length in CSS pixels. Multiples of 4 survive the rounding at any pixel ratio, so that reads show them. */
const pixels =
  (min: number, max: number): Value =>
  (random) =>
    `${4 * between(random, min / 4, max / 4)}px`;

const percent: Value = (random) => `${pick(random, [10, 20, 25, 30, 40, 50, 60, 75, 80])}%`;

const length =
  (min: number, max: number): Value =>
  (random) => {
    const kind = random();
    if (kind < 0.6) return pixels(min, max)(random);
    if (kind < 0.8) return percent(random);
    if (kind < 0.88) return `calc(${percent(random)} - ${pixels(4, 32)(random)})`;
    if (kind < 0.94) return `min(${percent(random)},${pixels(min, max)(random)})`;
    return `clamp(${pixels(min, min + 16)(random)},${percent(random)},${pixels(max - 16, max)(random)})`;
  };

const words =
  (...choices: readonly string[]): Value =>
  (random) =>
    pick(random, choices);

const some =
  (min: number, max: number, value: Value): Value =>
  (random) =>
    Array.from({ length: between(random, min, max) }, () => value(random)).join(" ");

const track: Value = (random) => {
  const kind = random();
  if (kind < 0.35) return `${between(random, 1, 3)}fr`;
  if (kind < 0.6) return pixels(16, 72)(random);
  if (kind < 0.7) return percent(random);
  if (kind < 0.8) return `minmax(${pixels(12, 32)(random)},${between(random, 1, 2)}fr)`;
  if (kind < 0.9) return `fit-content(${pixels(24, 64)(random)})`;
  return pick(random, ["auto", "min-content", "max-content"]);
};

const tracks: Value = (random) =>
  random() < 0.15
    ? `repeat(${pick(random, ["auto-fill", "auto-fit"])},${pixels(24, 56)(random)})`
    : some(2, 4, track)(random);

const gridLine: Value = (random) => {
  const kind = random();
  if (kind < 0.4) return `span ${between(random, 1, 3)}`;
  if (kind < 0.8) return String(between(random, 1, 3));
  return `${between(random, 1, 2)}/-1`;
};

const sides = (...names: readonly string[]): Value => words(...names);
/**
 * Values that hold for boxes of that kind only. Newer releases apply these properties to other kinds too, and a box may
 * be of another kind if a rule that came first does not hold.
 */
const onlyOn = (kind: "flex" | "grid", choices: readonly string[]): Value =>
  words(...choices.map((choice) => `${choice};display:${kind}`));

const DISTRIBUTION = ["start", "end", "center", "space-between", "stretch"];
const ALIGNMENT = ["start", "end", "center", "stretch", "flex-start", "flex-end"];

const polygon: Value = (random) =>
  `polygon(${Array.from({ length: 3 }, () => `${percent(random)} ${percent(random)}`).join(",")})`;

type Property = readonly [name: Value, value: Value];
const property = (name: string, value: Value): Property => [() => name, value];

// What releases of one engine lay out differently is not asked: most people's browsers are not the one that baked
// (decision 0127). So there is no `aspect-ratio`, `justify-self`, `contain-intrinsic-size`, `float: inline-start`, no space
// around the parts of a row, no basis within `flex`, and no percentage within the arithmetic of a least or greatest size.

/** Properties of a box's own size and place, whatever its parent does. */
export const BOX_PROPERTIES: readonly Property[] = [
  property("width", length(24, 160)),
  property("height", length(16, 120)),
  property("min-width", pixels(16, 96)),
  property("max-width", pixels(48, 160)),
  property("min-height", pixels(16, 72)),
  property("max-height", pixels(32, 120)),
  property("inline-size", length(24, 140)),
  property("block-size", length(16, 96)),
  property("margin", some(1, 4, pixels(-12, 24))),
  property("margin-inline", some(1, 2, words("auto", "8px", "-8px", "16px", "10%"))),
  property("margin-block", some(1, 2, pixels(-8, 20))),
  [sides("margin-left", "margin-top", "margin-right", "margin-bottom"), length(-16, 32)],
  property("padding", some(1, 4, pixels(0, 20))),
  [sides("padding-left", "padding-top", "padding-inline-start", "padding-block-end"), length(4, 32)],
  property("border-width", some(1, 4, pixels(0, 12))),
  property("box-sizing", words("border-box", "content-box")),
  property("contain", words("size", "layout", "paint", "inline-size", "strict", "content")),
  property("direction", words("rtl", "ltr")),
  property("writing-mode", words("vertical-rl", "vertical-lr", "horizontal-tb")),
  property("overflow", words("hidden", "clip", "visible")),
];

/** Properties that move, bend or cut a box, or decide which of two boxes is on top. */
export const STACK_PROPERTIES: readonly Property[] = [
  property("z-index", words("-1", "0", "1", "2", "3", "auto")),
  property("transform", (random) => {
    const move = `translate(${length(-32, 48)(random)},${length(-24, 32)(random)})`;
    return pick(random, [
      move,
      "scale(.5)",
      "scale(1.5,.5)",
      "rotate(90deg)",
      `rotate(180deg) ${move}`,
      "skewX(45deg)",
    ]);
  }),
  property("transform-origin", some(2, 2, words("0", "50%", "100%", "16px", "32px"))),
  property("translate", some(1, 2, length(-32, 40))),
  property("scale", words(".5", "1.5", "2 .5", "1 2")),
  property("rotate", words("90deg", "180deg", "270deg")),
  property("clip-path", (random) => pick(random, [`inset(${some(1, 4, pixels(0, 16))(random)})`, polygon(random)])),
  property("border-radius", some(1, 2, words("50%", "16px", "32px", "100%", "0"))),
  property("pointer-events", words("none", "auto")),
  property("visibility", words("hidden", "visible", "collapse")),
  property("isolation", words("isolate")),
  property("opacity", words(".5", ".99")),
  property("will-change", words("transform", "opacity")),
];

/** Properties that take a box out of the flow, or move it. */
export const PLACE_PROPERTIES: readonly Property[] = [
  property("position", words("absolute", "relative", "sticky", "fixed", "absolute")),
  property("inset", some(1, 4, words("auto", "0", "8px", "24px", "40px", "10%", "25%"))),
  [sides("left", "top", "right", "bottom"), length(-16, 64)],
  [sides("inset-inline-start", "inset-block-end"), length(0, 48)],
  property("float", words("left", "right")),
  property("clear", words("left", "right", "both")),
];

/** Properties by which a box lays out its children, by kind of layout. */
export const PARENT_PROPERTIES: Readonly<Record<"flex" | "grid" | "block", readonly Property[]>> = {
  flex: [
    property("flex-direction", words("row", "column", "row-reverse", "column-reverse")),
    property("flex-wrap", words("wrap", "wrap-reverse", "nowrap")),
    property("justify-content", words(...DISTRIBUTION)),
    property("align-items", words(...ALIGNMENT)),
    property("align-content", onlyOn("flex", DISTRIBUTION)),
    [sides("gap", "row-gap", "column-gap"), length(4, 24)],
  ],
  grid: [
    property("grid-template-columns", tracks),
    property("grid-template-rows", tracks),
    property("grid-auto-flow", words("row", "column", "dense", "column dense")),
    [sides("grid-auto-rows", "grid-auto-columns"), track],
    property("justify-items", onlyOn("grid", ALIGNMENT)),
    property("align-items", words(...ALIGNMENT)),
    property("justify-content", words(...DISTRIBUTION)),
    property("align-content", onlyOn("grid", DISTRIBUTION)),
    property("gap", some(1, 2, pixels(0, 20))),
  ],
  block: [
    property("display", words("flow-root", "block")),
    // By itself it contains layout in older releases only.
    property("container-type", words("inline-size;contain:layout", "size;contain:layout")),
  ],
};

/** Properties by which a box takes part in its parent's layout. */
export const CHILD_PROPERTIES: Readonly<Record<"flex" | "grid" | "block", readonly Property[]>> = {
  flex: [
    property("flex", words("1", "2", "0 1 auto", "none")),
    property("flex-grow", words("1", "2", "3")),
    property("flex-shrink", words("0", "2", "3")),
    property("flex-basis", length(16, 120)),
    property("order", words("-1", "1", "2")),
    property("align-self", words(...ALIGNMENT)),
    property("margin", words("auto", "0 auto", "auto 0 0 auto")),
  ],
  grid: [
    property("grid-column", gridLine),
    property("grid-row", gridLine),
    property("order", words("-1", "1", "2")),
    property("align-self", words(...ALIGNMENT)),
    property("margin", words("auto", "auto 0", "0 0 0 auto")),
  ],
  block: [property("margin-top", pixels(-16, 24)), property("margin-left", words("auto", "12px", "20%"))],
};

/** `count` random declarations of these properties. */
export function declare(random: Random, properties: readonly Property[], count: number): string[] {
  return Array.from({ length: count }, () => {
    const [name, value] = pick(random, properties);
    return `${name(random)}:${value(random)}`;
  });
}
