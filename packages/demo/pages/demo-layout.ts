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
<footer>The demo of Stile. Nothing typed here is kept. The page and its “customer's server” have what any customer
has: a site's two keys, here those of the demo's site.</footer>
</body>
</html>`;
}
