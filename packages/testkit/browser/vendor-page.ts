import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

/** A page as another vendor documents it: `/` has the markup, `/sent` receives its form. */
export type VendorPage = {
  readonly url: string;
  /** The fields of each form that arrived. */
  readonly sent: readonly Readonly<Record<string, string>>[];
  readonly stop: () => Promise<void>;
};

/** Serves the markup on an origin of its own. */
export async function serveVendorPage(markup: string): Promise<VendorPage> {
  const sent: Record<string, string>[] = [];
  const server = createServer(async (request, response) => {
    const isSent = request.url === "/sent";
    if (isSent)
      sent.push(Object.fromEntries(new URLSearchParams((await buffer(request)).toString())));
    response.writeHead(200, { "Content-Type": "text/html; charset=utf-8" });
    const head =
      '<!doctype html><html lang="en"><title>Shop</title><link rel="icon" href="data:,">';
    response.end(head + (isSent ? "Thanks" : markup));
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
