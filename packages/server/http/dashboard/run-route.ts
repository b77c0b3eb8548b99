import { hasSecondFactor } from "@stile/core/domain/account/member";
import { SESSION_MS } from "@stile/core/domain/account/session";
import type { SignedIn } from "@stile/core/domain/account/signed-in";
import { admitChange } from "@stile/core/services/account/sign-in/sign-in-limits";
import { findRequestedChange } from "@stile/core/use-cases/account/find-requested-change";
import { type Denial, recordDenial } from "@stile/core/use-cases/account/record-denial";
import { findSession } from "@stile/core/use-cases/account/session/find-session";
import type { DashboardErrorCode } from "@stile/protocol/dashboard-api";
import { mayActAs } from "@stile/protocol/roles";
import { type BodyLimit, type BodyRefusal, parseBody } from "../request/body.ts";
import { readQuery } from "../request/query.ts";
import type { DashboardPorts } from "./dashboard-ports.ts";
import { type RouteReply, refuse, refuseLimited } from "./reply.ts";
import type { MemberCall, OpenCall, Route } from "./route.ts";
import type { Turns } from "./turns.ts";

/** The reply to a refused body. */
export function refuseBody(reading: BodyRefusal): RouteReply {
  switch (reading.kind) {
    case "malformed":
    case "too_much":
      return refuse("bad_request", { message: reading.message });
    case "too_large":
      return refuse("payload_too_large", { mustClose: true });
    case "unsupported_media_type":
      return refuse("unsupported_media_type", { mustClose: true });
    default:
      return reading satisfies never;
  }
}

/** Refusals to a signed-in member that their account should know about, from any route. */
const DENIALS: Readonly<Partial<Record<DashboardErrorCode, Denial>>> = {
  not_allowed: "role_denied",
  wrong_credentials: "proof_failed",
  rate_limited: "proof_limited",
};

/** The reply to more reads at once than any page makes. Those waiting are done within seconds. */
const TOO_MANY_READS = refuse("rate_limited", {
  message: "Too many requests at once. Wait for the time given in Retry-After, then try again.",
  headers: { "Retry-After": "1" },
});

/** The form of a change id that the dashboard may send: at least 128 random bits. */
const CHANGE_ID = /^[A-Za-z0-9_-]{22,64}$/;

/** The reply to a repeat that comes long after its change was made. */
const TOO_LATE = refuse("conflict", {
  message:
    "This change was saved more than 30 minutes ago. Reload the page to see it, then make a new change if you need one.",
});

type MemberRoute = Exclude<Route, { role: "anyone" }>;

/** Records a refusal to a member for their account, with the route that the member called. */
function recordRefusal(
  caller: Pick<MemberCall, "ports" | "signedIn">,
  route: MemberRoute,
  reply: RouteReply,
): RouteReply {
  const denial = reply.kind === "refused" ? (reply.denial ?? DENIALS[reply.code]) : undefined;
  if (denial !== undefined)
    recordDenial(caller.ports, caller.signedIn, denial, `${route.method} ${route.path}`);
  return reply;
}

/**
 * Refuses a change if the session or its member has made too many lately. Routes for members who
 * lack a factor have their own limits, and signing out has none.
 */
function refuseFlood(
  { ports, signedIn }: Pick<MemberCall, "ports" | "signedIn">,
  route: MemberRoute,
): RouteReply | undefined {
  if (route.method === "GET" || route.mayLackFactor) return undefined;
  const limit = admitChange(ports, signedIn.session);
  if (limit.isAdmitted) return undefined;
  recordDenial(ports, signedIn, "changes_limited", `${route.method} ${route.path}`);
  return refuseLimited(limit);
}

/** Whether the member lacks the second factor that the account demands. */
async function lacksFactor(ports: DashboardPorts, { member }: SignedIn): Promise<boolean> {
  return !hasSecondFactor(member) && (await ports.members.isSecondFactorDemanded(member.accountId));
}

