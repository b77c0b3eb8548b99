// What goes wrong seldom, said in English; fetched when it is to be shown.
import type { WidgetError } from "../machine/widget-error.ts";
import type { Texts } from "./texts.ts";

/** What an attribute must be that was refused. */
const RULES: Readonly<Record<string, string>> = {
  action: "1 to 64 of the characters A-Z a-z 0-9 _ . / -",
  cdata: "at most 255 bytes long",
  strings: "a JSON object of texts",
};

/** The texts of all errors that `en` does not carry itself. */
export const errorTexts = {
  csp_blocked: (directive = "connect-src") =>
    `The Content-Security-Policy of this page refuses the check. The page's owner has to allow it in ${directive}.`,
  endpoint_not_allowed: (own) => `The endpoint attribute must be ${own}. The page's owner has to remove it.`,
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
  internal: () => "The check is out of order right now. It tries again by itself.",
} satisfies Texts["errors"];

/** What the page's visitors can't mend, and passes by itself no more. */
const OWNERS = /^(csp_|endpoint_|attribute_|sitekey_|hostname_|site_)/;
const told = new Set<string>();

/** Says in the console, once for each, what only the page's owner can mend, and how. */
export function tellOwner({ name, detail }: WidgetError): void {
  const texts: Texts["errors"] = errorTexts;
  const line = `stile: ${name}. ${texts[name]?.(detail)} See docs/reference/widget.md#${name}`;
  if (!OWNERS.test(name) || told.has(line)) return;
  told.add(line);
  console.error(line);
}
