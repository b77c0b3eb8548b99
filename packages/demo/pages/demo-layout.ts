import { html, type Markup } from "@stile/server/http/answer/html";
import { MARK } from "@stile/server/http/pages/mark";

/** A page of the demo. `head` holds its own scripts and styles. */
export function demoLayout(title: string, main: Markup, head: Markup | string): Markup {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="stylesheet" href="/demo/demo.css">
${head}
</head>
<body>
<header>${MARK}Stile</header>
<main>
${main}
</main>
<footer>This is the Stile demo. Nothing you type here is stored. The page and its “customer's server” have only what every
customer has: the two keys of a site, in this case the demo's site.</footer>
</body>
</html>`;
}
