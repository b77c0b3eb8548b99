import { formatIpAddress } from "@stile/core/domain/visitor/ip-address";
import { findSession } from "@stile/core/use-cases/account/session/find-session";
import type { Config } from "../config/config.ts";
import { createDemoRoutes } from "../demo/demo-routes.ts";
import { createPlaygroundRoutes } from "../demo/playground-routes.ts";
import { readSessionToken } from "../http/dashboard/account/session-cookie.ts";
import type { DashboardPorts } from "../http/dashboard/dashboard-ports.ts";
import { mayHavePlainCookies } from "../http/dashboard/own-origin.ts";
import type { HttpRoute } from "../http/http-route.ts";
import { findLanguages } from "../http/pages/widget-files.ts";
import type { ApiPorts } from "../http/v1/api-ports.ts";
import type { FirstStart } from "../lifecycle/first-start.ts";
import { WIDGET_DIRECTORY } from "./compose-routes.ts";

type DemoParts = {
  readonly config: Config;
  readonly firstStart: FirstStart;
  readonly ports: DashboardPorts;
  readonly api: ApiPorts;
  /** The address the service listens on, known after the start. */
  readonly listeningUrl: () => string;
};

/**
 * The routes of demo and playground under the operator's settings; none if the demo is off or its
 * keys are lost.
 */
export function composeDemo({
  config,
  firstStart,
  ports,
  api,
  listeningUrl,
}: DemoParts): readonly HttpRoute[] {
  const { demoKeys } = firstStart;
  if (!config.isDemoOn || demoKeys === undefined) return [];
  const demo = createDemoRoutes({
    ...demoKeys,
    baseUrl: listeningUrl,
    addressOf: (request) => {
      const address = ports.visitors.addressOf(request);
      return address && formatIpAddress(address);
    },
    maySeeScore: async ({ headers }) => {
      const token = readSessionToken(headers.cookie, mayHavePlainCookies(headers, undefined));
      if (token === undefined) return false;
      const signedIn = await findSession(ports, token);
      const site = await ports.directory.findSite(demoKeys.siteKey);
      return signedIn !== undefined && signedIn.member.accountId === site?.accountId;
    },
  });
  return [
    ...demo,
    ...createPlaygroundRoutes({
      api,
      siteKey: demoKeys.siteKey,
      languages: findLanguages(WIDGET_DIRECTORY),
    }),
  ];
}
