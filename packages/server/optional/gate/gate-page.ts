import { html, type Markup } from "../../http/answer/html.ts";
import { MARK } from "../../http/pages/mark.ts";

/** What the page needs: the site, the service's address, and where the visitor wanted to go. */
export type GatePage = {
  readonly base: string;
  readonly siteKey: string;
  readonly host: string;
  readonly path: string;
  /** Whether the visitor's last token was not accepted. */
  readonly hasFailed: boolean;
};

/** The page between a visitor and a protected host. It sends itself once there is a token. */
export function gatePage(parts: GatePage): Markup {
  const { base, siteKey, host, path, hasFailed } = parts;
  const failed = hasFailed ? html`<p role="alert">That did not work. Please try again.</p>` : "";
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>One moment</title>
<link rel="stylesheet" href="/gate/gate.css">
<script src="/gate/gate.js" defer></script>
<script src="${base}/stile.js" async defer></script>
</head>
<body>
<main>
<p class="brand">${MARK}Stile</p>
<h1>One moment</h1>
<p>${host} checks that you are a person before it lets you in. Press Continue: it takes a few seconds.</p>
${failed}
<form method="post" action="/gate">
<input type="hidden" name="to" value="${path}">
<stile-captcha sitekey="${siteKey}" execution="render" on-unavailable="block"></stile-captcha>
<p><button>Continue</button></p>
</form>
<noscript><p>This page needs JavaScript.</p></noscript>
</main>
</body>
</html>
`;
}

/** The policy of the page: its own files, and the widget of the service. */
export const gatePolicy = (base: string): string =>
  [
    "default-src 'none'",
    `script-src 'self' ${base}`,
    "style-src 'self'",
    `frame-src ${base}`,
    `connect-src ${base}`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");

/** Sends the form once its widget has a token. */
export const GATE_SCRIPT = `addEventListener("stile:verified", ({ target }) => target.form.requestSubmit());
`;
