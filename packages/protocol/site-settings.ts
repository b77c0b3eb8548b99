/** The visitor's task (D9). It is a setting of the site; the page cannot choose it. */
export const SITE_MODES = {
  managed: "A click only when the risk asks for one.",
  non_interactive:
    "Visible, never asks. Every visitor gets a token with a score, and your server decides.",
  invisible:
    "Not visible, never asks. Every visitor gets a token with a score, and your server decides.",
  interactive: "Always asks for a click.",
} as const;
/** One of the modes of D13. */
export type SiteMode = keyof typeof SITE_MODES;

/** Looks of the widget (D13). */
export const THEMES = ["auto", "light", "dark", "contrast"] as const;
/** One of the looks of D13. */
export type Theme = (typeof THEMES)[number];

/** How a redemption treats another client address or user agent than the token's (D5). */
export const BINDINGS = {
  strict_family:
    "Another network or browser is refused, also IPv6 for IPv4 or the reverse; so is a token bound to no address.",
  strict: "Another network or browser is refused. IPv6 for IPv4, or the reverse, raises the score.",
  flag: "Another network or browser raises the score.",
  off: "Not compared.",
} as const;
/** One of the binding settings of D5. */
export type Binding = keyof typeof BINDINGS;

/** How the site treats a bot whose signature the operator trusts (D9). */
export const SIGNED_AGENTS = {
  judge: "Like everybody. Decisions name who signed.",
  let_through:
    "They get a token with a low score after the work, and are never blocked or asked to click.",
} as const;
/** One of the ways to treat signed bots (D9). */
export type SignedAgentPolicy = keyof typeof SIGNED_AGENTS;

/** Whether the site's requests for scores come with signals that its pages collected (D7). */
export const SCORE_SIGNALS = {
  expected:
    "A request for a score without signals, or with signals that show no input, gets 0.30 or more.",
  none: "This site never collects signals, so their absence does not raise a score.",
} as const;
/** One of expected, none (D13). */
export type ScoreSignals = keyof typeof SCORE_SIGNALS;

/** How a form behaves if its widget cannot reach the service (D15). */
export const ON_UNAVAILABLE = {
  submit: "The form goes without a token, and its field says so: your server decides.",
  block: "The form waits until the service is back.",
} as const;
/** One of submit, block (D13). */
export type OnUnavailable = keyof typeof ON_UNAVAILABLE;

/** The ways for visitors without JavaScript (D18). */
export const NO_SCRIPT = {
  off: "Without JavaScript there is no token.",
  wait: "They wait 30 seconds on a page of the service and get a token to paste, with a score of 0.30 or more.",
} as const;
/** One of off, wait (D13). */
export type NoScript = keyof typeof NO_SCRIPT;

/** The service's recommendation for a score; it is called `action` on the wire (spec 2.2, D6). */
export const RECOMMENDATIONS = ["allow", "challenge", "block"] as const;
/** One of allow, challenge, block (spec 4.2). */
export type Recommendation = (typeof RECOMMENDATIONS)[number];

/** The visitor's task in a challenge besides the work (D8). */
export const INTERACTIONS = ["none", "click"] as const;
/** One of none, click (D8). */
export type Interaction = (typeof INTERACTIONS)[number];

/** A site's own limits per minute (D10); null if a site sets none. */
export type SiteLimits<Limit> = { readonly verifyPerMinute: Limit; readonly scorePerMinute: Limit };
