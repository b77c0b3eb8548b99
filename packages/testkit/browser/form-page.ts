import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

/** The content that a page sent to `/sent`. */
export type SentForm = {
  readonly fields: Readonly<Record<string, string>>;
  readonly header: string | undefined;
};

/** A customer's page with a form and its own handlers. */
export type FormPage = {
  readonly url: string;
  /** The arrivals at `/sent`, in order. */
  readonly sent: readonly SentForm[];
  readonly stop: () => Promise<void>;
};

async function readFields(request: IncomingMessage): Promise<Record<string, string>> {
  const type = request.headers["content-type"] ?? "";
  const bytes = await buffer(request);
  if (!/form/.test(type)) return {};
  const form = await new Response(bytes, { headers: { "Content-Type": type } }).formData();
  return Object.fromEntries([...form].map(([name, value]) => [name, String(value)]));
}

/**
 * Serves `body` on its own origin after the widget's script, which is requested with `query`;
 * `/sent` receives the form.
 */
export async function serveFormPage(base: string, body: string, query = ""): Promise<FormPage> {
  const sent: SentForm[] = [];
  const server = createServer(async (request, response) => {
    const isSent = request.url?.split("?")[0] === "/sent";
    if (isSent) {
      const { "stile-response": header } = request.headers;
      sent.push({ fields: await readFields(request), header: header?.toString() });
    }
    response.writeHead(200, { "Content-Type": "text/html; charset=utf-8" });
    response.end(
      isSent
        ? '<!doctype html><title>Thanks</title><link rel="icon" href="data:,">'
        : `<!doctype html><html lang="en"><title>Shop</title><link rel="icon" href="data:,">
<script src="${base}/stile.js${query}" async defer></script>${body}</html>`,
    );
  });
  await new Promise<void>((resolve) => server.listen(0, resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://localhost:${port}/`,
    sent,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
