import { join } from "node:path";
import type { Answer } from "../answer/answer.ts";
import { html, type Markup } from "../answer/html.ts";
import type { HttpRoute } from "../http-route.ts";
import { MARK } from "./mark.ts";
import { pageStyle } from "./page-style.ts";

/** The widget's messages in a page's console, by name, and how the page's owner can fix each. */
export const CONSOLE_MESSAGES: Readonly<Record<string, string>> = {
  network:
    "The service can't be reached, part of the widget can't be loaded, or the visitor is offline. The widget retries. An https page can't use an http service, because the browser blocks it as mixed content.",
  timeout: "The service did not answer within 9 seconds. The widget retries.",
  internal:
    "The service has an error, or the page keeps moving the widget while it works. The widget retries.",
  rate_limited:
    "Too many requests came from the visitor's network. The widget retries after the time that it shows.",
  csp_blocked:
    "Allow this service's address in the page's Content-Security-Policy, in the directive that the message names: script-src, connect-src or frame-src. A page keeps its policy until it is reloaded.",
  endpoint_not_allowed:
    "Remove the attribute endpoint from the widget. The widget talks only to the service from which stile.js was loaded.",
  endpoint_unknown:
    "An optimizer moved or inlined stile.js, so the script no longer knows where it came from. Call stile.configure with the address of this service.",
  attribute_invalid:
    "Fix what the message names. A callback or onload must name a function on window. Variables declared with const or let, and those in modules, are not on window. The attribute strings must be a JSON object of texts.",
  sitekey_missing: "Add the attribute sitekey, with the key of the site from the dashboard.",
  sitekey_unknown: "The service has no site with that key. Compare it with the dashboard.",
  hostname_not_allowed:
    "Add the page's host to the site's domains in the dashboard. Local files, and sandboxed frames without allow-same-origin, have no host.",
  site_disabled: "Enable the site in the dashboard.",
  worker_failed: "The browser could not do the work. A newer browser can.",
  solution_rejected: "The work was refused three times. Reload the page.",
  blocked_by_policy:
    "The visit was blocked. Look up the request ID under Decisions in the dashboard. Visitors see the contact from the site's settings.",
  token_pending:
    "A script read the form before the widget had a token, and found the value pending, which the server will refuse. When a form is submitted, it waits for its token automatically. A script that sends the form's data itself should call stile.execute() or stile.fetch() first. Scripts that only read the form, such as autosave or session recorders, need no change.",
  form_without_widget:
    "The browser submitted a form without a token, and the widget is outside every form. Put the widget inside the form that it protects, or set the widget's attribute form to the form's id.",
  second_vendor:
    "The page loads this service's replacement for another captcha's script, and also that captcha's own script. Both set the same functions. Remove the script of the other captcha.",
};

const entry = ([name, text]: readonly [string, string]): Markup =>
  html`<div id="${name}"><dt>${name}</dt><dd>${text}</dd></div>`;

const page = (): Markup => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Widget messages - Stile</title>
<link rel="stylesheet" href="/docs/docs.css">
</head>
<body>
<main>
<p class="brand">${MARK}Stile</p>
<h1>Widget messages</h1>
<p class="lead">What the widget writes to a page's console, and how the site owner can fix it.</p>
<dl>${{
  markup: Object.entries(CONSOLE_MESSAGES)
    .map((one) => entry(one).markup)
    .join("\n"),
}}</dl>
</main>
</body>
</html>
`;

const POLICY =
  "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** GET /docs: the page that the widget's console messages link to. */
export function createDocsPage(): readonly HttpRoute[] {
  const answer: Answer = {
    status: 200,
    body: page().markup,
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": POLICY,
      "X-Frame-Options": "DENY",
    },
  };
  const style = pageStyle(join(import.meta.dirname, "docs.css"));
  return [
    { method: "GET", path: "/docs", handle: () => answer },
    { method: "GET", path: "/docs/docs.css", handle: () => style },
  ];
}
