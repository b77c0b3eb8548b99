// Rare errors: their texts, and how they are drawn.
import type { WidgetErrorName } from "../machine/widget-error.ts";
import type { WidgetFault } from "../machine/widget-fault.ts";
import { en } from "./en.ts";
import { reportToOwner } from "./report-to-owner.ts";
import { say, sayFault, type Texts, type Translation } from "./texts.ts";

/** The rule for each attribute that can be refused. */
const RULES: Readonly<Record<string, string>> = {
  action: "1 to 64 of the characters A-Z a-z 0-9 _ . / -",
  cdata: "at most 255 bytes long",
  strings: "a JSON object of texts",
};

/**
 * The English texts of all errors that `en` does not have itself; each takes the error's detail.
 */
export const errorTexts = {
  attribute_invalid: (name) =>
    `The attribute ${name} must be ${RULES[name ?? ""]}. The site owner must fix it.`,
  sitekey_missing: () => "The sitekey attribute is missing. The site owner must add it.",
  sitekey_unknown: () =>
    "This site key does not exist. The site owner must compare it with the dashboard.",
  hostname_not_allowed: (host) =>
    host === ""
      ? "This page has no origin (a sandboxed frame or a local file). The site owner must give it one, for example with allow-same-origin."
      : `This site key is not allowed on ${host}. The site owner must add it to the site's domains.`,
  site_disabled: () => "This site is disabled. The site owner must enable it in the dashboard.",
  rate_limited: (seconds) => `Too many requests. Try again in ${seconds ?? 60} seconds.`,
  worker_failed: () => "Your browser could not finish the check. Try again in a newer browser.",
  solution_rejected: () => "The check was not accepted. Reload the page, then try again.",
  blocked_by_policy: () =>
    "This visit could not be verified. If you are human, send the site owner this ID.",
  internal: () => "The check is not working right now. It retries automatically.",
} satisfies { readonly [Name in WidgetErrorName]?: (detail: string | undefined) => string };

/** The error and the advice, in English; undefined if `en` has the text. */
export function errorTextOf({ name, detail }: WidgetFault): string | undefined {
  const texts: Readonly<Record<string, (detail: string | undefined) => string>> = errorTexts;
  return texts[name]?.(detail);
}

/** The text of a translation for each error. */
const TEXT_OF: { readonly [Name in WidgetErrorName]?: keyof Translation } = {
  rate_limited: "limited",
  worker_failed: "browser",
  solution_rejected: "rejected",
  blocked_by_policy: "blocked",
};

/** A number of seconds formatted in that language with its unit, so that no plural can be wrong. */
const secondsIn = (language: string, seconds = "60"): string =>
  new Intl.NumberFormat(language, { style: "unit", unit: "second" }).format(Number(seconds));

/** The error and the advice: in the page's words, in English, or in a translation's. */
export function sayError(texts: Texts, error: WidgetFault): string {
  const { name, detail } = error;
  if (texts[name]) return say(texts, name, detail);
  const english = texts.language === en.language && errorTextOf(error);
  if (english) return english;
  const key = TEXT_OF[name];
  return key ? say(texts, key, secondsIn(texts.language, detail)) : sayFault(texts, error);
}

/** The sentence that gives a request's id. */
export const sayRequestId = (texts: Texts, id: string): string =>
  texts.requestId ? say(texts, "requestId", id) : `Request ID: ${id}`;

const FOR_OWNER: ReadonlySet<WidgetErrorName> = new Set<WidgetErrorName>([
  "csp_blocked",
  "endpoint_not_allowed",
  "attribute_invalid",
  "sitekey_missing",
  "sitekey_unknown",
  "hostname_not_allowed",
  "site_disabled",
]);

/** Whether only the page's owner can fix it, and waiting does not help. */
export const isForOwner = ({ name }: WidgetFault): boolean => FOR_OWNER.has(name);

/** As tall as fingers or a tremor need (WCAG 2.5.8), and not in the colour of an error. */
const CONTACT_STYLE =
  "display:block;inline-size:fit-content;padding-block:4px;color:var(--stile-text,var(--ink))";

/** An e-mail address in readable form. */
function readable(contact: string): string {
  try {
    return decodeURIComponent(contact.replace(/^mailto:/, ""));
  } catch {
    return contact;
  }
}

/**
 * The owner's contact: a link if it is an e-mail or https address, else plain text; never markup.
 */
function drawContact(contact: string): HTMLElement {
  const scheme = /^(?:mailto|https):(?=\S+$)/.exec(contact)?.[0];
  const drawn = document.createElement(scheme === undefined ? "span" : "a");
  if (scheme !== undefined) drawn.setAttribute("href", contact);
  // Opens a new tab, so that what was typed into the form stays.
  if (scheme === "https:") Object.assign(drawn, { target: "_blank", rel: "noopener" });
  drawn.textContent = scheme === "mailto:" ? readable(contact) : contact;
  drawn.part = "contact";
  drawn.dir = "auto";
  drawn.style = CONTACT_STYLE;
  return drawn;
}

/** Regions that already react to a contact that the page adds late. */
const listening = new WeakSet<Element>();

/**
 * Shows an error in the widget's region: the text, the request's id, and for blocked visitors the
 * site's contact, unless the page has a contact of its own there. A text that is already there is
 * not repeated. Errors that only the page's owner can fix go to the console, too, with the address
 * of the service at `base`, which a `stile.js` of the version before does not give.
 */
export function showError(
  status: HTMLElement,
  texts: Texts,
  error: WidgetFault,
  base = "",
): undefined {
  const { name, detail, requestId } = error;
  if (isForOwner(error)) reportToOwner(base, error, errorTextOf(error) ?? say(texts, name, detail));
  const said = new DocumentFragment();
  said.append(sayError(texts, error));
  if (requestId) {
    const id = document.createElement("span");
    id.className = id.part = "id";
    id.textContent = sayRequestId(texts, requestId);
    said.append(id);
  }
  if (name === "blocked_by_policy" && detail) {
    const slot = status.parentElement?.querySelector("slot");
    if (!slot?.assignedNodes().length) said.append(drawContact(detail));
    if (slot && !listening.has(slot)) {
      listening.add(slot);
      slot.addEventListener("slotchange", () => status.querySelector("[part=contact]")?.remove());
    }
  }
  if (status.textContent !== said.textContent) status.replaceChildren(said);
}
