import { PASSKEY_ID_CHARACTERS } from "@stile/protocol/limits";
import type { Method, Route } from "./route.ts";

/**
 * The route for a method and path, and the methods that exist for the path; none if there is no
 * such path.
 */
export type RouteFinding = {
  readonly route: Route | undefined;
  readonly params: Readonly<Record<string, string>>;
  readonly allowed: readonly Method[];
};

/**
 * The form of ids and keys. Passkeys have the longest. No other path segment matches a parameter.
 */
const SEGMENT = new RegExp(`^[\\w-]{1,${PASSKEY_ID_CHARACTERS}}$`);

/** The most segments of a path that are read. Routes have less than half as many. */
const MAX_SEGMENTS = 16;

/** The parameters of a path that matches the pattern; undefined if it does not. */
function matchPath(
  pattern: string,
  segments: readonly string[],
): Record<string, string> | undefined {
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

/** Finds the route of a call. Paths are compared as they were sent, without decoding. */
export function findRoute(routes: readonly Route[], method: string, path: string): RouteFinding {
  // Split once for all routes, and only as far as a route can reach, because a path may have
  // thousands of segments.
  const segments = path.split("/", MAX_SEGMENTS);
  const matches = routes.flatMap((route) => {
    const params = matchPath(route.path, segments);
    return params ? [{ route, params }] : [];
  });
  const match = matches.find(({ route }) => route.method === method);
  return {
    route: match?.route,
    params: match?.params ?? {},
    allowed: matches.map(({ route }) => route.method),
  };
}
