import { join } from "node:path";
import { createDashboardPages, loadDashboardFiles } from "../http/dashboard/dashboard-files.ts";
import type { DashboardPorts } from "../http/dashboard/dashboard-ports.ts";
import { DASHBOARD_API, dashboardApiRoute } from "../http/dashboard/guard.ts";
import { DASHBOARD_ROUTES } from "../http/dashboard/routes.ts";
import type { HttpRoute } from "../http/http-route.ts";
import { createNoScriptRoutes } from "../http/no-script/no-script-routes.ts";
import { createDocsPage } from "../http/pages/docs-page.ts";
import { createPages, type PageParts } from "../http/pages/pages.ts";
import { loadWidgetFiles } from "../http/pages/widget-files.ts";
import type { ApiPorts } from "../http/v1/api-ports.ts";
import { createApiRoutes } from "../http/v1/api-routes.ts";

/** The folder of the built widget. */
export const WIDGET_DIRECTORY = join(import.meta.dirname, "..", "..", "widget", "dist");
const DASHBOARD_DIRECTORY = join(import.meta.dirname, "..", "..", "dashboard", "dist");

/** Reads the files for browsers into memory. Throws BuildMissing. */
export function loadBuilds() {
  return {
    dashboard: loadDashboardFiles(DASHBOARD_DIRECTORY),
    widget: loadWidgetFiles(WIDGET_DIRECTORY),
  };
}

/** The parts that answer at the service's addresses. */
export type RouteParts = Pick<PageParts, "findObstacle" | "findRemark"> & {
  readonly api: ApiPorts;
  readonly dashboardPorts: DashboardPorts;
  readonly builds: ReturnType<typeof loadBuilds>;
  /** The routes of the demo; none if it is off. */
  readonly demo: readonly HttpRoute[];
};

/** The one route table of the listener: endpoints, dashboard, files, health and demo. */
export function composeRoutes(parts: RouteParts): readonly HttpRoute[] {
  const { api, dashboardPorts, builds, demo, ...health } = parts;
  return [
    ...createApiRoutes(api),
    ...createNoScriptRoutes(api),
    dashboardApiRoute(dashboardPorts, DASHBOARD_ROUTES),
    ...createDashboardPages(builds.dashboard),
    ...createPages({
      ...health,
      files: builds.widget,
      home: demo.length > 0 ? "/demo" : "/dashboard",
    }),
    ...createDocsPage(),
    ...demo,
  ];
}

/**
 * An address of the service. A segment `:name` stands for any segment, `*` for everything that
 * follows.
 */
export type RouteAddress = { readonly method: string; readonly path: string };

/** All addresses of the table, with those behind the dashboard's guard one by one. */
export function addressesOf(routes: readonly HttpRoute[]): readonly RouteAddress[] {
  return [
    ...routes,
    ...DASHBOARD_ROUTES.map(({ method, path }) => ({ method, path: DASHBOARD_API + path })),
  ];
}