/** The unread body and query of a call, and its session; a GET has no body. */
type ReceivedCall = {
  readonly bytes: Buffer | undefined;
  readonly url: string;
  readonly sessionToken: string | undefined;
  /** The id that the dashboard gave the change, and sends again with every repeat of it. */
  readonly changeId: string | undefined;
};

/** Parses what was sent into values for the route to validate, or returns why it can't be read. */
function readSent(
  { bytes, url }: ReceivedCall,
  limit: BodyLimit,
): Pick<OpenCall, "rawBody" | "rawQuery"> | RouteReply {
  const rawQuery = readQuery(url);
  if (rawQuery === undefined) {
    return refuse("bad_request", { message: "The query has a repeated value or too many values." });
  }
  if (bytes === undefined) return { rawBody: {}, rawQuery };
  const reading = parseBody(bytes, limit);
  return reading.kind === "object" ? { rawBody: reading.object, rawQuery } : refuseBody(reading);
}

/** The change that the call asks for, if it has an id; or a refusal. */
async function findChange(
  ports: DashboardPorts,
  { session }: SignedIn,
  { method }: MemberRoute,
  { bytes, url, changeId }: ReceivedCall,
): Promise<Pick<SignedIn, "change"> | RouteReply> {
  if (method === "GET" || changeId === undefined) return {};
  if (!CHANGE_ID.test(changeId))
    return refuse("bad_request", {
      message: "The Idempotency-Key must be 22 to 64 characters: letters, digits, - and _.",
    });
  const what = `${method} ${url}\n${bytes?.toString() ?? ""}`;
  const change = await findRequestedChange(ports, { sessionId: session.sessionId, changeId, what });
  return change === "too_late" ? TOO_LATE : { change };
}

type RouteCaller = Omit<OpenCall, "rawBody" | "rawQuery">;

/**
 * Checks the caller's session and role, then does the rest. A read waits for its turn among the
 * member's reads.
 */
export async function runRoute(
  route: Route,
  caller: RouteCaller,
  sent: ReceivedCall,
  turns: Turns,
): Promise<RouteReply> {
  const { ports } = caller;
  if (route.role === "anyone") {
    const read = readSent(sent, route.bodyLimit);
    return "kind" in read ? read : route.run({ ...caller, ...read });
  }
  const { sessionToken } = sent;
  const signedIn = sessionToken === undefined ? undefined : await findSession(ports, sessionToken);
  if (signedIn === undefined) return refuse("not_signed_in");
  if (!mayActAs(signedIn.member.role, route.role)) {
    return recordRefusal({ ports, signedIn }, route, refuse("not_allowed"));
  }
  const run = () => runFor(signedIn, route, caller, sent);
  if (route.method !== "GET") return await run();
  return (await turns(signedIn.member.userId, run)) ?? TOO_MANY_READS;
}

/** Checks the caller's second factor and proof, then the body and query, then runs the route. */
async function runFor(
  signedIn: SignedIn,
  route: MemberRoute,
  caller: RouteCaller,
  sent: ReceivedCall,
): Promise<RouteReply> {
  const { ports } = caller;
  if (!route.mayLackFactor && (await lacksFactor(ports, signedIn)))
    return refuse("second_factor_demanded");
  const isFresh = ports.clock.nowMs() < signedIn.session.provenAtMs + SESSION_MS.fresh;
  if (route.needsProof && !isFresh) return refuse("step_up_needed");
  const read = readSent(sent, route.bodyLimit);
  if ("kind" in read) return read;
  const flood = refuseFlood({ ports, signedIn }, route);
  if (flood !== undefined) return flood;
  const found = await findChange(ports, signedIn, route, sent);
  if ("kind" in found) return found;
  const reply = await route.run({
    ...caller,
    ...read,
    signedIn: { ...signedIn, ...found },
    isProven: isFresh,
  });
  return recordRefusal({ ports, signedIn }, route, reply);
}
