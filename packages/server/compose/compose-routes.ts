import { join } from "node:path";
import { demoRoutes } from "@stile/demo/demo";
import { createDashboardPages, loadDashboardFiles } from "../http/dashboard/dashboard-files.ts";
import { DASHBOARD_API, dashboardApiRoute } from "../http/dashboard/guard.ts";
import { DASHBOARD_ROUTES } from "../http/dashboard/routes.ts";
import type { HttpRoute } from "../http/http-route.ts";
import { createDocsPage } from "../http/pages/docs-page.ts";
import { createPages, type PageParts } from "../http/pages/pages.ts";
import { findLanguages, loadWidgetFiles } from "../http/pages/widget-files.ts";
import { powChallengeRoute } from "../http/v1/pow/challenge/pow-challenge.ts";
import { scoreRoute } from "../http/v1/score/score.ts";
import { tokenVerifyRoute } from "../http/v1/token/verify/token-verify.ts";
import { verifyRoute } from "../http/v1/verify/verify.ts";
import { gateRoutes } from "../optional/gate/gate-routes.ts";
import { noScriptRoutes } from "../optional/no-script/no-script-routes.ts";
import { vendorRoutes } from "../optional/vendors/vendor-routes.ts";
import type { RouteSet, RouteSetParts } from "../sockets/route-set.ts";

/** The folder of the built widget. */
const WIDGET_DIRECTORY = join(import.meta.dirname, "..", "..", "widget", "dist");
const DASHBOARD_DIRECTORY = join(import.meta.dirname, "..", "..", "dashboard", "dist");

/** Reads the files for browsers into memory. Throws BuildMissing. */
export function loadBuilds() {
  return {
    dashboard: loadDashboardFiles(DASHBOARD_DIRECTORY),
    widget: loadWidgetFiles(WIDGET_DIRECTORY),
  };
}

/** The optional parts of the service that have addresses. A part without a line here is off. */
const OPTIONAL: readonly RouteSet[] = [noScriptRoutes, vendorRoutes, gateRoutes, demoRoutes];

/** The parts of the service that serve its addresses. */
export type RouteParts = Pick<PageParts, "findObstacle" | "findRemark"> &
  Omit<RouteSetParts, "languages"> & { readonly builds: ReturnType<typeof loadBuilds> };

/** The only route table of the listener: endpoints, dashboard, files, health and optional parts. */
export function composeRoutes(parts: RouteParts): readonly HttpRoute[] {
  const { api, dashboardPorts, builds, findObstacle, findRemark } = parts;
  const languages = findLanguages(WIDGET_DIRECTORY);
  const optional = OPTIONAL.flatMap((routesOf) => routesOf({ ...parts, languages }));
  const home = optional.some(({ path }) => path === "/demo") ? "/demo" : "/dashboard";
  return [
    tokenVerifyRoute(api),
    scoreRoute(api),
    powChallengeRoute(api),
    verifyRoute(api),
    dashboardApiRoute(dashboardPorts, DASHBOARD_ROUTES),
    ...createDashboardPages(builds.dashboard),
    ...createPages({ files: builds.widget, home, findObstacle, findRemark }),
    ...createDocsPage(),
    ...optional,
  ];
}

/**
 * An address of the service. A segment `:name` matches any segment, `*` everything that follows.
 */
export type RouteAddress = { readonly method: string; readonly path: string };

/** All addresses of the table. Those behind the dashboard's guard are listed one by one. */
export function addressesOf(routes: readonly HttpRoute[]): readonly RouteAddress[] {
  return [
    ...routes,
    ...DASHBOARD_ROUTES.map(({ method, path }) => ({ method, path: DASHBOARD_API + path })),
  ];
}
