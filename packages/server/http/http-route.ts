import type { IncomingMessage } from "node:http";
import type { Answer, RequestContext } from "./answer/answer.ts";

/** One row of the listener's table: what stands at an address, and all that is special about it. */
export type HttpRoute = {
  /** A path as it is sent; or one that ends in `/*`, for everything below it that has no row of its own. Nothing is decoded. */
  readonly path: string;
  /** A row for GET takes HEAD, too, and one with CORS the preflight; at ALL the row itself judges the method. By any other there is nothing at this address. */
  readonly method: "GET" | "POST" | "ALL";
  /** Throws RequestAborted where the client went away; whatever else it throws is a fault. */
  readonly handle: (request: IncomingMessage, context: RequestContext) => Answer | Promise<Answer>;
  /** The method that pages of other origins may use, who then may read every answer, faults included; undefined: no CORS (D8). */
  readonly corsMethod?: "GET" | "POST";
  /** Brings a fault into the shape that callers of this address know. */
  readonly shapeFault?: (fault: Answer, request: IncomingMessage, context: RequestContext) => Answer;
};

/** Finds the row for a method and a path; undefined if nothing lives there. */
export type FindHttpRoute = (method: string, path: string) => HttpRoute | undefined;

/** The table over these rows: a path of its own goes before those below which it lies, and of these the longest. */
export function createRouteTable(routes: readonly HttpRoute[]): FindHttpRoute {
  const isPrefix = ({ path }: HttpRoute): boolean => path.endsWith("/*");
  const exact = new Map(routes.filter((route) => !isPrefix(route)).map((route) => [route.path, route]));
  const prefixes = routes
    .filter(isPrefix)
    .map((route) => ({ route, prefix: route.path.slice(0, -1) }))
    .sort((a, b) => b.prefix.length - a.prefix.length);
  if (exact.size + prefixes.length !== routes.length) throw new Error("two rows of the route table have one path");
  return (method, path) => {
    const route = exact.get(path) ?? prefixes.find(({ prefix }) => path.startsWith(prefix))?.route;
    if (route === undefined || route.method === "ALL") return route;
    if (method === "OPTIONS" && route.corsMethod !== undefined) return route;
    return method === route.method || (method === "HEAD" && route.method === "GET") ? route : undefined;
  };
}
