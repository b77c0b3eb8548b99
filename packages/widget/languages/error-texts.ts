// What goes wrong seldom, said in English; fetched when it is to be shown.
import type { WidgetError, WidgetErrorName } from "../machine/widget-error.ts";

/** What an attribute must be that was refused. */
const RULES: Readonly<Record<string, string>> = {
  action: "1 to 64 of the characters A-Z a-z 0-9 _ . / -",
  cdata: "at most 255 bytes long",
  strings: "a JSON object of texts",
};

/** The texts of all errors that `en` does not carry itself, given their details. */
export const errorTexts = {
  attribute_invalid: (name) => `The attribute ${name} must be ${RULES[name ?? ""]}. The page's owner has to mend it.`,
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
} satisfies { readonly [Name in WidgetErrorName]?: (detail: string | undefined) => string };

/** What happened and what to do; undefined where English says it without this file. */
export function errorTextOf({ name, detail }: WidgetError): string | undefined {
  const texts: Readonly<Record<string, (detail: string | undefined) => string>> = errorTexts;
  return texts[name]?.(detail);
}
