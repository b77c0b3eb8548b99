import type { IncomingMessage } from "node:http";
import type { RedeemAnswer } from "@stile/core/domain/token/redeem-answer";
import { BODY_LIMITS } from "@stile/protocol/limits";
import { type Answer, notFound, type RequestContext } from "../../http/answer/answer.ts";
import { limitHeaders, retryAfter } from "../../http/answer/limit-headers.ts";
import type { HttpRoute } from "../../http/http-route.ts";
import type { ApiPorts } from "../../http/v1/api-ports.ts";
import type { RouteSet } from "../../sockets/route-set.ts";
import { DIALECTS, type Dialect } from "./dialects.ts";
import { enterpriseRoute } from "./enterprise-route.ts";
import { hasRightKey, redeemForVendor } from "./redeem-for-vendor.ts";
import {
  closeAfter,
  OPEN_LIMIT,
  receiveVendorCall,
  textOf,
  type VendorCall,
} from "./vendor-call.ts";

/**
 * Says the answer in the dialect. Everything that a visitor can cause has status 200, since some
 * libraries let the visitor in, and others throw, at any other. That includes a site over its limit.
 */
function toVendorAnswer({ accept, refuse }: Dialect, answer: RedeemAnswer): Answer {
  switch (answer.kind) {
    case "verified": {
      const { verdict, limit } = answer;
      const headers = limit && limitHeaders("verify", limit);
      // The libraries read nothing but `success`. Only the site's thresholds decide: a visitor could
      // add an action to get the answer of reCAPTCHA v3, whose caller compares the score.
      const body =
        verdict.recommendation === "allow" ? accept(verdict) : refuse("not_allowed", verdict);
      return { status: 200, body, ...(headers && { headers }) };
    }
    case "refused":
      return {
        status: 200,
        body: refuse(answer.reasonCode),
        headers: limitHeaders("verify", answer.limit),
      };
    case "limited":
      return {
        status: 200,
        body: refuse("rate_limited"),
        headers: { ...limitHeaders("verify", answer.limit), ...retryAfter(answer.limit) },
      };
    case "caller_limited":
      return { status: 429, body: refuse("invalid_secret"), headers: retryAfter(answer.limit) };
    case "missing_secret":
    case "invalid_secret":
      return { status: 200, body: refuse(answer.kind) };
    case "too_large":
    case "malformed":
      return { status: 200, body: refuse("bad_request") };
    default:
      return answer satisfies never;
  }
}

async function siteverify(
  ports: ApiPorts,
  dialect: Dialect,
  request: IncomingMessage,
  context: RequestContext,
): Promise<Answer> {
  const { secretOf, read: toFields, refuse } = dialect;
  const isRight = request.method === "POST" || (dialect.takesGet && request.method === "GET");
  if (!isRight) return notFound(context);
  const call = await receiveVendorCall(request, secretOf ? BODY_LIMITS.tokenVerify : OPEN_LIMIT);
  if (secretOf) {
    const redemption = { secretKey: secretOf(request), call, toFields };
    const outcome = await redeemForVendor(ports, request, redemption);
    const answer = toVendorAnswer(dialect, outcome);
    return call.kind === "too_large"
      ? { ...answer, mustClose: closeAfter(request, hasRightKey(outcome)) }
      : answer;
  }
  if (call.kind === "too_large") {
    const mustClose = closeAfter(request, false);
    return { status: 200, body: refuse("invalid_signature"), mustClose };
  }
  const fields = call.read();
  if (fields === undefined) return { status: 200, body: refuse("bad_request") };
  const known: VendorCall = { kind: "received", read: () => fields };
  const redemption = { secretKey: textOf(fields.secret), call: known, toFields };
  return toVendorAnswer(dialect, await redeemForVendor(ports, request, redemption));
}

/** The addresses of other vendors, for libraries that can be pointed at another host. */
export const vendorRoutes: RouteSet = ({ api }) => [
  ...DIALECTS.map(
    (dialect): HttpRoute => ({
      path: dialect.path,
      method: "ALL",
      handle: (request, context) => siteverify(api, dialect, request, context),
      shapeFault: (fault) => ({ ...fault, body: dialect.refuse("internal_error") }),
    }),
  ),
  enterpriseRoute(api),
];
