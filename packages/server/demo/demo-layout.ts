import { html, type Markup } from "../http/html.ts";

/** A page of the demo; `head` are its own scripts and styles. */
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
<header><svg viewBox="0 0 24 24" aria-hidden="true"><path d="M9.5 3l-3 18m8-18l3 18M8.5 8.5h7M7.6 13.5h8.8M6.9 18h10.2M1 11h4m14 0h4"/></svg>Stile</header>
<main>
${main}
</main>
<footer>The demo of Stile. Nothing typed here is kept. The page and its “customer's server” have what any customer
has: a site's two keys, here those of the demo's site.</footer>
</body>
</html>`;
}
