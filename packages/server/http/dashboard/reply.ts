import type { LimitState } from "@stile/core/domain/rate-window";
import type { Denial } from "@stile/core/use-cases/account/record-denial";
import {
  DASHBOARD_ERROR_CODES,
  type DashboardErrorCode,
  type FieldProblem,
} from "@stile/protocol/dashboard-api";
import type { Answer, RequestContext } from "../answer/answer.ts";
import { retryAfter } from "../answer/limit-headers.ts";
import { signedInCookies, signedOutCookies } from "./account/session-cookie.ts";

type HeaderFields = Readonly<Record<string, string>>;

/**
 * The reply of a dashboard route: data, with the start or end of a session if there is one, or a
 * refusal.
 */
export type RouteReply =
  | {
      readonly kind: "data";
      readonly data: unknown;
      /**
       * Tokens of a new session, for cookies only. Null ends the session, but the browser stays
       * known.
       */
      readonly signedIn?: { readonly token: string; readonly deviceToken: string } | null;
    }
  | ({ readonly kind: "refused"; readonly code: DashboardErrorCode } & RefusalDetail);

/** The parts of a refusal in addition to its code. */
export type RefusalDetail = {
  readonly message?: string;
  readonly problems?: readonly FieldProblem[];
  readonly headers?: HeaderFields;
  readonly mustClose?: boolean;
  /** The event to record for the account, if it does not follow from the code. */
  readonly denial?: Denial;
};

/** A reply with data. */
export function ok(data: unknown = {}): RouteReply {
  return { kind: "data", data };
}

/** A refusal. Without a message, it has the sentence of its code. */
export function refuse(code: DashboardErrorCode, detail: RefusalDetail = {}): RouteReply {
  return { kind: "refused", code, ...detail };
}

/** Another member of this service uses this email. */
export const EMAIL_TAKEN: RefusalDetail = {
  message: "Another member has this email address.",
  problems: [{ field: "email", message: "Another member has this email address." }],
};

/** The current password, which should prove the caller's identity, is wrong. */
export const WRONG_CURRENT_PASSWORD = refuse("wrong_credentials", {
  problems: [{ field: "currentPassword", message: "That is not your current password." }],
});

/** Too many attempts; Retry-After says when the next one is accepted. */
export function refuseLimited(limit: LimitState, detail: RefusalDetail = {}): RouteReply {
  return refuse("rate_limited", { ...detail, headers: retryAfter(limit) });
}

/** Too many attempts of this session, which may continue in a minute at the latest. */
export const LIMITED = refuse("rate_limited", { headers: { "Retry-After": "60" } });

function cookiesOf(
  signedIn: Extract<RouteReply, { kind: "data" }>["signedIn"],
  isPlain: boolean,
): readonly string[] {
  if (signedIn === undefined) return [];
  return signedIn === null ? signedOutCookies(isPlain) : signedInCookies(signedIn, isPlain);
}

/**
 * The reply in the form that the listener writes. `isPlain`: whether the cookies of its origin
 * can't be `Secure`.
 */
export function toAnswer(reply: RouteReply, context: RequestContext, isPlain: boolean): Answer {
  if (reply.kind === "data") {
    const { data, signedIn } = reply;
    return { status: 200, body: { success: true, data }, cookies: cookiesOf(signedIn, isPlain) };
  }
  const { code, message, problems, headers, mustClose } = reply;
  const { status, meaning } = DASHBOARD_ERROR_CODES[code];
  const error = {
    code,
    message: message ?? meaning,
    request_id: context.requestId,
    ...(problems && problems.length > 0 && { problems }),
  };
  return {
    status,
    body: { success: false, data: {}, error },
    ...(headers && { headers }),
    ...(mustClose && { mustClose }),
  };
}
