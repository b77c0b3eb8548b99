import type { IncomingMessage } from "node:http";
import type { Verdict } from "@stile/core/domain/token/redeem-answer";
import type { RedeemFields } from "@stile/core/use-cases/token/redeem-token";
import { TURNSTILE_REPEAT_SECONDS } from "@stile/protocol/limits";
import type { ReasonCode } from "@stile/protocol/reason-codes";
import { isoTime } from "../../http/answer/iso-time.ts";
import { keyOf, textOf, type VendorFields } from "./vendor-call.ts";

/**
 * Why a call gets no "yes". `not_allowed`: the token is valid, but the site's thresholds don't let
 * its score pass.
 */
export type VendorRefusal =
  | ReasonCode
  | "missing_secret"
  | "not_allowed"
  | "rate_limited"
  | "bad_request";

/** How one vendor's library calls, and what it reads in the answer. */
export type Dialect = {
  readonly path: string;
  /** Whether a GET may carry the call in its query. */
  readonly takesGet: boolean;
  /** The secret key in the headers; undefined if it is the body's `secret`. */
  readonly secretOf?: (request: IncomingMessage) => string | undefined;
  readonly read: (fields: VendorFields) => RedeemFields;
  /** The body for a token whose score the site lets pass. */
  readonly accept: (verdict: Verdict) => object;
  /** The body of any other call; with the verdict if there is one. */
  readonly refuse: (reason: VendorRefusal, verdict?: Verdict) => object;
};

/**
 * The error codes of reCAPTCHA, which Turnstile and hCaptcha share. For `rate_limited` it is the
 * one after which the libraries let the visitor try again.
 */
const CODES: Readonly<Record<VendorRefusal, string>> = {
  missing_secret: "missing-input-secret",
  invalid_secret: "invalid-input-secret",
  site_disabled: "invalid-input-secret",
  missing_token: "missing-input-response",
  invalid_signature: "invalid-input-response",
  invalid_site_key: "invalid-input-response",
  site_key_mismatch: "invalid-input-response",
  binding_mismatch: "invalid-input-response",
  not_allowed: "invalid-input-response",
  token_expired: "timeout-or-duplicate",
  token_already_used: "timeout-or-duplicate",
  rate_limited: "timeout-or-duplicate",
  bad_request: "bad-request",
  internal_error: "internal-error",
};

const HCAPTCHA_CODES: typeof CODES = {
  ...CODES,
  token_expired: "expired-input-response",
  token_already_used: "already-seen-response",
  rate_limited: "expired-input-response",
  site_key_mismatch: "sitekey-secret-mismatch",
};

const FRIENDLY_CODES: typeof CODES = {
  missing_secret: "auth_required",
  invalid_secret: "auth_invalid",
  site_disabled: "auth_invalid",
  missing_token: "response_missing",
  invalid_signature: "response_invalid",
  invalid_site_key: "response_invalid",
  site_key_mismatch: "sitekey_invalid",
  binding_mismatch: "response_invalid",
  not_allowed: "response_invalid",
  token_expired: "response_timeout",
  token_already_used: "response_duplicate",
  rate_limited: "response_timeout",
  bad_request: "bad_request",
  internal_error: "internal_server_error",
};

/** What Stile adds to every vendor's answer, for the customer's developer. */
function extra(reason: VendorRefusal | undefined, verdict: Verdict | undefined) {
  return {
    stile: {
      ...(reason && { reason_code: reason }),
      ...(verdict && { score: verdict.score, recommendation: verdict.recommendation }),
    },
  };
}

const timeAndPlace = ({ challengeAtMs, hostname }: Verdict) => ({
  challenge_ts: isoTime(challengeAtMs),
  hostname,
});

/** Our score, 0 for a person, in the direction of reCAPTCHA: 1 for a person. */
export function turnRound({ score }: Verdict): number {
  return Math.round((1 - score) * 100) / 100;
}

/**
 * The fields of reCAPTCHA v3. Libraries read an answer as one of v3 if they are there, so an answer
 * has them only if the token has an action, as tokens of v3 do.
 */
const ofV3 = (verdict: Verdict) =>
  verdict.actionName !== undefined && { score: turnRound(verdict), action: verdict.actionName };

const ofTurnstile = ({ actionName = "", cdata = "" }: Verdict) => ({ action: actionName, cdata });

const withErrorCodes =
  (codes: typeof CODES, fieldsOf: (verdict: Verdict) => object | false): Dialect["refuse"] =>
  (reason, verdict) => ({
    success: false,
    ...(verdict && { ...timeAndPlace(verdict), ...fieldsOf(verdict) }),
    "error-codes": [codes[reason]],
    ...extra(reason, verdict),
  });

const withTimeAndPlace =
  (fieldsOf: (verdict: Verdict) => object | false): Dialect["accept"] =>
  (verdict) => ({
    success: true,
    ...timeAndPlace(verdict),
    ...fieldsOf(verdict),
    ...extra(undefined, verdict),
  });

const NONE = (): object => ({});

const readForm = (fields: VendorFields): RedeemFields => ({
  token: textOf(fields.response, fields.token),
  remoteIp: textOf(fields.remoteip, fields.remoteIp, fields.ip),
  userAgent: undefined,
  siteKey: undefined,
  // Only Turnstile's libraries know such keys.
  idempotencyKey: undefined,
});

/** The siteverify calls of four vendors. The values of a call never decide which of them it is. */
export const DIALECTS: readonly Dialect[] = [
  {
    path: "/recaptcha/api/siteverify",
    takesGet: true,
    read: readForm,
    accept: withTimeAndPlace(ofV3),
    refuse: withErrorCodes(CODES, ofV3),
  },
  {
    path: "/siteverify",
    takesGet: false,
    read: (fields) => ({ ...readForm(fields), siteKey: textOf(fields.sitekey) }),
    accept: withTimeAndPlace(NONE),
    refuse: withErrorCodes(HCAPTCHA_CODES, NONE),
  },
  {
    path: "/turnstile/v0/siteverify",
    takesGet: false,
    read: (fields) => ({
      ...readForm(fields),
      idempotencyKey: keyOf(fields.idempotency_key),
      repeatSeconds: TURNSTILE_REPEAT_SECONDS,
    }),
    accept: (verdict) => ({ ...withTimeAndPlace(ofTurnstile)(verdict), "error-codes": [] }),
    refuse: withErrorCodes(CODES, ofTurnstile),
  },
  {
    path: "/api/v2/captcha/siteverify",
    takesGet: false,
    secretOf: ({ headers }) => textOf(headers["x-api-key"]),
    read: (fields) => ({ ...readForm(fields), siteKey: textOf(fields.sitekey) }),
    accept: (verdict) => ({
      success: true,
      data: {
        challenge: { timestamp: isoTime(verdict.challengeAtMs), origin: verdict.hostname },
      },
      ...extra(undefined, verdict),
    }),
    refuse: (reason, verdict) => ({
      success: false,
      error: { error_code: FRIENDLY_CODES[reason], detail: reason },
      ...extra(reason, verdict),
    }),
  },
];
