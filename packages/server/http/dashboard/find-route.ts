import type { Method, Route } from "./route.ts";

/** The row of the table for a method and path, and the methods that the path takes; none: there is no such path. */
export type RouteFinding = {
  readonly route: Route | undefined;
  readonly params: Readonly<Record<string, string>>;
  readonly allowed: readonly Method[];
};

/** Ids and keys as the service writes them; anything else in a path names nothing. */
const SEGMENT = /^[\w-]{1,512}$/;

/** Segments of a path that are looked at; no route has half as many. */
const MAX_SEGMENTS = 16;

/** The named segments of a path that fits the pattern, or undefined. */
function matchPath(pattern: string, segments: readonly string[]): Record<string, string> | undefined {
  const names = pattern.split("/");
  if (names.length !== segments.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, name] of names.entries()) {
    const segment = segments[index] ?? "";
    if (!name.startsWith(":")) {
      if (name !== segment) return undefined;
    } else if (SEGMENT.test(segment)) params[name.slice(1)] = segment;
    else return undefined;
  }
  return params;
}

/** Looks a call up in the table. Paths are compared as they came: nothing is decoded. */
export function findRoute(routes: readonly Route[], method: string, path: string): RouteFinding {
  // Once for all routes, and no further than any of them goes: a path may have thousands.
  const segments = path.split("/", MAX_SEGMENTS);
  const matches = routes.flatMap((route) => {
    const params = matchPath(route.path, segments);
    return params ? [{ route, params }] : [];
  });
  const match = matches.find(({ route }) => route.method === method);
  return { route: match?.route, params: match?.params ?? {}, allowed: matches.map(({ route }) => route.method) };
}
