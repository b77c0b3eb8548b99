import { once } from "node:events";
import type { AddressInfo } from "node:net";
import type { HttpRoute } from "@stile/server/http/http-route";
import { createListener } from "@stile/server/http/listener";
import { createLog } from "@stile/server/telemetry/log";

/** Some routes behind the real listener, on a port of their own. */
export type ServedRoutes = { readonly baseUrl: string; readonly stop: () => Promise<void> };

/** Serves only these routes until they are stopped. */
export async function serveRoutes(routes: readonly HttpRoute[]): Promise<ServedRoutes> {
  const server = createListener({ routes, log: createLog("silent"), security: [] });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}
