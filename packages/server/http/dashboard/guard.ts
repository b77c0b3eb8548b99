import type { IncomingMessage } from "node:http";
import { hasSecondFactor, SESSION_MS } from "@stile/core/domain/account/member";
import { type Denial, recordDenial } from "@stile/core/flows/account/record-denial";
import { findSession } from "@stile/core/flows/account/session/find-session";
import { DASHBOARD_ERROR_CODES, type DashboardErrorCode } from "@stile/protocol/dashboard-api";
import { BODY_LIMITS, TEXT_LIMITS } from "@stile/protocol/limits";
import { mayActAs } from "@stile/protocol/roles";
import { type BodyRefusal, parseBody, receiveBody } from "../body.ts";
import type { HttpRoute } from "../http-route.ts";
import { readQuery } from "../query.ts";
import type { DashboardPorts, SignedIn } from "./dashboard-ports.ts";
import { describeDevice } from "./device.ts";
import { findRoute } from "./find-route.ts";
import { findOwnOrigin, isOwnRead, isOwnWrite, partyOf } from "./own-origin.ts";
import { type Reply, refuse, toAnswer } from "./reply.ts";
import type { MemberCall, OpenCall, Route } from "./route.ts";
import { readDeviceToken, readSessionToken } from "./session-cookie.ts";

/** Where the private endpoints live. */
export const DASHBOARD_API = "/dashboard/api/";

/** A proxy that changes the Host header makes every origin foreign, until it is told which one is right. */
const BEHIND_A_PROXY = {
  message: `${DASHBOARD_ERROR_CODES.foreign_origin.meaning} Behind a proxy, set STILE_BASE_URL to the address browsers use.`,
};

function refuseBody(reading: BodyRefusal): Reply {
  switch (reading.kind) {
    case "malformed":
      return refuse("bad_request", { message: reading.message });
    case "too_large":
      return refuse("payload_too_large", { mustClose: true });
    case "unsupported_media_type":
      return refuse("unsupported_media_type", { mustClose: true });
    default:
      return reading satisfies never;
  }
}

/** The address browsers reach the service at, as far as it is known without STILE_BASE_URL. */
function baseUrlOf(ports: DashboardPorts, origin: URL | undefined, request: IncomingMessage): string {
  return ports.service.baseUrl ?? origin?.origin ?? `http://${request.headers.host}`;
}

/** Refusals of a signed-in member that its account should know of, whichever route gives them. */
const DENIALS: Readonly<Partial<Record<DashboardErrorCode, Denial>>> = {
  not_allowed: "role_denied",
  wrong_credentials: "proof_failed",
  rate_limited: "proof_limited",
};

type MemberRoute = Exclude<Route, { role: "anyone" }>;

/** Tells the account of a member who was refused; the route stands for what it wanted. */
function recordRefusal(caller: Pick<MemberCall, "ports" | "signedIn">, route: MemberRoute, reply: Reply): Reply {
  const denial = reply.kind === "refused" ? DENIALS[reply.code] : undefined;
  if (denial !== undefined) recordDenial(caller.ports, caller.signedIn, denial, `${route.method} ${route.path}`);
  return reply;
}

/** Whether the member lacks the second factor that its account demands. */
async function lacksFactor(ports: DashboardPorts, { member }: SignedIn): Promise<boolean> {
  return !hasSecondFactor(member) && (await ports.members.isSecondFactorDemanded(member.accountId));
}

/** Body and query of a call, not yet looked at; none of a GET. */
type Sent = { readonly bytes: Buffer | undefined; readonly url: string };

/** What was sent, as values that the route judges; or why it can't be read. */
function readSent({ bytes, url }: Sent): Pick<OpenCall, "rawBody" | "rawQuery"> | Reply {
  const rawQuery = readQuery(url);
  if (rawQuery === undefined) {
    return refuse("bad_request", { message: "The address names a value twice, or too many of them." });
  }
  if (bytes === undefined) return { rawBody: {}, rawQuery };
  const reading = parseBody(bytes, BODY_LIMITS.dashboard);
  return reading.kind === "object" ? { rawBody: reading.object, rawQuery } : refuseBody(reading);
}

