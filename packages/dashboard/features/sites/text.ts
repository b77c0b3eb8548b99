import type {
  Binding,
  NoScript,
  OnUnavailable,
  ScoreSignals,
  SignedAgentPolicy,
  SiteMode,
  Theme,
} from "@stile/protocol/site-settings";

/** Names of the modes, for people. */
export const MODE_NAMES: Readonly<Record<SiteMode, string>> = {
  managed: "Managed",
  non_interactive: "Non-interactive",
  invisible: "Invisible",
  interactive: "Interactive",
};

/** Names of the themes, for people. */
export const THEME_NAMES: Readonly<Record<Theme, string>> = {
  auto: "As the visitor's system",
  light: "Light",
  dark: "Dark",
  contrast: "High contrast",
};

/** Names of the binding settings, for people. */
export const BINDING_NAMES: Readonly<Record<Binding, string>> = {
  strict_family: "Exact",
  strict: "Strict",
  flag: "Flag",
  off: "Off",
};

/** Names of whether score requests come with signals, for people. */
export const SCORE_SIGNAL_NAMES: Readonly<Record<ScoreSignals, string>> = {
  expected: "Expected",
  none: "Never collected",
};

/** Names of what happens to forms in an outage, for people. */
export const UNAVAILABLE_NAMES: Readonly<Record<OnUnavailable, string>> = {
  submit: "Let the form go",
  block: "Keep the form",
};

/** Names of what visitors without JavaScript can do, for people. */
export const NO_SCRIPT_NAMES: Readonly<Record<NoScript, string>> = {
  off: "Nothing",
  wait: "Wait for a token",
};

/** Names of what happens to signed bots, for people. */
export const SIGNED_AGENT_NAMES: Readonly<Record<SignedAgentPolicy, string>> = {
  judge: "Judge them",
  let_through: "Let them through",
};

/** Texts that several pages of sites share. */
export const SITE = {
  disabled: "Disabled",
  enabled: "Enabled",
  testing: "Testing",
  testingHelp: "One of its domains is only good for testing: localhost or an IP address.",
  neverVerified: "Not verified",
  neverVerifiedHelp:
    "Visitors get tokens, but your server redeems none: the forms are not protected.",
  siteKey: "Site key",
  secretKey: "Secret key",
  tabs: {
    outcome: "Outcome",
    scores: "Scores",
    decisions: "Decisions",
    settings: "Settings",
    keys: "Keys",
    install: "Install",
  },
  tabsLabel: "Pages of this site",
  allSites: "All sites",
  unknownTitle: "There is no such site",
  unknownBody:
    "The address is mistyped, the site was deleted, or it belongs to another account. The list of sites offers to restore a deleted site for 7 days.",
  toSites: "Go to the sites",
  developersOnly: "Your role can look but not change anything. Ask for the developer role.",
  adminsOnly: "This needs the admin role.",
} as const;

/** Texts of the list of sites. */
export const LIST = {
  title: "Sites",
  intro: "Figures for the last 24 hours.",
  create: "New site",
  createFirst: "Create your first site",
  empty: "No sites yet",
  emptyBody:
    "A site has its own keys, domains and statistics. One per form or product is a good start.",
  caption: "Sites, with figures for the last 24 hours",
  site: "Site",
  mode: "Mode",
  secret: "Secret",
  challenges: "Challenges",
  solved: "Solved",
  verified: "Verified",
  passRate: "Pass rate",
  blockRate: "Block rate",
  solveTime: "Solve time p50 / p95",
  course: "Solved by hour",
  deleted: "Deleted sites",
  deletedIntro: "Their keys no longer work. Restoring a site gives it a new secret key.",
  name: "Name",
  deletedAt: "Deleted",
  goneIn: "Gone for good in",
  action: "Action",
  restore: "Restore",
  restoreTitle: "Restore",
  restoreBody:
    "The site gets its settings and statistics back, and a new secret key, shown once. The old one stays invalid.",
} as const;

/** Texts of the page that creates a site. */
export const NEW_SITE = {
  title: "New site",
  submit: "Create the site",
  nameHelp: "For you and your team; visitors don't see it.",
  createdTitle: "The site is ready",
} as const;

/** Texts around a secret key that is shown only once. */
export const NEW_SECRET = {
  title: "New secret key",
  once: "Store the secret key now, where your server reads its environment (STILE_SECRET). It is not shown again, and the service itself keeps only its digest.",
  stored: "I have stored the secret key",
  next: "Next: install",
  done: "Done",
  leave: "Leave without the secret key? It is not shown again; you would have to rotate it.",
} as const;

