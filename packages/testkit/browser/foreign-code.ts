import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";

/**
 * A foreign server: it answers every request with code that leaves a mark on the page it runs in.
 */
export type ForeignCode = {
  readonly origin: string;
  /** Requested paths so far. */
  readonly asked: readonly string[];
  readonly stop: () => Promise<void>;
};

/**
 * A customer's page under `'nonce' 'strict-dynamic'` with Trusted Types on, which includes other
 * people's markup.
 */
export type NoncePage = { readonly url: string; readonly stop: () => Promise<void> };

/** The mark that foreign code leaves: an attribute of the page's root element. */
export const FOREIGN_MARK = "data-foreign-code";

/** Where the page serves its own copy of the script. */
const OWN_COPY = "/stile.js";

async function listen(server: Server): Promise<{ origin: string; stop: () => Promise<void> }> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const stop = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { origin: `http://localhost:${port}`, stop };
}

/** Serves the same foreign code at every path. */
export async function serveForeignCode(): Promise<ForeignCode> {
  const asked: string[] = [];
  const answer: RequestListener = (request, response) => {
    asked.push(request.url ?? "");
    response.writeHead(200, {
      "Content-Type": "text/javascript",
      "Access-Control-Allow-Origin": "*",
    });
    response.end(`document.documentElement.setAttribute("${FOREIGN_MARK}", "");`);
  };
  return { ...(await listen(createServer(answer))), asked };
}

/**
 * Serves the document at /, and its own copy of the service's `stile.js` at /stile.js. NONCE in it
 * is replaced by the nonce.
 */
export async function serveNoncePage(base: string, document: string): Promise<NoncePage> {
  const nonce = "bm9uY2U";
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}' 'strict-dynamic'`,
    "frame-src http:",
    "connect-src http:",
    "img-src data:",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; ");
  const copy = await (await fetch(`${base}/stile.js`)).text();
  const answer: RequestListener = ({ url }, response) => {
    const isDocument = url === "/";
    response.writeHead(isDocument || url === OWN_COPY ? 200 : 404, {
      "Content-Type": isDocument ? "text/html; charset=utf-8" : "text/javascript; charset=utf-8",
      "Content-Security-Policy": policy,
    });
    response.end(
      isDocument ? document.replaceAll("NONCE", `nonce="${nonce}"`) : url === OWN_COPY ? copy : "",
    );
  };
  const { origin, stop } = await listen(createServer(answer));
  return { url: `${origin}/`, stop };
}

/** A document with the service's script and other people's markup, before or after the script. */
export function documentWith(parts: { before?: string; script: string; after?: string }): string {
  return `<!doctype html><html lang="en"><head><title>Shop</title><link rel="icon" href="data:,">${parts.before ?? ""}
${parts.script}</head><body>${parts.after ?? ""}<script>document.documentElement.setAttribute("${FOREIGN_MARK}", "")</script>
</body></html>`;
}

/** A way to make the widget run foreign code with markup alone. */
export type Injection = {
  readonly name: string;
  readonly document: (names: { base: string; siteKey: string; foreign: string }) => string;
};

const widget = (siteKey: string, rest = ""): string =>
  `<stile-captcha sitekey="${siteKey}" execution="render" ${rest}></stile-captcha>`;

/**
 * The known ways. All of them need nothing but markup: the page's policy refuses their inline
 * script.
 */
export const INJECTIONS: readonly Injection[] = [
  {
    name: "an endpoint attribute that names another host",
    document: ({ base, siteKey, foreign }) =>
      documentWith({
        script: `<script NONCE src="${base}/stile.js" async></script>`,
        after: widget(siteKey, `endpoint="${foreign}"`),
      }),
  },
  {
    name: "an endpoint attribute before stile.collect()",
    document: ({ base, siteKey, foreign }) =>
      documentWith({
        script: `<script NONCE src="${base}/stile.js"></script><script NONCE>
          addEventListener("load", () => stile.collect().catch(() => {}).then(() => { document.title = "collected"; }));
        </script>`,
        after: `<stile-captcha sitekey="${siteKey}" endpoint="${foreign}"></stile-captcha>`,
      }),
  },
  {
    name: "a <base> after a script with a relative address",
    document: ({ siteKey, foreign }) =>
      documentWith({
        script: `<script NONCE src="/stile.js" defer></script>`,
        after: `<base href="${foreign}/">${widget(siteKey)}`,
      }),
  },
  {
    name: "an element that takes the name of document.currentScript, and a <base>",
    document: ({ base, siteKey, foreign }) =>
      documentWith({
        script: `<script NONCE src="${base}/stile.js" defer></script>`,
        after: `<img name="currentScript"><base href="${foreign}/">${widget(siteKey)}`,
      }),
  },
];
