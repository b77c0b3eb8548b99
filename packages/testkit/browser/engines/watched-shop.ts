import { EventEmitter, once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** A customer's form on its own origin, which records the faults of its page. */
export type WatchedShop = AsyncDisposable & {
  readonly url: string;
  /** The fields of the next form that arrives. */
  readonly nextSent: () => Promise<URLSearchParams>;
  /** Violations of the page's policy, as browsers report them. */
  readonly reports: readonly string[];
};

/** The page author's choices. */
export type WatchedShopOptions = {
  /** The service's address. */
  readonly base: string;
  readonly siteKey: string;
  /**
   * Uses a policy that trusts only a nonce, with Trusted Types and no policy allowed to make any.
   */
  readonly isStrict?: boolean;
  readonly language?: "en" | "ar";
  /** The widget's script is inserted only when the page's `letScriptCome()` is called. */
  readonly keepsScriptBack?: boolean;
};

const NONCE = "d2F0Y2hlZA";
const SENT_MS = 60_000;

const policyFor = (base: string): string =>
  [
    "default-src 'none'",
    `script-src 'nonce-${NONCE}' 'strict-dynamic'`,
    "style-src 'self'",
    "img-src data:",
    `frame-src ${base}`,
    `connect-src ${base}`,
    "form-action 'self'",
    "base-uri 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
    "report-uri /report",
  ].join("; ");

/** Records console messages, exceptions and policy violations; runs before any other script. */
const WATCH = `window.complaints = [];
for (const level of ["error", "warn"]) {
  const tell = console[level].bind(console);
  console[level] = (...words) => { complaints.push(words.join(" ")); tell(...words); };
}
addEventListener("error", ({ message }) => complaints.push(message));
addEventListener("unhandledrejection", ({ reason }) => complaints.push(String(reason)));
addEventListener("securitypolicyviolation", (event) => complaints.push(event.effectiveDirective + " " + event.blockedURI));`;

function markupOf(options: WatchedShopOptions): string {
  const { base, siteKey, language = "en", keepsScriptBack = false } = options;
  const direction = language === "ar" ? "rtl" : "ltr";
  const load = `document.head.append(Object.assign(document.createElement("script"), { src: "${base}/stile.js" }));`;
  const script = keepsScriptBack
    ? `<script nonce="${NONCE}">function letScriptCome() { ${load} }</script>`
    : `<script nonce="${NONCE}" src="${base}/stile.js" async></script>`;
  return `<!doctype html><html lang="${language}" dir="${direction}"><meta charset="utf-8"><title>Shop</title>
<link rel="icon" href="data:,"><link rel="stylesheet" href="/shop.css"><script nonce="${NONCE}">${WATCH}</script>${script}
<form action="/sent" method="post"><label>Name <input name="name"></label>
<stile-captcha sitekey="${siteKey}"></stile-captcha><button id="send">Send</button></form></html>`;
}

/** Serves the form; `/sent` receives it. */
export async function serveWatchedShop(options: WatchedShopOptions): Promise<WatchedShop> {
  const { base, isStrict = false } = options;
  const events = new EventEmitter();
  const reports: string[] = [];

  const answers: Readonly<Record<string, (response: ServerResponse, body: string) => unknown>> = {
    "/": (response) => {
      const policy = isStrict && { "Content-Security-Policy": policyFor(base) };
      response
        .writeHead(200, { "Content-Type": "text/html; charset=utf-8", ...policy })
        .end(markupOf(options));
    },
    "/shop.css": (response) =>
      response
        .writeHead(200, { "Content-Type": "text/css" })
        .end("stile-captcha { display: block; min-block-size: 66px }"),
    "/report": (response, body) => {
      reports.push(body);
      response.writeHead(204).end();
    },
    "/sent": (response, body) => {
      events.emit("sent", new URLSearchParams(body));
      response
        .writeHead(200, { "Content-Type": "text/html" })
        .end("<!doctype html><title>Thanks</title>");
    },
  };
  const server = createServer(async (request, response) => {
    const answer = answers[request.url ?? ""];
    if (answer === undefined) response.writeHead(404).end();
    else answer(response, await text(request));
  });
  await new Promise<void>((resolve) => server.listen(0, resolve));
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}/`,
    nextSent: async () => (await once(events, "sent", { signal: AbortSignal.timeout(SENT_MS) }))[0],
    reports,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
