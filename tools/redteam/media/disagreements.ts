import type { Answers, Claims, Styles } from "./ask-in-page.ts";
import type { Reading } from "./media-page.ts";

/** Claims that style sheets contradict. */
type Kind = "screen" | "ratio" | "window" | "matchMedia" | "depth" | "touch" | "mobile";

/**
 * How two answers were compared: a document's claims with its own styles; the page's claims with the styles of the
 * frame; and, without any style sheet, the page's claims with those of the frame's script.
 */
export const WAYS = ["own styles", "near frame's styles", "far frame's styles", "far frame's script"] as const;
/** One of these comparisons. */
export type Way = (typeof WAYS)[number];

/** One contradiction, with both values. */
export type Disagreement = { readonly way: Way; readonly kind: Kind; readonly found: string };

/** Zoom makes sizes that are no whole pixels, and engines round these each its own way: WebKit's window by up to 1.02. */
const TOLERANCE_PX = 2;
const TOLERANCE_DPPX = 0.01;

const MOBILE = /Android|iPhone|iPad|Mobile/;

/** Queries about the document's own size. */
const OWN = /orientation/;

type Told = { readonly kind: Kind; readonly found: string };

function sizes(kind: Kind, claimed: readonly number[], seen: readonly number[]): Told[] {
  const isFar = claimed.some((value, at) => Math.abs(value - (seen[at] ?? 0)) >= TOLERANCE_PX);
  const shown = seen.map((value) => Math.round(value)).join(" x ");
  return isFar ? [{ kind, found: `${claimed.join(" x ")}, not ${shown}` }] : [];
}

function screens(claims: Claims, width: number, height: number, ratio: number): Told[] {
  const isOther = Math.abs(claims.pixelRatio - ratio) >= TOLERANCE_DPPX;
  const ratios: Told[] = isOther ? [{ kind: "ratio", found: `${claims.pixelRatio}, not ${ratio.toFixed(2)}` }] : [];
  return [...sizes("screen", [claims.screenWidth, claims.screenHeight], [width, height]), ...ratios];
}

/** Contradictions between claims and styles that hold wherever in a browser the two were asked. */
function contradict(claims: Claims, styles: Styles): Told[] {
  const told = screens(claims, styles.deviceWidth, styles.deviceHeight, styles.resolution);
  const tell = (kind: Kind, found: string): void => void told.push({ kind, found });
  const [said, seen] = [new Set(claims.media), new Set(styles.media)];
  const differing = [...said, ...seen].filter((query) => said.has(query) !== seen.has(query) && !OWN.test(query));
  if (differing.length > 0) tell("matchMedia", differing.join(" "));
  if (Math.floor(claims.colorDepth / 3) !== styles.color)
    tell("depth", `${claims.colorDepth}, not 3 x ${styles.color}`);
  const takesFingers = seen.has("(any-pointer: coarse)");
  if (claims.touchPoints > 0 !== takesFingers)
    tell("touch", `${claims.touchPoints} points, ${takesFingers ? "a" : "no"} coarse pointer`);
  const isMobile = claims.isMobileByHints ?? MOBILE.test(claims.userAgent);
  const isHeld = seen.has("(hover: none)") && seen.has("(pointer: coarse)");
  if (isMobile !== isHeld) tell("mobile", `${isMobile ? "a" : "no"} phone, worked by ${isHeld ? "" : "no "}finger`);
  return told;
}

function contradictItself({ claims, styles }: Answers): Told[] {
  const own = sizes("window", [claims.innerWidth, claims.innerHeight], [styles.width, styles.height]);
  return [...contradict(claims, styles), ...own];
}

/** All contradictions of one visitor. */
export function disagreementsOf({ page, near, far }: Reading): readonly Disagreement[] {
  const other = far.claims;
  const told: Readonly<Record<Way, readonly Told[]>> = {
    "own styles": contradictItself(page),
    "near frame's styles": contradict(page.claims, near.styles),
    "far frame's styles": contradict(page.claims, far.styles),
    "far frame's script": screens(page.claims, other.screenWidth, other.screenHeight, other.pixelRatio),
  };
  return WAYS.flatMap((way) => told[way].map((one) => ({ way, ...one })));
}
