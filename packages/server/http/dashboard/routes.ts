import { accountRoutes } from "./account-routes.ts";
import { layoutRoutes } from "./layout-routes.ts";
import { memberRoutes } from "./member-routes.ts";
import type { Route } from "./route.ts";
import { secondFactorRoutes } from "./second-factor-routes.ts";
import { sessionRoutes } from "./session-routes.ts";
import { signInRoutes } from "./sign-in-routes.ts";
import { siteRoutes } from "./site-routes.ts";
import { statisticsRoutes } from "./statistics-routes.ts";
import { systemRoutes } from "./system-routes.ts";
import { waveRoutes } from "./wave-routes.ts";

/** Every private endpoint of the dashboard (D16). No public interface: it may change with any release. */
export const DASHBOARD_ROUTES: readonly Route[] = [
  ...signInRoutes,
  ...sessionRoutes,
  ...accountRoutes,
  ...secondFactorRoutes,
  ...memberRoutes,
  ...siteRoutes,
  ...statisticsRoutes,
  ...waveRoutes,
  ...layoutRoutes,
  ...systemRoutes,
];
