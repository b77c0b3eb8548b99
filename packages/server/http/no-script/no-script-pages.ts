import type { IssuedToken } from "@stile/core/flows/token/issue-token";
import { html, type Markup } from "../html.ts";

/** What a visitor without JavaScript came for; goes from page to page, in addresses and hidden fields. */
export type Errand = {
  readonly siteKey: string;
  readonly actionName: string | undefined;
  readonly host: string | undefined;
};

const MARK = html`<svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true"><path d="M9.5 3l-3 18m8-18l3 18M8.5 8.5h7M7.6 13.5h8.8M6.9 18h10.2M1 11h4m14 0h4"/></svg>`;

function layout(title: string, main: Markup): Markup {
  return html`<!doctype html>
<html lang="en">
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

function continueForm({ siteKey, actionName, host }: Errand, delay: string): Markup {
  return html`<form method="post" action="/noscript">
${field("sitekey", siteKey)}${field("action", actionName)}${field("host", host)}${field("delay", delay)}
<button>Continue</button>
</form>`;
}

const SECONDS = new Intl.NumberFormat("en", { style: "unit", unit: "second", unitDisplay: "long" });

/** How long, in words; of a part of a second the whole is told. */
function seconds(ms: number): string {
  return SECONDS.format(Math.ceil(ms / 1000));
}

/** The wait before it; the button works without being watched, and says so kindly where it comes too early. */
export function waitingPage(errand: Errand & { readonly host: string }, delay: string, waitMs: number): Markup {
  return layout(
    `Please wait ${seconds(waitMs)}`,
    html`<p>The form on <strong>${errand.host}</strong> checks that it is not sent by a program. With JavaScript, your browser
does that in the background. Without it, a short wait is enough. There is nothing to solve.</p>
<div class="bar" aria-hidden="true"><span></span></div>
<ol>
<li>Wait ${seconds(waitMs)}.</li>
<li>Press Continue. You get a code.</li>
<li>Copy the code into the form and send it.</li>
</ol>
${continueForm(errand, delay)}`,
  );
}

/** The answer to who pressed too early. */
export function earlyPage(errand: Errand, delay: string, waitMs: number): Markup {
  return layout(
    "Not quite yet",
    html`<p>Please wait another <strong>${seconds(waitMs)}</strong>, then press Continue again. Nothing is lost.</p>
${continueForm(errand, delay)}`,
  );
}

const MINUTE_MS = 60_000;

/** The token, to be carried to the form by hand. */
export function tokenPage({ token, expiresAtMs }: IssuedToken, host: string, nowMs: number): Markup {
  const minutes = String(Math.floor((expiresAtMs - nowMs) / MINUTE_MS));
  return layout(
    "Your code is ready",
    html`<ol>
<li>Copy the whole code below.</li>
<li>Go back to the form on <strong>${host}</strong> and paste it into the field for the code.</li>
<li>Send the form within ${minutes} minutes. The code works once.</li>
</ol>
<label for="code">Your code</label>
<textarea id="code" readonly rows="7" cols="40" spellcheck="false" autocomplete="off">${token}</textarea>
<p class="quiet">To mark all of it, click into the field and press Ctrl+A (Cmd+A on a Mac), or press and hold it on a phone.</p>`,
  );
}

/** What there is instead of a wait or a code, and what to do about it. */
export type Trouble = {
  readonly title: string;
  readonly text: string;
  /** Present where trying again helps. */
  readonly again?: Errand | undefined;
  /** Present where the site's owner can look it up. */
  readonly requestId?: string;
};

function addressOf({ siteKey, actionName, host }: Errand): string {
  const query = new URLSearchParams({ sitekey: siteKey });
  if (actionName !== undefined) query.set("action", actionName);
  if (host !== undefined) query.set("host", host);
  return `/noscript?${query}`;
}

/** A page that says what is wrong. */
export function troublePage({ title, text, again, requestId }: Trouble): Markup {
  return layout(
    title,
    html`<p>${text}</p>
${again === undefined ? "" : html`<p><a href="${addressOf(again)}">Start again</a></p>`}
${requestId === undefined ? "" : html`<p class="quiet">Reference: <code>${requestId}</code></p>`}`,
  );
}
