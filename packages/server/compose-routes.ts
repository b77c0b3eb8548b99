import { join } from "node:path";
import type { ApiPorts } from "./http/api-ports.ts";
import { createDashboardPages, loadDashboardFiles } from "./http/dashboard/dashboard-files.ts";
import type { DashboardPorts } from "./http/dashboard/dashboard-ports.ts";
import { DASHBOARD_API, dashboardApiRoute } from "./http/dashboard/guard.ts";
import { DASHBOARD_ROUTES } from "./http/dashboard/routes.ts";
import type { HttpRoute } from "./http/http-route.ts";
import { createNoScriptRoutes } from "./http/no-script/no-script-routes.ts";
import { createPages, type PageParts } from "./http/pages/pages.ts";
import { loadWidgetFiles } from "./http/pages/widget-files.ts";
import { createApiRoutes } from "./http/v1/api-routes.ts";

/** The widget's build. */
export const WIDGET_DIRECTORY = join(import.meta.dirname, "..", "widget", "dist");
const DASHBOARD_DIRECTORY = join(import.meta.dirname, "..", "dashboard", "dist");

/** What answers at the service's addresses. */
export type RouteParts = Pick<PageParts, "findObstacle" | "findRemark"> & {
  readonly api: ApiPorts;
  readonly dashboardPorts: DashboardPorts;
  /** Rows of the demo; none where it is off. */
  readonly demo: readonly HttpRoute[];
};

/** The one table of the listener: endpoints, dashboard, files, health and demo. Throws if a browser's build is missing. */
export function composeRoutes({ api, dashboardPorts, demo, ...health }: RouteParts): readonly HttpRoute[] {
  return [
    ...createApiRoutes(api),
    ...createNoScriptRoutes(api),
    dashboardApiRoute(dashboardPorts, DASHBOARD_ROUTES),
    ...createDashboardPages(loadDashboardFiles(DASHBOARD_DIRECTORY)),
    ...createPages({
      ...health,
      files: loadWidgetFiles(WIDGET_DIRECTORY),
      home: demo.length > 0 ? "/demo" : "/dashboard",
    }),
    ...demo,
  ];
}

/** An address of the service; a segment `:name` stands for any, `*` for all that follows. */
export type Address = { readonly method: string; readonly path: string };

/** Every address of the table, those behind the dashboard's guard one by one. */
export function addressesOf(routes: readonly HttpRoute[]): readonly Address[] {
  return [...routes, ...DASHBOARD_ROUTES.map(({ method, path }) => ({ method, path: DASHBOARD_API + path }))];
}
