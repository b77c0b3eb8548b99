import type { IncomingMessage } from "node:http";
import { DASHBOARD_ERROR_CODES } from "@stile/protocol/dashboard-api";
import { TEXT_LIMITS } from "@stile/protocol/limits";
import type { Answer, RequestContext } from "../answer/answer.ts";
import type { HttpRoute } from "../http-route.ts";
import { receiveBody } from "../request/body.ts";
import { describeDevice } from "./account/device.ts";
import { readDeviceToken, readSessionToken } from "./account/session-cookie.ts";
import type { DashboardPorts } from "./dashboard-ports.ts";
import { findRoute } from "./find-route.ts";
import {
  findOwnOrigin,
  hasPlainCookies,
  isOwnRead,
  isOwnWrite,
  mayHavePlainCookies,
  partyOf,
} from "./own-origin.ts";
import { type RouteReply, refuse, toAnswer } from "./reply.ts";
import type { Route } from "./route.ts";
import { refuseBody, runRoute } from "./run-route.ts";
import { createTurns, type Turns } from "./turns.ts";

/** The path of the private endpoints. */
export const DASHBOARD_API = "/dashboard/api/";

/**
 * The reads of one member: as many at once as a page needs. A list of many sites takes a thousand
 * queries, and one packet can request it a hundred times. Without turns, anyone who may view an
 * account could keep the process from all other work.
 */
const READS = { atOnce: 4, mostWaiting: 64 } as const;

/** The store did not say whether a change was made. */
const MAYBE_MADE = refuse("internal_error", {
  message:
    "The service could not confirm this change. It may have been saved. It is safe to repeat it.",
});

/**
 * If a proxy changes the Host header, every origin looks foreign until STILE_BASE_URL names the
 * right one.
 */
const BEHIND_A_PROXY = {
  message: `${DASHBOARD_ERROR_CODES.foreign_origin.meaning} Behind a proxy, set STILE_BASE_URL to the address that browsers use.`,
};

/** Node joins a header that comes several times with commas, which no id contains. */
function readChangeId(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join() : value;
}

/**
 * The answer to a change whose outcome the store did not confirm. The change may be in the database
 * already (D15, outage; D16, operator). Reads keep their text.
 */
function shapeFault(fault: Answer, request: IncomingMessage, context: RequestContext): Answer {
  if (fault.status !== 503 || request.method === "GET") return fault;
  return { ...toAnswer(MAYBE_MADE, context, false), status: 503, headers: fault.headers ?? {} };
}

/**
 * The address at which browsers reach the service; without STILE_BASE_URL, a guess from the
 * request.
 */
function baseUrlOf(
  ports: DashboardPorts,
  origin: URL | undefined,
  request: IncomingMessage,
): string {
  return ports.service.baseUrl ?? origin?.origin ?? `http://${request.headers.host}`;
}

/**
 * Makes the checks that every call must pass, in this order: address, method, origin, media type
 * and size, session, role, second factor, proof. Only then is the body parsed.
 */
async function answerCall(
  ports: DashboardPorts,
  routes: readonly Route[],
  turns: Turns,
  request: IncomingMessage,
): Promise<RouteReply> {
  const { url = "" } = request;
  const [path = ""] = url.split("?", 1);
  const { route, params, allowed } = findRoute(
    routes,
    request.method ?? "",
    path.slice(DASHBOARD_API.length),
  );
  if (allowed.length === 0)
    return refuse("not_found", { message: "This address does not exist.", mustClose: true });
  if (route === undefined) {
    return refuse("method_not_allowed", {
      headers: { Allow: allowed.join(", ") },
      mustClose: true,
    });
  }
  const { headers } = request;
  const { baseUrl } = ports.service;
  const isOwn = route.method === "GET" ? isOwnRead(headers, baseUrl) : isOwnWrite(headers, baseUrl);
  if (!isOwn)
    return refuse("foreign_origin", {
      mustClose: true,
      ...(baseUrl === undefined && BEHIND_A_PROXY),
    });
  // A write needs a JSON body even if it has no fields, because a form of another site can't send
  // one.
  const body = route.method === "GET" ? undefined : await receiveBody(request, route.bodyLimit);
  if (body !== undefined && body.kind !== "received") return refuseBody(body);
  const origin = findOwnOrigin(headers, baseUrl);
  const mayBePlain = mayHavePlainCookies(headers, origin);
  const userAgent = (headers["user-agent"] ?? "").slice(0, TEXT_LIMITS.userAgent);
  const caller = {
    ports,
    client: {
      address: ports.visitors.addressOf(request),
      device: describeDevice(userAgent),
      deviceToken: readDeviceToken(headers.cookie, mayBePlain),
    },
    userAgent,
    party: partyOf(origin ?? new URL(baseUrlOf(ports, origin, request))),
    baseUrl: baseUrlOf(ports, origin, request),
    rawParams: params,
  };
  return runRoute(
    route,
    caller,
    {
      bytes: body?.bytes,
      url,
      sessionToken: readSessionToken(headers.cookie, mayBePlain),
      changeId: readChangeId(headers["idempotency-key"]),
    },
    turns,
  );
}

/**
 * One guard for the whole table of private endpoints, which is a single route for the listener
 * (D16, operator).
 */
export function dashboardApiRoute(ports: DashboardPorts, routes: readonly Route[]): HttpRoute {
  const turns = createTurns(READS);
  return {
    path: `${DASHBOARD_API}*`,
    method: "ALL",
    shapeFault,
    handle: async (request, context) => {
      const origin = findOwnOrigin(request.headers, ports.service.baseUrl);
      const reply = await answerCall(ports, routes, turns, request);
      const answer = toAnswer(reply, context, origin !== undefined && hasPlainCookies(origin));
      // A missing session is expected, so it is not logged and has no request id.
      return answer.status === 401 ? { ...answer, isUnlogged: true } : answer;
    },
  };
}
