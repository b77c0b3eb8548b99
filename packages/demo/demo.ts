import { formatIpAddress } from "@stile/core/domain/visitor/ip-address";
import { findSession } from "@stile/core/use-cases/account/session/find-session";
import { readSessionToken } from "@stile/server/http/dashboard/account/session-cookie";
import { mayHavePlainCookies } from "@stile/server/http/dashboard/own-origin";
import type { RouteSet } from "@stile/server/sockets/route-set";
import { createDemoRoutes } from "./pages/demo-routes.ts";
import { createPlaygroundRoutes } from "./pages/playground-routes.ts";

/** The routes of the demo and the playground; none if the demo is off or its keys are lost. */
export const demoRoutes: RouteSet = (parts) => {
  const { config, demoKeys, api, dashboardPorts, languages, listeningUrl } = parts;
  if (!config.isDemoOn || demoKeys === undefined) return [];
  const { siteKey } = demoKeys;
  const demo = createDemoRoutes({
    ...demoKeys,
    baseUrl: listeningUrl,
    addressOf: (request) => {
      const address = api.visitors.addressOf(request);
      return address && formatIpAddress(address);
    },
    maySeeScore: async ({ headers }) => {
      const token = readSessionToken(headers.cookie, mayHavePlainCookies(headers, undefined));
      if (token === undefined) return false;
      const signedIn = await findSession(dashboardPorts, token);
      const site = await api.directory.findSite(siteKey);
      return signedIn !== undefined && signedIn.member.accountId === site?.accountId;
    },
  });
  return [...demo, ...createPlaygroundRoutes({ api, siteKey, languages })];
};
