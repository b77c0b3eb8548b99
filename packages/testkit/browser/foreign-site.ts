import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A foreign site on this machine: empty pages on a port of its own. */
export type ForeignSite = {
  /** The site's origin under one of this machine's names. */
  readonly originOn: (host: string) => string;
  /** Set-Cookie lines of its next answers. */
  cookies: readonly string[];
  readonly stop: () => Promise<void>;
};

/** Serves an empty page at every address. */
export async function serveForeignSite(): Promise<ForeignSite> {
  const server = createServer((_request, response) => {
    response.writeHead(200, {
      "Content-Type": "text/html; charset=utf-8",
      "Set-Cookie": [...site.cookies],
    });
    response.end('<!doctype html><title>Prizes</title><link rel="icon" href="data:,">');
  });
  await new Promise<void>((resolve) => server.listen(0, resolve));
  const { port } = server.address() as AddressInfo;
  const site: ForeignSite = {
    originOn: (host) => `http://${host}:${port}`,
    cookies: [],
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return site;
}
