import { readFileSync } from "node:fs";
import { request } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { createCertificates } from "../service/throw-away-certificates.ts";

/**
 * A service by https, behind a proxy that knows only the service's address, as nginx and Apache
 * then behave.
 */
export type BareProxy = {
  /**
   * The service's origin under one of this machine's names. Browsers don't trust its certificate.
   */
  readonly originOn: (host: string) => string;
  readonly stop: () => Promise<void>;
};

/** Starts the proxy. The Host that it sends to the service is the service's own address. */
export async function startBareProxy(baseUrl: string): Promise<BareProxy> {
  const certificates = createCertificates();
  certificates.makeAuthority("stile");
  const [key, cert] = ["stile.key", "stile.pem"].map((file) =>
    readFileSync(certificates.pathOf(file)),
  );
  certificates.dispose();
  const { host } = new URL(baseUrl);
  const server = createServer({ key, cert }, (incoming, outgoing) => {
    const { method, url, headers } = incoming;
    const passed = request(baseUrl + url, { method, headers: { ...headers, host } }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      answer.pipe(outgoing);
    });
    passed.once("error", () => outgoing.destroy());
    incoming.pipe(passed);
  });
  await new Promise<void>((resolve) => server.listen(0, resolve));
  const { port } = server.address() as AddressInfo;
  return {
    originOn: (name) => `https://${name}:${port}`,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
