import type { IncomingMessage } from "node:http";
import type { ScoreFields } from "@stile/core/use-cases/score/request-score";
import { isRiskHeader } from "@stile/protocol/headers";
import { BODY_LIMITS } from "@stile/protocol/limits";
import { scoreRequestSchema } from "@stile/protocol/schemas/requests";
import { ENVELOPE_SEPARATOR } from "@stile/protocol/signals";
import { type BodyRefusal, parseBody, receiveBody, refuseField } from "../../request/body.ts";
import { firstGiven, isBlank } from "../../request/optional-text.ts";
import { hostOfOrigin } from "../../request/origin.ts";
import { readSignals } from "../../request/signals.ts";

/**
 * Parts of an envelope. Splitting stops after one more, because a text may consist of separators
 * only.
 */
const PARTS = 3;

/** Whether nothing was collected: an empty text, list or object. */
function isEmptyCollection(envelope: unknown): boolean {
  return (
    isBlank(envelope) || (typeof envelope === "object" && Object.keys(envelope ?? {}).length === 0)
  );
}

/**
 * Splits the envelope of `stile.collect()` into its three parts (D7, score request). A value that
 * is not a text is unreadable.
 */
function readEnvelope(envelope: unknown): ScoreFields["signals"] {
  if (envelope === null || envelope === undefined || isEmptyCollection(envelope)) return undefined;
  if (typeof envelope !== "string") return "unreadable";
  const [challenge, environment, behaviour, more] = envelope.split(ENVELOPE_SEPARATOR, PARTS + 1);
  if (challenge === undefined || behaviour === undefined || more !== undefined) return "unreadable";
  return { challenge, observe: () => readSignals(environment, behaviour).observe() };
}

/**
 * Keeps only the headers that the risk model may see, and drops the others unread (D7, score
 * request).
 */
function readHeaders(headers: unknown): Record<string, string> {
  const read: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers ?? {})) {
    const lowerCase = name.toLowerCase();
    if (!isRiskHeader(lowerCase)) continue;
    // Some frameworks pass every header as a list of values.
    const text =
      Array.isArray(value) && value.every((one) => typeof one === "string")
        ? value.join(", ")
        : value;
    if (typeof text === "string") read[lowerCase] = text;
  }
  return read;
}

const URL_ORIGIN = /^(https?:\/\/[^/?#\\]+)/i;

/**
 * The host of the page's URL; its path and query are not read (D7, score request). Undefined if it
 * is not a web address.
 */
function hostOfUrl(url: string | null | undefined): string | undefined {
  const origin = URL_ORIGIN.exec(url ?? "")?.[1];
  return origin === undefined ? undefined : hostOfOrigin(origin.toLowerCase());
}

/**
 * Replaces a body that is too large or contains too much. No honest visitor causes that, but
 * anybody who fills in a form can. It counts as withheld signals and an invalid token.
 */
const unreadable = (requestId: string): ScoreFields => ({
  requestId,
  signals: "unreadable",
  remoteIp: undefined,
  userAgent: undefined,
  headers: {},
  actionName: undefined,
  host: undefined,
  token: "",
});

/** Says that the body was not read, and why. */
type Unread = { readonly kind: "unread"; readonly refusal: BodyRefusal };

/** Receives and reads the fields to score (D7, score request). Rejects with RequestAborted. */
export async function readScoreFields(
  request: IncomingMessage,
  requestId: string,
): Promise<ScoreFields | Unread> {
  const body = await receiveBody(request, BODY_LIMITS.score);
  if (body.kind === "too_large") return unreadable(requestId);
  if (body.kind !== "received") return { kind: "unread", refusal: body };
  const reading = parseBody(body.bytes, BODY_LIMITS.score);
  if (reading.kind === "too_much") return unreadable(requestId);
  if (reading.kind !== "object") return { kind: "unread", refusal: reading };
  const parsed = scoreRequestSchema.safeParse(reading.object);
  if (!parsed.success)
    return { kind: "unread", refusal: refuseField(parsed.error.issues[0]?.path, "/api/v1/score") };
  const { data } = parsed;
  const token = typeof data.token === "string" ? data.token.trim() : data.token;
  const hasToken = token !== undefined && token !== null && token !== "";
  return {
    requestId,
    signals: readEnvelope(data.signals),
    remoteIp: firstGiven(data.ip),
    userAgent: firstGiven(data.user_agent),
    headers: readHeaders(data.headers),
    // A token that is not a text is as invalid as a forged one.
    actionName: firstGiven(data.action),
    host: hostOfUrl(data.url),
    token: hasToken ? (typeof token === "string" ? token : "") : undefined,
  };
}
