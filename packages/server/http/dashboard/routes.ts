import { accountRoutes } from "./account/account-routes.ts";
import { memberRoutes } from "./account/member-routes.ts";
import { secondFactorRoutes } from "./account/second-factor-routes.ts";
import { sessionRoutes } from "./account/session-routes.ts";
import { signInRoutes } from "./account/sign-in-routes.ts";
import type { Route } from "./route.ts";
import { siteRoutes } from "./site/site-routes.ts";
import { statisticsRoutes } from "./statistics/statistics-routes.ts";
import { waveRoutes } from "./statistics/wave-routes.ts";
import { systemRoutes } from "./system/system-routes.ts";

/**
 * All private endpoints of the dashboard (D16, operator). They are no public interface and may
 * change with any release.
 */
export const DASHBOARD_ROUTES: readonly Route[] = [
  ...signInRoutes,
  ...sessionRoutes,
  ...accountRoutes,
  ...secondFactorRoutes,
  ...memberRoutes,
  ...siteRoutes,
  ...statisticsRoutes,
  ...waveRoutes,
  ...systemRoutes,
];