/** Session, role, second factor and proof of who calls, then what they sent, then the route itself. */
async function runRoute(
  route: Route,
  caller: Omit<OpenCall, "rawBody" | "rawQuery">,
  sent: Sent,
  request: IncomingMessage,
): Promise<Reply> {
  const { ports } = caller;
  if (route.role === "anyone") {
    const read = readSent(sent);
    return "kind" in read ? read : route.run({ ...caller, ...read });
  }
  const token = readSessionToken(request.headers.cookie);
  const signedIn = token === undefined ? undefined : await findSession(ports, token);
  if (signedIn === undefined) return refuse("not_signed_in");
  if (!mayActAs(signedIn.member.role, route.role)) {
    return recordRefusal({ ports, signedIn }, route, refuse("not_allowed"));
  }
  if (!route.mayLackFactor && (await lacksFactor(ports, signedIn))) return refuse("second_factor_demanded");
  const isFresh = ports.clock.nowMs() < signedIn.session.provenAtMs + SESSION_MS.fresh;
  if (route.needsProof && !isFresh) return refuse("step_up_needed");
  const read = readSent(sent);
  if ("kind" in read) return read;
  return recordRefusal({ ports, signedIn }, route, await route.run({ ...caller, ...read, signedIn }));
}

/**
 * What every call must get past, in this order: address, method, origin, media type and size, session, role, second factor,
 * proof; only then its body is parsed.
 */
async function answerCall(ports: DashboardPorts, routes: readonly Route[], request: IncomingMessage): Promise<Reply> {
  const { url = "" } = request;
  const [path = ""] = url.split("?", 1);
  const { route, params, allowed } = findRoute(routes, request.method ?? "", path.slice(DASHBOARD_API.length));
  if (allowed.length === 0) return refuse("not_found", { message: "Nothing lives at this address.", mustClose: true });
  if (route === undefined) {
    return refuse("method_not_allowed", { headers: { Allow: allowed.join(", ") }, mustClose: true });
  }
  const { headers } = request;
  const { baseUrl } = ports.service;
  const isOwn = route.method === "GET" ? isOwnRead(headers, baseUrl) : isOwnWrite(headers, baseUrl);
  if (!isOwn) return refuse("foreign_origin", { mustClose: true, ...(baseUrl === undefined && BEHIND_A_PROXY) });
  // A write has a JSON body even where there is nothing to say: no form of another site can send one.
  const body = route.method === "GET" ? undefined : await receiveBody(request, BODY_LIMITS.dashboard);
  if (body !== undefined && body.kind !== "received") return refuseBody(body);
  const origin = findOwnOrigin(headers, baseUrl);
  const caller = {
    ports,
    client: {
      address: ports.visitors.addressOf(request),
      device: describeDevice((headers["user-agent"] ?? "").slice(0, TEXT_LIMITS.userAgent)),
      deviceToken: readDeviceToken(headers.cookie),
    },
    party: partyOf(origin ?? new URL(baseUrlOf(ports, origin, request))),
    baseUrl: baseUrlOf(ports, origin, request),
    rawParams: params,
  };
  return runRoute(route, caller, { bytes: body?.bytes, url }, request);
}

/** One guard over the whole table of private endpoints, which is one row of the listener's (D16). */
export function dashboardApiRoute(ports: DashboardPorts, routes: readonly Route[]): HttpRoute {
  return {
    path: `${DASHBOARD_API}*`,
    method: "ALL",
    handle: async (request, context) => {
      const answer = toAnswer(await answerCall(ports, routes, request), context);
      // Whoever is not signed in yet is no news, and is shown no id.
      return answer.status === 401 ? { ...answer, isUnlogged: true } : answer;
    },
  };
}
