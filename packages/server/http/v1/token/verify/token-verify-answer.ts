import type {
  RedeemAnswer,
  RedemptionRefusal,
  Verdict,
} from "@stile/core/domain/token/redeem-answer";
import type { ApiErrorCode } from "@stile/protocol/api-error-codes";
import { REASON_CODES, type ReasonCode } from "@stile/protocol/reason-codes";
import type { VerifyErrorCode } from "@stile/protocol/verify-error-codes";
import { type Answer, errorObject, type RequestContext } from "../../../answer/answer.ts";
import { isoTime } from "../../../answer/iso-time.ts";
import { limitHeaders, retryAfter } from "../../../answer/limit-headers.ts";
import { BEARER, SAID } from "../../bearer.ts";

/** The properties of a call that decide the shape of its answer (D2, redemption). */
export type CallShape = {
  readonly hasBearer: boolean;
  /**
   * Whether the call is in the siteverify style of other services. Their libraries take `success`
   * for "human" (D1, status and body).
   */
  readonly isSiteverify: boolean;
};

function passed(verdict: Verdict) {
  return {
    verified: true,
    score: verdict.score,
    recommendation: verdict.recommendation,
    hostname: verdict.hostname,
    timestamp: isoTime(verdict.verifiedAtMs),
    challenge_ts: isoTime(verdict.challengeAtMs),
    ...(verdict.actionName !== undefined && { action: verdict.actionName }),
    ...(verdict.cdata !== undefined && { cdata: verdict.cdata }),
    ...(verdict.isScriptless && { no_script: true }),
  };
}

function refused(shape: CallShape, { reasonCode, score, reserved }: RedemptionRefusal) {
  const errorCodes: readonly VerifyErrorCode[] = REASON_CODES[reasonCode].errorCodes;
  return {
    success: !shape.isSiteverify,
    data: {
      verified: false,
      score,
      error_codes: errorCodes,
      reasonCode,
      ...(reserved && { response: reserved }),
    },
    reasonCode,
  };
}

/**
 * An answer with another status than 200: verified false, score 1, and the way to fix the call (D2,
 * redemption; D11, errors).
 */
function failed(
  context: RequestContext,
  answer: {
    status: number;
    success: boolean;
    code: ApiErrorCode;
    errorCodes: readonly VerifyErrorCode[];
    reasonCode?: ReasonCode;
    message?: string;
    headers?: Record<string, string>;
    mustClose?: boolean;
  },
): Answer {
  const { status, success, code, errorCodes, reasonCode, message, headers, mustClose } = answer;
  const reason = reasonCode === undefined ? {} : { reasonCode };
  const body = {
    success,
    data: { verified: false, score: 1, error_codes: errorCodes, ...reason },
    ...reason,
    error: errorObject(code, context, message),
  };
  return { status, body, ...(headers && { headers }), ...(mustClose && { mustClose }) };
}

/** The answers 405, 415 and 400 of POST /api/v1/token/verify (D2, redemption). */
export function badCall(
  context: RequestContext,
  shape: CallShape,
  cause: {
    status: number;
    code: ApiErrorCode;
    message: string;
    headers?: Record<string, string>;
    mustClose?: boolean;
  },
): Answer {
  return failed(context, {
    ...cause,
    success: shape.hasBearer && !shape.isSiteverify,
    errorCodes: ["bad-request"],
  });
}

/** A fault of the service: the usual status, in the shape of D2 (D15, outage). */
export function faultOfTokenVerify(fault: Answer, shape: CallShape): Answer {
  const { error } = fault.body as { error: unknown };
  const reasonCode: ReasonCode = "internal_error";
  const data = { verified: false, score: 1, error_codes: [], reasonCode };
  return {
    ...fault,
    body: { success: shape.hasBearer && !shape.isSiteverify, data, reasonCode, error },
  };
}

/** Writes the use case's result as an answer (D2, redemption). */
export function toTokenVerifyAnswer(
  answer: RedeemAnswer,
  shape: CallShape,
  context: RequestContext,
): Answer {
  switch (answer.kind) {
    case "verified": {
      const headers = answer.limit && limitHeaders("verify", answer.limit);
      return {
        status: 200,
        body: { success: true, data: passed(answer.verdict) },
        ...(headers && { headers }),
      };
    }
    case "refused":
      return {
        status: 200,
        body: refused(shape, answer),
        headers: limitHeaders("verify", answer.limit),
      };
    case "missing_secret":
      return failed(context, {
        status: 401,
        success: !shape.isSiteverify,
        code: "missing_secret",
        errorCodes: ["missing-input-secret"],
        reasonCode: "invalid_secret",
        message: SAID.missingSecret,
        headers: BEARER.missing,
      });
    case "invalid_secret":
      return failed(context, {
        status: 401,
        success: !shape.isSiteverify,
        code: "invalid_secret",
        errorCodes: ["invalid-input-secret"],
        reasonCode: "invalid_secret",
        headers: BEARER.invalid,
      });
    case "too_large":
      return badCall(context, shape, {
        status: 413,
        code: "payload_too_large",
        message: "The body is larger than 16 KiB.",
        mustClose: true,
      });
    case "malformed":
      return badCall(context, shape, { status: 400, code: "bad_request", message: answer.message });
    case "caller_limited":
      return failed(context, {
        status: 429,
        success: false,
        code: "rate_limited",
        errorCodes: [],
        message: SAID.wrongSecrets,
        headers: retryAfter(answer.limit),
      });
    case "limited":
      return failed(context, {
        status: 429,
        success: false,
        code: "rate_limited",
        errorCodes: [],
        message:
          "Over the limit of verifications a minute. Try again after the time in Retry-After.",
        headers: { ...limitHeaders("verify", answer.limit), ...retryAfter(answer.limit) },
      });
    default:
      return answer satisfies never;
  }
}
