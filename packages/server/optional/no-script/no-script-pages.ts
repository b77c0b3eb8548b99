import type { Contact } from "@stile/core/domain/site/contact";
import type { IssuedToken } from "@stile/core/services/token/issue-token";
import { html, type Markup } from "../../http/answer/html.ts";
import { MARK } from "../../http/pages/mark.ts";
import type { TextName } from "./texts.ts";
import type { Words } from "./words.ts";

/**
 * The token request of a visitor without JavaScript. It is passed from page to page in URLs and
 * hidden fields.
 */
export type Errand = {
  readonly siteKey: string;
  readonly actionName: string | undefined;
  readonly host: string | undefined;
};

function layout({ language, direction }: Words, title: Markup, main: Markup): Markup {
  return html`<!doctype html>
<html lang="${language}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="stylesheet" href="/noscript/no-script.css">
</head>
<body>
<main>
<p class="brand">${MARK}Stile</p>
<h1>${title}</h1>
${main}
</main>
</body>
</html>
`;
}

function field(name: string, value: string | undefined): Markup | string {
  return value === undefined ? "" : html`<input type="hidden" name="${name}" value="${value}">`;
}

function continueForm(
  { say }: Words,
  { siteKey, actionName, host }: Errand,
  delay: string,
): Markup {
  return html`<form method="post" action="/noscript">
${field("sitekey", siteKey)}${field("action", actionName)}${field("host", host)}${field("delay", delay)}
<button>${say("continue")}</button>
</form>`;
}

/** A host name, which is written from left to right in every language. */
function named(host: string): Markup {
  return html`<strong dir="ltr">${host}</strong>`;
}

/** A time in words, rounded up to whole seconds. */
function seconds({ span }: Words, ms: number): string {
  return span(Math.ceil(ms / 1000), "second");
}

/**
 * The page with the wait. The visitor need not watch the time: pressed too early, the button leads
 * to `earlyPage`.
 */
export function waitingPage(
  words: Words,
  errand: Errand & { readonly host: string },
  delay: string,
  waitMs: number,
): Markup {
  const { say } = words;
  const wait = seconds(words, waitMs);
  return layout(
    words,
    say("waitTitle", wait),
    html`<p>${say("why", named(errand.host))}</p>
<div class="bar" aria-hidden="true"><span></span></div>
<ol>
<li>${say("stepWait", wait)}</li>
<li>${say("stepPress", say("continue"))}</li>
<li>${say("stepCopy")}</li>
</ol>
${continueForm(words, errand, delay)}`,
  );
}

/** The page for visitors who pressed too early, or whose network or site is over a limit. */
export function earlyPage(words: Words, errand: Errand, delay: string, waitMs: number): Markup {
  const { say } = words;
  return layout(
    words,
    say("earlyTitle"),
    html`<p>${say("early", html`<strong>${seconds(words, waitMs)}</strong>`, say("continue"))}</p>
${continueForm(words, errand, delay)}`,
  );
}

const MINUTE_MS = 60_000;

/** The page with the token, which the visitor copies into the form. */
export function tokenPage(
  words: Words,
  { token, expiresAtMs }: IssuedToken,
  host: string,
  nowMs: number,
): Markup {
  const { say, span } = words;
  const minutes = span(Math.floor((expiresAtMs - nowMs) / MINUTE_MS), "minute");
  return layout(
    words,
    say("codeTitle"),
    html`<ol>
<li>${say("copyCode")}</li>
<li>${say("pasteCode", named(host))}</li>
<li>${say("sendWithin", minutes)}</li>
</ol>
<label for="code">${say("codeLabel")}</label>
<textarea id="code" dir="ltr" readonly rows="7" cols="40" spellcheck="false" autocomplete="off">${token}</textarea>
<p class="quiet">${say("select")}</p>`,
  );
}

/** The text of a page without a wait or token, and what to do about it. */
export type Trouble = {
  readonly title: TextName;
  readonly text: TextName;
  /** Present if trying again helps. */
  readonly again?: Errand | undefined;
  /** Present if the site's owner can look the request up. */
  readonly requestId?: string;
  readonly contact?: Contact | undefined;
};

/**
 * How to reach the site's owner. A link opens in another tab, so that the visitor keeps the
 * reference.
 */
function linkTo({ text, address }: Contact): Markup {
  if (address === undefined) return html`<bdi>${text}</bdi>`;
  return html`<a href="${address}" dir="ltr" target="_blank" rel="noopener noreferrer">${text}</a>`;
}

function addressOf({ siteKey, actionName, host }: Errand): string {
  const query = new URLSearchParams({ sitekey: siteKey });
  if (actionName !== undefined) query.set("action", actionName);
  if (host !== undefined) query.set("host", host);
  return `/noscript?${query}`;
}

/** A page that says what is wrong. */
export function troublePage(words: Words, trouble: Trouble): Markup {
  const { title, text, again, requestId, contact } = trouble;
  const { say } = words;
  return layout(
    words,
    say(title),
    html`<p>${say(text)}</p>
${again === undefined ? "" : html`<p><a href="${addressOf(again)}">${say("again")}</a></p>`}
${contact === undefined ? "" : html`<p>${say("contact", linkTo(contact))}</p>`}
${requestId === undefined ? "" : html`<p class="quiet">${say("reference", html`<code dir="ltr">${requestId}</code>`)}</p>`}`,
  );
}
