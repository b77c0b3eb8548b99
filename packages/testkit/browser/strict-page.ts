import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/**
 * A customer's page on its own origin, under the strictest policy that the widget promises to work
 * with.
 */
export type StrictPage = {
  /** The page's address on the given host of this machine. */
  readonly urlOn: (host: string) => string;
  readonly stop: () => Promise<void>;
};

/** The page author's choices, and the strictness of the policy. */
export type StrictPageOptions = {
  /** The service's address. */
  readonly base: string;
  /** Attributes of the widget. */
  readonly attributes: string;
  /** Further content of the form, below the widget. */
  readonly below?: string;
  /** Whether the document is under Cross-Origin-Embedder-Policy. */
  readonly isIsolated?: boolean;
  /** The allowed frames; by default the service. */
  readonly framePolicy?: string;
  /** The allowed scripts; by default the page's own and the service's. */
  readonly scriptPolicy?: string;
  /** The allowed connections; by default the service. */
  readonly connectPolicy?: string;
  /** The nonce of the tag that loads the widget's script. */
  readonly nonce?: string;
  /** A policy that is only reported. */
  readonly reportedPolicy?: string;
};

/** Serves one form; sending it leads to `/sent?...`, whose query is the form's content. */
export async function serveStrictPage(options: StrictPageOptions): Promise<StrictPage> {
  const { base, attributes, below = "", isIsolated = false } = options;
  const policy = [
    "default-src 'none'",
    `script-src ${options.scriptPolicy ?? `'self' ${base}`}`,
    "style-src 'self'",
    "worker-src 'self'",
    `frame-src ${options.framePolicy ?? base}`,
    `connect-src ${options.connectPolicy ?? base}`,
    "form-action 'self'",
    "base-uri 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; ");
  const crossOrigin = isIsolated ? " crossorigin" : "";
  const nonce = options.nonce === undefined ? "" : ` nonce="${options.nonce}"`;
  const form = `<!doctype html><html lang="en"><head><title>Shop</title><link rel="stylesheet" href="/shop.css">
<link rel="icon" href="data:,"><script src="${base}/stile.js" async defer${crossOrigin}${nonce}></script></head>
<body><form action="/sent"><label>Name <input name="name" required></label>
<stile-captcha ${attributes}></stile-captcha>${below}<button id="send">Send</button></form></body></html>`;
  const server = createServer((request, response) => {
    if (request.url === "/shop.css") {
      response
        .writeHead(200, { "Content-Type": "text/css" })
        .end("stile-captcha{display:block;min-block-size:66px}");
      return;
    }
    const isForm = request.url === "/";
    response.writeHead(isForm ? 200 : 204, {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": policy.replace(
        "default-src 'none'",
        "default-src 'none'; img-src data:",
      ),
      ...(options.reportedPolicy !== undefined && {
        "Content-Security-Policy-Report-Only": options.reportedPolicy,
      }),
      ...(isIsolated && {
        "Cross-Origin-Embedder-Policy": "require-corp",
        "Cross-Origin-Opener-Policy": "same-origin",
      }),
    });
    response.end(isForm ? form : undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, resolve));
  const { port } = server.address() as AddressInfo;
  return {
    urlOn: (host) => `http://${host}:${port}/`,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
