import type { Config } from "../config/config.ts";
import type { DashboardPorts } from "../http/dashboard/dashboard-ports.ts";
import type { HttpRoute } from "../http/http-route.ts";
import type { ApiPorts } from "../http/v1/api-ports.ts";
import type { FirstStart } from "../lifecycle/first-start.ts";

/** The parts that the routes of an optional part may use. */
export type RouteSetParts = {
  readonly config: Config;
  readonly api: ApiPorts;
  readonly dashboardPorts: DashboardPorts;
  /** The keys of the demo's site; undefined if they are lost. */
  readonly demoKeys: FirstStart["demoKeys"];
  /** The widget's languages besides English, as BCP 47 tags. */
  readonly languages: readonly string[];
  /** The address that the service listens on, known after the start. */
  readonly listeningUrl: () => string;
};

/**
 * The addresses of an optional part of the service; none if the operator's settings leave it off.
 * `compose/compose-routes.ts` adds the rows to the table of the listener.
 */
export type RouteSet = (parts: RouteSetParts) => readonly HttpRoute[];
