// Runs in pages and frames: what style sheets see of the browser, read through layout, and what scripts claim of it.

/** What a script can say of its browser in one document. */
export type Claims = {
  readonly userAgent: string;
  readonly isMobileByHints: boolean | null;
  readonly touchPoints: number;
  readonly screenWidth: number;
  readonly screenHeight: number;
  readonly colorDepth: number;
  readonly pixelRatio: number;
  readonly innerWidth: number;
  readonly innerHeight: number;
  /** Those of the asked media queries that `matchMedia` says match. */
  readonly media: readonly string[];
};

/** What style sheets in the same document go by. */
export type Styles = {
  readonly deviceWidth: number;
  readonly deviceHeight: number;
  readonly resolution: number;
  readonly width: number;
  readonly height: number;
  readonly color: number;
  readonly media: readonly string[];
};

/** One document's two answers, and what its scenes took: their number, the characters of all, and ms. */
export type Answers = {
  readonly claims: Claims;
  readonly styles: Styles;
  readonly cost: { readonly scenes: number; readonly characters: number; readonly ms: number };
};

/** Media queries without a number, which `matchMedia` and a style sheet have to answer alike. */
export const KEYWORDS: readonly string[] = [
  ...["hover: hover", "hover: none", "any-hover: hover", "any-hover: none"],
  ...["pointer: fine", "pointer: coarse", "pointer: none"],
  ...["any-pointer: fine", "any-pointer: coarse", "any-pointer: none"],
  ...["prefers-color-scheme: light", "prefers-color-scheme: dark"],
  ...["color-gamut: srgb", "color-gamut: p3", "color-gamut: rec2020"],
  ...["prefers-reduced-motion: reduce", "prefers-contrast: more", "prefers-contrast: custom"],
  ...["prefers-reduced-transparency: reduce", "inverted-colors: inverted", "forced-colors: active"],
  ...["display-mode: browser", "display-mode: standalone", "display-mode: fullscreen"],
  ...["orientation: portrait", "orientation: landscape"],
  ...["update: fast", "update: slow", "scripting: enabled", "scripting: none"],
  ...["dynamic-range: high", "video-dynamic-range: high", "overflow-block: scroll", "monochrome"],
].map((feature) => `(${feature})`);

/** Serialized into the page: asks by the executor of visitors' frames, sixteen questions a scene, a box for each. */
export function askHere(readLayout: (scenes: string) => Uint8Array, keywords: readonly string[]): Answers {
  const LETTERS = "abcdefghijklmnop";
  /** Between the two widths, in the executor's steps of 4 px. */
  const MIDDLE = 10;
  const cost = { scenes: 0, characters: 0, ms: 0 };
  const ask = (queries: readonly string[]): boolean[] => {
    const boxes = [...LETTERS];
    const tree = boxes.map((letter) => `<${letter}>`).join("");
    const reads = boxes.map((letter) => `rw${letter}`).join(" ");
    const rules = queries.map((query, at) => `@media ${query}{.${boxes[at]}{width:160px}}`);
    // Wide apart, so that a page with CSS zoom reads the same.
    const style = `div{position:absolute;left:0;top:0;width:4px;height:4px}${rules.join("")}`;
    const scene = [tree, reads, style].join("\n");
    const answer = readLayout(`0\n${scene}`).subarray(2);
    cost.scenes += 1;
    cost.characters += scene.length;
    return queries.map((_, at) => (answer[at] ?? 0) > MIDDLE);
  };
  const matching = (): string[] => {
    const found: string[] = [];
    for (let at = 0; at < keywords.length; at += LETTERS.length) {
      const part = keywords.slice(at, at + LETTERS.length);
      const answers = ask(part);
      found.push(...part.filter((_, i) => answers[i]));
    }
    return found;
  };
  /** The largest value of a feature that a style sheet takes for reached, to within `precision`. */
  const search = (feature: string, unit: string, below: number, precision: number): number => {
    let [low, step] = [0, below];
    while (step > precision) {
      step /= LETTERS.length + 1;
      const cuts = [...LETTERS].map((_, at) => (low + step * (at + 1)).toFixed(7));
      low += step * ask(cuts.map((cut) => `(min-${feature}:${cut}${unit})`)).filter(Boolean).length;
    }
    return low;
  };
  const started = performance.now();
  const styles = {
    deviceWidth: search("device-width", "px", 20_000, 0.01),
    deviceHeight: search("device-height", "px", 20_000, 0.01),
    resolution: search("resolution", "dppx", 20, 0.0005),
    width: search("width", "px", 20_000, 0.01),
    height: search("height", "px", 20_000, 0.01),
    color: ask([...LETTERS].map((_, at) => `(min-color:${at + 1})`)).filter(Boolean).length,
    media: matching(),
  };
  cost.ms = performance.now() - started;
  const hints = (navigator as { userAgentData?: { mobile?: boolean } }).userAgentData;
  const claims = {
    userAgent: navigator.userAgent,
    isMobileByHints: hints?.mobile ?? null,
    touchPoints: navigator.maxTouchPoints,
    screenWidth: screen.width,
    screenHeight: screen.height,
    colorDepth: screen.colorDepth,
    pixelRatio: devicePixelRatio,
    innerWidth,
    innerHeight,
    media: keywords.filter((query) => matchMedia(query).matches),
  };
  return { claims, styles, cost };
}
