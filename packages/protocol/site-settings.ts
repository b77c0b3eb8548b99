/** How much a visitor is asked for (D9): a site setting, never the page's choice. */
export const SITE_MODES = {
  managed: "A click only when the risk asks for one.",
  non_interactive: "Visible, never asks; the token carries its score.",
  invisible: "Not visible, never asks; the token carries its score.",
  interactive: "Always asks for a click.",
} as const;
/** One of the modes of D13. */
export type SiteMode = keyof typeof SITE_MODES;

/** Looks of the widget (D13). */
export const THEMES = ["auto", "light", "dark", "contrast"] as const;
/** One of the looks of D13. */
export type Theme = (typeof THEMES)[number];

/** What a differing client address or user agent does at redemption (D5). */
export const BINDINGS = {
  strict_family:
    "Another network or browser is refused, also IPv6 for IPv4 or the reverse; so is a token bound to no address.",
  strict: "Another network or browser is refused. IPv6 for IPv4, or the reverse, raises the score.",
  flag: "Another network or browser raises the score.",
  off: "Not compared.",
} as const;
/** One of the binding settings of D5. */
export type Binding = keyof typeof BINDINGS;

/** What the service recommends for a score: `action` on the wire of spec 2.2 (D6). */
export const RECOMMENDATIONS = ["allow", "challenge", "block"] as const;
/** One of allow, challenge, block (spec 4.2). */
export type Recommendation = (typeof RECOMMENDATIONS)[number];

/** What a challenge asks of the visitor besides work (D8). */
export const INTERACTIONS = ["none", "click"] as const;
/** One of none, click (D8). */
export type Interaction = (typeof INTERACTIONS)[number];
