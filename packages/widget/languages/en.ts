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
  offline: "You are offline. The check goes on once you are back.",
  unreachable: "The check can't be reached right now. It tries again by itself.",
  csp_blocked:
    "The Content-Security-Policy of this page refuses the check. The page's owner has to allow it in {0}.",
  endpoint_not_allowed: "The endpoint attribute must be {0}. The page's owner has to remove it.",
};
