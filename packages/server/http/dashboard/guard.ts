import type { IncomingMessage } from "node:http";
import { hasSecondFactor, SESSION_MS } from "@stile/core/domain/member";
import { findSession } from "@stile/core/flows/account/find-session";
import { type Denial, noteDenial } from "@stile/core/flows/account/note-denial";
import { DASHBOARD_ERROR_CODES, type DashboardErrorCode } from "@stile/protocol/dashboard-api";
import { mayActAs } from "@stile/protocol/roles";
import type { Logger } from "../../telemetry/log.ts";
import type { Answer, RequestContext } from "../answer.ts";
import { type BodyReading, RequestAborted, readJsonObject } from "../body.ts";
import { faultAnswer } from "../on-error.ts";
import type { DashboardPorts, SignedIn } from "./dashboard-ports.ts";
import { describeDevice } from "./device.ts";
import { findRoute } from "./find-route.ts";
import { findOwnOrigin, isOwnRead, isOwnWrite, partyOf } from "./own-origin.ts";
import { type Reply, refuse, toAnswer } from "./reply.ts";
import type { MemberCall, OpenCall, Route } from "./route.ts";
import { readDeviceToken, readSessionToken } from "./session-cookie.ts";

/** Where the private endpoints live. */
export const DASHBOARD_API = "/dashboard/api/";

/** Largest body of a private endpoint in bytes. */
const BODY_LIMIT = 16_384;

/** A proxy that changes the Host header makes every origin foreign, until it is told which one is right. */
const BEHIND_A_PROXY = {
  message: `${DASHBOARD_ERROR_CODES.foreign_origin.meaning} Behind a proxy, set STILE_BASE_URL to the address browsers use.`,
};

function refuseBody(reading: Exclude<BodyReading, { kind: "object" }>): Reply {
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

/** The query's values by name; undefined if a name comes twice. */
function readQuery(query: URLSearchParams): Readonly<Record<string, string>> | undefined {
  const names = [...query.keys()];
  return new Set(names).size === names.length ? Object.fromEntries(query) : undefined;
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

/** Tells the account of a member who was refused; the route stands for what it wanted. */
function noteRefusal({ ports, signedIn }: MemberCall, route: Exclude<Route, { role: "anyone" }>, reply: Reply): Reply {
  const denial = reply.kind === "refused" ? DENIALS[reply.code] : undefined;
  if (denial !== undefined) noteDenial(ports, signedIn, denial, `${route.method} ${route.path}`);
  return reply;
}

/** Whether the member lacks the second factor that its account demands. */
async function lacksFactor(ports: DashboardPorts, { member }: SignedIn): Promise<boolean> {
  return !hasSecondFactor(member) && (await ports.members.isSecondFactorDemanded(member.accountId));
}

/** Session, role, second factor and proof of who calls, then the route itself. */
async function runRoute(route: Route, call: OpenCall, request: IncomingMessage): Promise<Reply> {
  if (route.role === "anyone") return route.run(call);
  const { ports } = call;
  const token = readSessionToken(request.headers.cookie);
  const signedIn = token === undefined ? undefined : await findSession(ports, token);
  if (signedIn === undefined) return refuse("not_signed_in");
  const memberCall = { ...call, signedIn };
  if (!mayActAs(signedIn.member.role, route.role)) return noteRefusal(memberCall, route, refuse("not_allowed"));
  if (!route.mayLackFactor && (await lacksFactor(ports, signedIn))) return refuse("second_factor_demanded");
  const isFresh = ports.clock.nowMs() < signedIn.session.provenAtMs + SESSION_MS.fresh;
  if (route.needsProof && !isFresh) return refuse("step_up_needed");
  return noteRefusal(memberCall, route, await route.run(memberCall));
}

/**
 * What every call must get past, in this order: address, method, origin, media type and size, session, role, second factor,
 * proof.
 */
async function answerCall(ports: DashboardPorts, routes: readonly Route[], request: IncomingMessage): Promise<Reply> {
  const [path = "", ...query] = (request.url ?? "").split("?");
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
  const reading: BodyReading =
    route.method === "GET" ? { kind: "object", object: {} } : await readJsonObject(request, BODY_LIMIT);
  if (reading.kind !== "object") return refuseBody(reading);
  const rawQuery = readQuery(new URLSearchParams(query.join("?")));
  if (rawQuery === undefined) return refuse("bad_request", { message: "The address names a value twice." });
  const origin = findOwnOrigin(headers, baseUrl);
  const call: OpenCall = {
    ports,
    client: {
      address: ports.visitors.addressOf(request),
      device: describeDevice(headers["user-agent"] ?? ""),
      deviceToken: readDeviceToken(headers.cookie),
    },
    party: partyOf(origin ?? new URL(baseUrlOf(ports, origin, request))),
    baseUrl: baseUrlOf(ports, origin, request),
    rawParams: params,
    rawBody: reading.object,
    rawQuery,
  };
  return runRoute(route, call, request);
}

/** The private endpoints; undefined where the client went away before it could be answered. */
export type DashboardApi = (request: IncomingMessage, context: RequestContext) => Promise<Answer | undefined>;

/** One guard over the whole route table. */
export function createDashboardApi(ports: DashboardPorts, routes: readonly Route[], log: Logger): DashboardApi {
  return async (request, context) => {
    try {
      return toAnswer(await answerCall(ports, routes, request), context);
    } catch (fault) {
      return fault instanceof RequestAborted ? undefined : faultAnswer(fault, context, log);
    }
  };
}
