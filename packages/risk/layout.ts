import type { LayoutEvidence } from "./evidence.ts";

/**
 * Shares below which no browser did the layout, and below which something is odd. Of 20,000 visits for each of six
 * browsers and ratios the worst had 0.74 if the bank had its own engine, and 0.12 if it had only another one (2.7 in
 * 100 below 0.70); programs that lay out a part of CSS have 0.65 (decision 0045).
 */
const WRONG_BELOW = { own: 0.7, other: 0.25 } as const;
const ODD_BELOW = { own: 0.85, other: 0.7 } as const;

const whose = ({ isEngineKnown }: LayoutEvidence) => (isEngineKnown ? "own" : "other");

/** Whether so little is right that no browser can have done the layout. */
export function isLayoutWrong(layout: LayoutEvidence): boolean {
  return layout.share !== undefined && layout.share < WRONG_BELOW[whose(layout)];
}

/** Whether more is wrong than browsers get wrong, including when all of it is. */
export function isLayoutOdd(layout: LayoutEvidence): boolean {
  return layout.share !== undefined && layout.share < ODD_BELOW[whose(layout)];
}
