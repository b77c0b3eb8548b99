import type {
  Binding,
  NoScript,
  OnUnavailable,
  ScoreSignals,
  SignedAgentPolicy,
  SiteMode,
  Theme,
} from "@stile/protocol/site-settings";

/** Names of the modes. */
export const MODE_NAMES: Readonly<Record<SiteMode, string>> = {
  managed: "Managed",
  non_interactive: "Non-interactive",
  invisible: "Invisible",
  interactive: "Interactive",
};

/** Names of the themes. */
export const THEME_NAMES: Readonly<Record<Theme, string>> = {
  auto: "Same as the visitor's system",
  light: "Light",
  dark: "Dark",
  contrast: "High contrast",
};

/** Names of the binding settings. */
export const BINDING_NAMES: Readonly<Record<Binding, string>> = {
  strict_family: "Exact",
  strict: "Strict",
  flag: "Flag",
  off: "Off",
};

/** Names of whether score requests come with signals. */
export const SCORE_SIGNAL_NAMES: Readonly<Record<ScoreSignals, string>> = {
  expected: "Expected",
  none: "Never collected",
};

/** Names of what happens to forms in an outage. */
export const UNAVAILABLE_NAMES: Readonly<Record<OnUnavailable, string>> = {
  submit: "Submit the form",
  block: "Hold the form",
};

/** Names of what visitors without JavaScript can do. */
export const NO_SCRIPT_NAMES: Readonly<Record<NoScript, string>> = {
  off: "No token",
  wait: "Wait for a token",
};

/** Names of what happens to signed bots. */
export const SIGNED_AGENT_NAMES: Readonly<Record<SignedAgentPolicy, string>> = {
  judge: "Score them",
  let_through: "Allow them",
};

/** Texts that several pages of sites share. */
export const SITE = {
  disabled: "Disabled",
  enabled: "Enabled",
  testing: "Testing",
  testingHelp: "One of its domains is only for testing: localhost or an IP address.",
  neverVerified: "Not verified",
  neverVerifiedHelp:
    "Visitors get tokens, but your server does not verify them, so the forms are not protected.",
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
  unknownTitle: "Site not found",
  unknownBody:
    "Check the address. The site may have been deleted, or it may belong to another account. You can restore a deleted site from the list of sites for 7 days.",
  toSites: "Go to your sites",
  developersOnly: "Your role is read-only. To make changes, ask for the developer role.",
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
  solveTime: "Solve time, p50 / p95",
  course: "Solved by hour",
  deleted: "Deleted sites",
  deletedIntro: "Their keys no longer work. Restoring a site gives it a new secret key.",
  name: "Name",
  deletedAt: "Deleted",
  goneIn: "Permanently deleted in",
  action: "Action",
  restore: "Restore",
  restoreTitle: "Restore",
  restoreBody:
    "This brings back the site's settings and statistics. It gets a new secret key, which is shown once. The old key stays invalid.",
} as const;

/** Texts of the page that creates a site. */
export const NEW_SITE = {
  title: "New site",
  submit: "Create the site",
  nameHelp: "For you and your team. Visitors don't see it.",
  createdTitle: "The site is ready",
} as const;

/** Texts around a secret key that is shown only once. */
export const NEW_SECRET = {
  title: "New secret key",
  once: "Copy the secret key now and store it in your server's environment as STILE_SECRET. It is not shown again, because the service stores only a hash of it.",
  stored: "I have stored the secret key",
  next: "Next: install",
  done: "Done",
  leave:
    "Leave without the secret key? It will not be shown again, and you would have to rotate it.",
} as const;

