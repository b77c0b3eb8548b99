/**
 * English: the texts that must be available without the network. Rare errors are in
 * `error-texts.ts`. Apostrophes are straight, as everywhere in Stile.
 */
export const en = {
  language: "en",
  verify: "Verify you are human",
  checking: "Checking…",
  verified: "Verified",
  unverified: "Not verified",
  expired: "Expired. Verify again",
  retry: "Try again",
  press: "Please press “{0}”.",
  offline: "You are offline. The check continues when you are back.",
  unreachable: "The check is unavailable right now. It retries automatically.",
  csp_blocked:
    "This page's Content-Security-Policy blocks the check. The site owner must allow it in {0}.",
  endpoint_not_allowed: "The endpoint attribute must be {0}. The site owner must remove it.",
};
