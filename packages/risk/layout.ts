import type { LayoutEvidence } from "./evidence.ts";

/**
 * Shares below which no browser did the layout, and below which something is odd. Of 20,000 visits for each of many
 * browsers and ratios the worst had 0.74 if the bank had its own engine, and 0.40 if it had only others (0.1 to 2 in 100
 * below 0.70, decision 0127). A layout library has 0.65 (decision 0045), and forty lines that know blocks and rows 0.21.
 */
const WRONG_BELOW = { own: 0.7, other: 0.4 } as const;
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