/** Texts of the settings page. */
export const SETTINGS = {
  basics: "Basics",
  look: "Appearance",
  security: "Security",
  limits: "Limits",
  name: "Name",
  domains: "Domains",
  domainsHelp: "One per line. Subdomains are included. The widget works on these hosts only.",
  cleaned: "These will be saved:",
  mode: "Mode",
  theme: "Theme",
  themeHelp: "A page can override this for its own widget.",
  language: "Language",
  languageHelp: "A page can override this for its own widget.",
  languageAuto: "Same as the page",
  languageKept: "(chosen earlier)",
  isEnabled: "Enabled",
  isEnabledHelp:
    "When this is off, the widget gets no challenges, and your server's calls are refused with site_disabled. Nothing is lost, and you can turn it back on at any time.",
  tokenLife: "Token lifetime",
  tokenLifeHelp:
    "How long a token stays valid. Long forms need more time. The widget renews the token while the page is in use.",
  binding: "Binding",
  scoreSignals: "Signals with score requests",
  scoreSignalsHelp:
    "Only for POST /api/v1/score. Choose “Never collected” if your pages never call stile.collect() before your server requests a score.",
  onUnavailable: "During an outage",
  noScript: "Visitors without JavaScript",
  noScriptHelp:
    "The Install page has the code for your form. These browsers do no work for a token, so each network gets only a few per minute. Leave this off unless you need it.",
  contact: "Contact for blocked visitors",
  contactHelp:
    "An email address, an https address or a short text. Only blocked visitors see it, in the widget and on the page for visitors without JavaScript. Leave it empty to show nothing.",
  bindingHelp:
    "Compares the network and browser that earned the token with the remoteip and user_agent that your server sends.",
  signedAgents: "Signed bots",
  signedAgentsHelp:
    "Bots that sign their requests with a key that the operator of this service trusts:",
  signedAgentsNone:
    "This service does not trust any bot's signature. To change that, the operator lists bots and their keys in the file that STILE_SIGNED_AGENTS names.",
  challengeAt: "Challenge from score",
  challengeAtHelp:
    "0 is a person, 1 is a bot. From this score on, managed sites ask for a click. In the modes that never ask, your server should ask for a second step.",
  blockAt: "Block from score",
  blockAtHelp:
    "From this score on, managed and interactive sites issue no token. In the other modes your server should refuse the form. The code on the Install page does that: it follows the recommendation in each answer.",
  difficulty: "Difficulty",
  difficultyOptions: {
    "-1": "Half the work",
    "0": "Normal",
    "1": "Twice the work",
    "2": "Four times the work",
  },
  difficultyHelp:
    "How much work the visitor's device does. More work costs bots more, but also takes slow phones longer.",
  verifyLimit: "Verifications",
  scoreLimit: "Score requests",
  limitHelp: "Leave these empty to use the service's defaults.",
  limitDefault: "default:",
  perMinute: "per minute",
  seconds: "seconds",
  preview: "Preview",
  previewGround: "Preview on",
  previewGrounds: { light: "a light page", dark: "a dark page", contrast: "a black page" },
  previewIntro: "This is the real widget, but it makes no requests here.",
  previewInvisible:
    "An invisible widget shows nothing unless it needs the visitor or something goes wrong.",
  previewFailed: "The widget could not be loaded.",
  saved: "The settings are saved.",
  unsaved: "You have unsaved changes.",
  discard: "Discard",
  leave: "Leave without saving? Your changes will be lost.",
  conflictTitle: "Someone else has changed this site",
  conflictNone: "The form now has their changes as well as yours. Check it and save again.",
  conflictBody:
    "You both changed these settings. The form keeps yours. Save again to replace theirs.",
  theirs: "theirs",
  yours: "yours",
  deleteTitle: "Delete this site",
  deleteBody:
    "All its keys and tokens stop working immediately. You can restore the site within 7 days, with a new secret key. After that it is deleted permanently.",
  deleteAction: "Delete the site",
  deleted: "The site was deleted. You can restore it within 7 days.",
} as const;

/** Texts of the keys page. */
export const KEYS = {
  siteKeyIntro: "Public. Your page contains it, and it identifies the site.",
  secretIntro:
    "Your server uses it to call the service. Only a hash of it is stored, so it can't be shown again.",
  active: "Active",
  grace: "Replaced",
  lastFour: "Ends in",
  state: "State",
  created: "Created",
  lastUsed: "Last used",
  dies: "Expires in",
  never: "never",
  caption: "Secret keys of this site",
  oldInUseTitle: "A replaced key is still in use",
  oldInUse:
    "It was last used {time}. If that was your server, give it the new key before the old one expires. If not, revoke the old key.",
  rotate: "Rotate the secret key",
  rotateIntro:
    "Rotating creates a new secret key. The current one keeps working for 24 hours, so you can switch without an interruption. If the key has leaked, switch first, then revoke the old key here.",
  rotateConfirm: "Rotate",
  rotateBody:
    "You get a new secret key, which is shown once. The current one works for another 24 hours, then it expires.",
  revoke: "Revoke replaced keys now",
  revokeBody:
    "All replaced keys stop working immediately. If a server still uses one, its calls are refused and its forms stop working. Do this if a key has leaked.",
  revokeConfirm: "Revoke now",
  revoked: "The replaced keys no longer work.",
} as const;

/** Texts of the install page. */
export const INSTALL = {
  page: "1. On your page",
  pageIntro: "Put the widget inside the form. It adds its token as the field stile-response.",
  server: "2. On your server",
  serverIntro:
    "Verify the token when the form arrives. The token is bound to the visitor's network, so behind a proxy make sure that remoteip is the visitor's address and not the proxy's.",
  environment:
    "Put the secret key into the environment as STILE_SECRET. It was shown only once. If you have lost it, rotate it under",
  toKeys: "Keys",
  check: "3. Does it work?",
  checkIntro: "Open your page, fill in the form and submit it. This list updates as you go.",
  checkLabel: "Steps of the integration in the last 48 hours",
  seen: "Seen",
  waiting: "Not seen yet",
  steps: {
    challenge: {
      title: "A challenge was issued",
      todo: "Open your page and click into the form. If nothing happens, check that the page's host is among the site's domains, and that the page's Content-Security-Policy allows this service.",
    },
    token: {
      title: "The challenge was solved and a token issued",
      todo: "Wait a moment after you touch the form. If something is wrong, the widget shows an error that says what.",
    },
    verified: {
      title: "Your server verified the token",
      todo: "Submit the form. Your server must call token/verify with the secret key and the form's stile-response.",
    },
  },
  done: "All three steps work.",
  lastRefusal: "Last refusal",
  refusedHosts: "Pages on these hosts were refused",
  addHosts: "They are not among the site's domains. If one is yours, add it under",
  toSettings: "Settings",
  languagePage: "Language of the page",
  languageServer: "Server",
  loadingCode: "Loading code",
} as const;
