import type { IncomingMessage } from "node:http";
import type { Answer, RequestContext } from "./answer/answer.ts";

/** A row of the listener's table: the handler of an address, and all its special rules. */
export type HttpRoute = {
  /**
   * An exact path, or one ending in `/*` for everything below it without its own row. Paths are not
   * decoded.
   */
  readonly path: string;
  /**
   * GET includes HEAD, and CORS the preflight. With ALL the row checks the method. Other methods
   * get 404.
   */
  readonly method: "GET" | "POST" | "ALL";
  /** Throws RequestAborted if the client closed the connection. Any other error is a fault. */
  readonly handle: (request: IncomingMessage, context: RequestContext) => Answer | Promise<Answer>;
  /**
   * The method for pages of other origins, which can then read all answers, also faults. Undefined:
   * no CORS (D8, challenge).
   */
  readonly corsMethod?: "GET" | "POST";
  /** Puts a fault into the shape that callers of this address know. */
  readonly shapeFault?: (
    fault: Answer,
    request: IncomingMessage,
    context: RequestContext,
  ) => Answer;
};

/** Finds the row for a method and a path; undefined if there is none. */
export type FindHttpRoute = (method: string, path: string) => HttpRoute | undefined;

/**
 * The table of these rows. An exact path wins over the prefixes that match it, and of these the
 * longest wins.
 */
export function createRouteTable(routes: readonly HttpRoute[]): FindHttpRoute {
  const isPrefix = ({ path }: HttpRoute): boolean => path.endsWith("/*");
  const exact = new Map(
    routes.filter((route) => !isPrefix(route)).map((route) => [route.path, route]),
  );
  const prefixes = routes
    .filter(isPrefix)
    .map((route) => ({ route, prefix: route.path.slice(0, -1) }))
    .sort((a, b) => b.prefix.length - a.prefix.length);
  if (exact.size + prefixes.length !== routes.length)
    throw new Error("two rows of the route table have the same path");
  return (method, path) => {
    const route = exact.get(path) ?? prefixes.find(({ prefix }) => path.startsWith(prefix))?.route;
    if (route === undefined || route.method === "ALL") return route;
    if (method === "OPTIONS" && route.corsMethod !== undefined) return route;
    return method === route.method || (method === "HEAD" && route.method === "GET")
      ? route
      : undefined;
  };
}
