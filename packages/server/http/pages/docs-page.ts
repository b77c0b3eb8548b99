import { join } from "node:path";
import type { Answer } from "../answer/answer.ts";
import { html, type Markup } from "../answer/html.ts";
import type { HttpRoute } from "../http-route.ts";
import { MARK } from "./mark.ts";
import { pageStyle } from "./page-style.ts";

/** The widget's messages in a page's console, by name, and how the page's owner can fix each. */
export const CONSOLE_MESSAGES: Readonly<Record<string, string>> = {
  network:
    "The service can't be reached, part of the widget can't be loaded, or the visitor is offline. The widget retries. A page on https can't use a service on http: the browser refuses it as mixed content.",
  timeout: "The service did not answer within 9 seconds. The widget retries.",
  internal:
    "The service has a fault, or the page keeps moving the widget while it works. The widget retries.",
  rate_limited:
    "Too many requests came from the visitor's network. The widget retries after the time that it shows.",
  csp_blocked:
    "Allow this service's address in the page's Content-Security-Policy, in the directive that the message names: script-src, connect-src or frame-src. A page keeps its policy until it is reloaded.",
  endpoint_not_allowed:
    "Remove the attribute endpoint from the widget. It talks only to the service from which stile.js was loaded.",
  endpoint_unknown:
    "An optimizer moved or inlined stile.js, which can't tell its own address any more. Call stile.configure with the address of this service.",
  attribute_invalid:
    "Fix what the message names. A callback or onload has to name a function in window; variables of const, let and modules are not there. The attribute strings has to be a JSON object of texts.",
  sitekey_missing: "Add the attribute sitekey, with the key of the site from the dashboard.",
  sitekey_unknown: "The service has no site with that key. Compare it with the dashboard.",
  hostname_not_allowed:
    "Add the page's host to the domains of the site, in the dashboard. Files, and frames with sandbox but without allow-same-origin, have no host that counts.",
  site_disabled: "Enable the site in the dashboard.",
  worker_failed: "The browser could not do the work. A current browser can.",
  solution_rejected: "The work was refused three times. Reload the page.",
  blocked_by_policy:
    "The visit was refused. Look up the request's id in Decisions, in the dashboard. The contact in the site's settings is shown to visitors.",
  token_pending:
    "A script read the form before the widget had a token, and found the value pending, which the server will refuse. A form that is submitted waits for its token by itself. A script that sends without a submission should call stile.execute() or stile.fetch() first. Autosave and recorders that only read the form may go on: reading does no harm.",
  form_without_widget:
    "The browser sent a form without a token, while the widget stands outside of every form. Put the widget inside the form that it protects, or name the form's id in the widget's attribute form.",
};

const entry = ([name, text]: readonly [string, string]): Markup =>
  html`<div id="${name}"><dt>${name}</dt><dd>${text}</dd></div>`;

const page = (): Markup => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Messages of the widget - Stile</title>
<link rel="stylesheet" href="/docs/docs.css">
</head>
<body>
<main>
<p class="brand">${MARK}Stile</p>
<h1>Messages of the widget</h1>
<p class="lead">What the widget writes to the console of a page, and what the owner of the page can do about it.</p>
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
