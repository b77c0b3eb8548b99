import type { RedeemReading } from "@stile/core/use-cases/token/redeem-token";
import { BODY_LIMITS } from "@stile/protocol/limits";
import { tokenVerifyRequestSchema } from "@stile/protocol/schemas/requests";
import { parseBody, type ReceivedBody, refuseField } from "../../../request/body.ts";
import { firstGiven, isBlank } from "../../../request/optional-text.ts";
import type { CallShape } from "./token-verify-answer.ts";

/** Callers may trim the token in one field and not in the other. */
const withoutBlanks = (value: unknown): unknown =>
  typeof value === "string" ? value.trim() : value;

/**
 * Reads a redemption from the body of an authenticated caller, or says why it can't be read (D2,
 * redemption). `hasForeignField`: whether a name that only siteverify-style calls use is at its top
 * level. Deeper names, and bodies too large to read, come from a visitor's form field, which must
 * not break the call (D1, status and body).
 */
export function readRedemption(bytes: Buffer): {
  readonly reading: RedeemReading;
  readonly hasForeignField: boolean;
} {
  const reading = parseBody(bytes, BODY_LIMITS.tokenVerify);
  if (reading.kind !== "object") return { reading, hasForeignField: reading.kind === "malformed" };
  const { object } = reading;
  const hasForeignField = Object.hasOwn(object, "secret") || Object.hasOwn(object, "response");
  return { reading: readFields(object), hasForeignField };
}

function readFields(object: Readonly<Record<string, unknown>>): RedeemReading {
  // A key that equals the token identifies no call. It is ignored even if it is too long for a key,
  // or not a text (D2, redemption).
  const { idempotency_key: key, vendor_verdict: verdict, ...others } = object;
  const isToken = withoutBlanks(key) === withoutBlanks(object.token);
  const isIgnored = isToken || typeof object.token === "object" || isBlank(key);
  const parsed = tokenVerifyRequestSchema.safeParse({
    ...others,
    idempotency_key: isIgnored ? undefined : key,
    vendor_verdict: isBlank(verdict) ? undefined : verdict,
  });
  if (!parsed.success) return refuseField(parsed.error.issues[0]?.path, "/api/v1/token/verify");
  const { data } = parsed;
  const token = typeof data.token === "string" ? data.token.trim() : "";
  return {
    kind: "fields",
    fields: {
      token: token === "" ? undefined : token,
      remoteIp: firstGiven(data.remoteip, data.ip, data.clientIP, data.client_ip),
      userAgent: firstGiven(data.user_agent, data.userAgent),
      siteKey: firstGiven(data.site_key, data.siteKey),
      idempotencyKey: data.idempotency_key ?? undefined,
      vendorVerdict: data.vendor_verdict ?? undefined,
    },
  };
}

/**
 * A field name that only siteverify-style calls use. It can't be inside a text, where its quotes
 * would be escaped.
 */
const FOREIGN_FIELD = /"(?:secret|response)"\s*:/;

function hasForeignName(bytes: Buffer): boolean {
  if (!bytes.includes("secret") && !bytes.includes("response")) return false;
  return FOREIGN_FIELD.test(bytes.toString("latin1"));
}

/**
 * How the call was made. It does not parse the body, because callers without a secret key get this
 * answer too (D2, redemption).
 */
export function shapeOf(bearer: string | undefined, body: ReceivedBody): CallShape {
  const isForm = body.kind === "unsupported_media_type" && body.isForm;
  const hasForeignField = body.kind === "received" && hasForeignName(body.bytes);
  return { hasBearer: bearer !== undefined, isSiteverify: isForm || hasForeignField };
}
