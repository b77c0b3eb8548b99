// What goes wrong seldom, said in English; fetched when it is to be shown.
import type { Texts } from "./texts.ts";

/** The texts of all errors that `en` does not carry itself. */
export const errorTexts = {
  csp_blocked: () =>
    "The Content-Security-Policy of this page refuses the check. The page's owner has to allow it in connect-src.",
  sitekey_missing: () => "The sitekey attribute is missing. The page's owner has to add it.",
  sitekey_unknown: () => "This site key is not known. The page's owner has to compare it with the dashboard.",
  hostname_not_allowed: (host) =>
    host === ""
      ? "This page has no origin (a sandboxed frame or a local file). The page's owner has to allow it one, as by allow-same-origin."
      : `This site key is not allowed on ${host}. The page's owner has to add it to the site's domains.`,
  site_disabled: () => "This site is switched off. The page's owner has to switch it on in the dashboard.",
  rate_limited: (seconds) => `Too many requests. Try again in ${seconds ?? 60} seconds.`,
  worker_failed: () => "Your browser could not finish the check. Try again in a current browser.",
  solution_rejected: () => "The check was not accepted. Reload the page, then try again.",
  blocked_by_policy: () => "This visit could not be verified. If you are human, give the page's owner this id.",
  internal: () => "The check is out of order right now. It tries again by itself.",
} satisfies Texts["errors"];