/** Texts of the settings page. */
export const SETTINGS = {
  basics: "Basics",
  look: "Look",
  security: "Security",
  limits: "Limits",
  name: "Name",
  domains: "Domains",
  domainsHelp: "One per line. Subdomains are included. The widget works on these hosts only.",
  cleaned: "These will be saved:",
  mode: "Mode",
  theme: "Theme",
  themeHelp: "A page may choose another one for its own widget.",
  language: "Language",
  languageHelp: "A page may choose another one for its own widget.",
  languageAuto: "As the page says",
  languageKept: "(chosen earlier)",
  isEnabled: "Enabled",
  isEnabledHelp:
    "When off, the widget gets no challenges, and your server's calls are refused with site_disabled. Nothing is lost; turn it on again at any time.",
  tokenLife: "Token lifetime",
  tokenLifeHelp:
    "How long a solved widget stays good. Long forms need more; the widget renews the token while the page is in use.",
  binding: "Binding",
  scoreSignals: "Signals with score requests",
  scoreSignalsHelp:
    "Only for POST /api/v1/score. Choose the second if your server asks for scores of visitors whose pages never call stile.collect().",
  onUnavailable: "During an outage",
  noScript: "Visitors without JavaScript",
  noScriptHelp:
    "The Install page has the lines for your form. Their browser does no work for a token, so each network gets only a few a minute. Leave it off if you don't need it.",
  contact: "How blocked visitors reach you",
  contactHelp:
    "An email address, an https address or a short text. Only visitors who are blocked see it, in the widget and on the page for visitors without JavaScript. Leave it empty to show none.",
  bindingHelp:
    "Compares the visitor's network and browser with what your server sends as remoteip and user_agent.",
  signedAgents: "Signed bots",
  signedAgentsHelp:
    "Bots that sign their requests with a key that the operator of this service trusts:",
  signedAgentsNone:
    "This service trusts no bot's signature. To let declared bots through, the operator lists them and their keys in the file named by STILE_SIGNED_AGENTS.",
  challengeAt: "Ask for a click from score",
  challengeAtHelp:
    "0 is a person, 1 is a bot. At or above this, managed sites ask for a click. Where nobody is asked, your server asks for a second step.",
  blockAt: "Block from score",
  blockAtHelp:
    "At or above this, managed and interactive sites give no token. In the other modes your server refuses, as the code on the Install page does: it follows the recommendation of each answer.",
  difficulty: "Difficulty",
  difficultyOptions: {
    "-1": "Half the work",
    "0": "Normal",
    "1": "Twice the work",
    "2": "Four times the work",
  },
  difficultyHelp:
    "How much work the visitor's device does. More costs bots more, and slow phones too.",
  verifyLimit: "Verifications",
  scoreLimit: "Score requests",
  limitHelp: "Leave empty to use the service's default.",
  limitDefault: "default:",
  perMinute: "per minute",
  seconds: "seconds",
  preview: "Preview",
  previewGround: "Preview on",
  previewGrounds: { light: "a light page", dark: "a dark page", contrast: "a black page" },
  previewIntro: "The real widget, at rest. It asks the service for nothing here.",
  previewInvisible:
    "An invisible widget shows nothing, unless it needs the visitor or something is wrong.",
  previewFailed: "The widget could not be loaded.",
  saved: "The settings are saved.",
  unsaved: "There are unsaved changes.",
  discard: "Discard",
  leave: "Leave without saving? Your changes will be lost.",
  conflictTitle: "Somebody else changed this in the meantime",
  conflictNone: "Their changes are now in the form, next to yours. Look it over and save again.",
  conflictBody: "You both changed these. The form keeps yours; save again to replace theirs.",
  theirs: "theirs",
  yours: "yours",
  deleteTitle: "Delete this site",
  deleteBody:
    "All its keys and tokens stop working at once. The site can be restored for 7 days, with a new secret key; then it is gone for good.",
  deleteAction: "Delete the site",
  deleted: "The site is deleted. It can be restored for 7 days.",
} as const;

/** Texts of the keys page. */
export const KEYS = {
  siteKeyIntro: "Public. It is part of your page and identifies the site.",
  secretIntro:
    "Your server calls the service with it. Only its digest is kept, so it can't be shown again.",
  active: "Active",
  grace: "Replaced",
  lastFour: "Ends in",
  state: "State",
  created: "Created",
  lastUsed: "Last used",
  dies: "Expires in",
  never: "not seen yet",
  caption: "Secret keys of this site",
  oldInUseTitle: "A replaced key is still in use",
  oldInUse:
    "It was last used {time}. If that was your server, give it the new one before the old one expires. If not, revoke it.",
  rotate: "Rotate the secret key",
  rotateIntro:
    "Rotating makes a new secret key. The current one keeps working for 24 hours, so that you can switch without an interruption. If it has leaked, switch, then revoke it here.",
  rotateConfirm: "Rotate",
  rotateBody:
    "You get a new secret key, shown once. The current one works for another 24 hours, then it expires.",
  revoke: "Revoke replaced keys now",
  revokeBody:
    "All replaced keys stop working at once. A server that still uses one is refused from then on, and its forms stop working. Do this if a key has leaked.",
  revokeConfirm: "Revoke now",
  revoked: "The replaced keys no longer work.",
} as const;

/** Texts of the install page. */
export const INSTALL = {
  page: "1. In your page",
  pageIntro: "The widget goes inside the form, and adds its token as the field stile-response.",
  server: "2. On your server",
  serverIntro:
    "Redeem the token where the form arrives. It is bound to the visitor's network: behind a proxy, see to it that remoteip is the visitor's address, and not the proxy's.",
  environment:
    "Put the secret key into the environment as STILE_SECRET. It was shown once; if you have lost it, rotate it under",
  toKeys: "Keys",
  check: "3. Does it work?",
  checkIntro: "Open your page, fill in the form and send it. This list follows along.",
  checkLabel: "Steps of the integration, seen in the last 48 hours",
  seen: "Seen",
  waiting: "Not seen yet",
  steps: {
    challenge: {
      title: "The widget asked for a challenge",
      todo: "Open your page and click into the form. If nothing happens: is the page's host among the site's domains, and does the page's Content-Security-Policy allow this service?",
    },
    token: {
      title: "A visitor got a token",
      todo: "Wait a moment after touching the form. If the widget shows an error, it says what is wrong.",
    },
    verified: {
      title: "Your server redeemed a token",
      todo: "Send the form. Your server must call token/verify with the secret key and the form's stile-response.",
    },
  },
  done: "All three steps work.",
  lastRefusal: "Last refusal",
  refusedHosts: "Pages on these hosts were refused",
  addHosts: "They are not among the site's domains. If one is yours, add it.",
  toSettings: "Settings",
  languagePage: "Language of the page",
  languageServer: "Server",
  loadingCode: "Loading the code",
} as const;
