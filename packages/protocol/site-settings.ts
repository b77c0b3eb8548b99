/** The visitor's task (D9, submission). It is a setting of the site; the page cannot choose it. */
export const SITE_MODES = {
  managed: "Asks for a click only if a visit looks risky.",
  non_interactive:
    "Visible, but never asks for a click. Every visitor gets a token with a score, and your server decides.",
  invisible:
    "Not visible, and never asks for a click. Every visitor gets a token with a score, and your server decides.",
  interactive: "Always asks for a click.",
} as const;
/** One of the modes of D13 (formats). */
export type SiteMode = keyof typeof SITE_MODES;

/** Looks of the widget (D13, formats). */
export const THEMES = ["auto", "light", "dark", "contrast"] as const;
/** One of the looks of D13 (formats). */
export type Theme = (typeof THEMES)[number];

/** How a redemption treats another client address or user agent than the token's (D5, binding). */
export const BINDINGS = {
  strict_family:
    "Refuses another network or browser, a switch between IPv4 and IPv6, and a token that is not bound to an address.",
  strict:
    "Refuses another network or browser. A switch between IPv4 and IPv6 only raises the score.",
  flag: "Another network or browser only raises the score.",
  off: "Does not compare them.",
} as const;
/** One of the binding settings of D5 (binding). */
export type Binding = keyof typeof BINDINGS;

/** How the site treats a bot whose signature the operator trusts (D9, submission). */
export const SIGNED_AGENTS = {
  judge: "They are scored like everyone else. Decisions show who signed.",
  let_through:
    "They do the work, get a token with a low score, and are never challenged or blocked.",
} as const;
/** One of the ways to treat signed bots (D9, submission). */
export type SignedAgentPolicy = keyof typeof SIGNED_AGENTS;

/**
 * Whether the site's requests for scores come with signals that its pages collected (D7, score
 * request).
 */
export const SCORE_SIGNALS = {
  expected:
    "A score request without signals, or with signals that show no input, scores 0.30 or more.",
  none: "This site never collects signals, so missing signals do not raise the score.",
} as const;
/** One of expected, none (D13, formats). */
export type ScoreSignals = keyof typeof SCORE_SIGNALS;

/** How a form behaves if its widget cannot reach the service (D15, outage). */
export const ON_UNAVAILABLE = {
  submit: "The form is submitted without a token, and its field says so. Your server decides.",
  block: "The form waits until the service is back.",
} as const;
/** One of submit, block (D13, formats). */
export type OnUnavailable = keyof typeof ON_UNAVAILABLE;

/** The ways for visitors without JavaScript (D18, no JavaScript). */
export const NO_SCRIPT = {
  off: "Visitors without JavaScript get no token.",
  wait: "They wait 30 seconds on a page of this service and get a token to paste into the form. It has a score of 0.30 or more.",
} as const;
/** One of off, wait (D13, formats). */
export type NoScript = keyof typeof NO_SCRIPT;

/**
 * The service's recommendation for a score; it is called `action` on the wire (spec 2.2; D6,
 * scores).
 */
export const RECOMMENDATIONS = ["allow", "challenge", "block"] as const;
/** One of allow, challenge, block (spec 4.2). */
export type Recommendation = (typeof RECOMMENDATIONS)[number];

/** The visitor's task in a challenge besides the work (D8, challenge). */
export const INTERACTIONS = ["none", "click"] as const;
/** One of none, click (D8, challenge). */
export type Interaction = (typeof INTERACTIONS)[number];

/** A site's own limits per minute (D10, limits); null if a site sets none. */
export type SiteLimits<Limit> = { readonly verifyPerMinute: Limit; readonly scorePerMinute: Limit };
