import type { Texts } from "./texts.ts";

/** English. */
export const en: Texts = {
  language: "en",
  verify: "Verify you are human",
  checking: "Checking…",
  verified: "Verified",
  expired: "Expired. Verify again",
  retry: "Try again",
  clickNeeded: "Please press “Verify you are human”.",
  errors: {
    network: () => "The check could not be reached. Look at your connection, then try again.",
    timeout: () => "The check took too long to answer. Try again in a minute.",
    csp_blocked: () =>
      "The Content-Security-Policy of this page refuses the check. The page's owner has to allow it in connect-src.",
    endpoint_not_allowed: (own) =>
      `The endpoint attribute names another service than ${own}. The page's owner has to remove it.`,
    sitekey_missing: () => "The sitekey attribute is missing. The page's owner has to add it.",
    sitekey_unknown: () => "This site key is not known. The page's owner has to compare it with the dashboard.",
    hostname_not_allowed: (host) =>
      `This site key is not allowed on ${host}. The page's owner has to add it to the site's domains.`,
    site_disabled: () => "This site is switched off. The page's owner has to switch it on in the dashboard.",
    rate_limited: (seconds) => `Too many requests. Try again in ${seconds ?? 60} seconds.`,
    worker_failed: () => "Your browser could not finish the check. Try again in a current browser.",
    solution_rejected: () => "The check was not accepted. Reload the page, then try again.",
    blocked_by_policy: () => "This visit could not be verified. If you are human, give the page's owner this id.",
    internal: () => "The check is out of order. Try again in a minute.",
  },
  requestId: (id) => `Request id: ${id}`,
};
