import type { IncomingMessage } from "node:http";
import type { Submission } from "@stile/core/services/challenge/check-work";
import { decodeBase64url } from "@stile/pow/base64url";
import { BODY_LIMITS, TEXT_LIMITS } from "@stile/protocol/limits";
import { verifyRequestSchema } from "@stile/protocol/schemas/requests";
import { type BodyRefusal, parseBody, receiveBody, refuseField } from "../../request/body.ts";
import { hostOfOrigin } from "../../request/origin.ts";
import { readSignals } from "../../request/signals.ts";

/** The submission, or why it can't be read (D9, submission; D11, errors). */
export type VerifyReading =
  | { readonly kind: "submission"; readonly submission: Omit<Submission, "requestId" | "visitor"> }
  | BodyRefusal;

/** Receives and reads a solution with its signals. Rejects with RequestAborted. */
export async function readVerifyRequest(request: IncomingMessage): Promise<VerifyReading> {
  const body = await receiveBody(request, BODY_LIMITS.verify);
  if (body.kind !== "received") return body;
  const reading = parseBody(body.bytes, BODY_LIMITS.verify);
  if (reading.kind !== "object") return reading;
  const parsed = verifyRequestSchema.safeParse(reading.object);
  const cdata = parsed.data?.cdata ?? undefined;
  if (!parsed.success || (cdata !== undefined && Buffer.byteLength(cdata) > TEXT_LIMITS.cdata)) {
    return refuseField(parsed.success ? ["cdata"] : parsed.error.issues[0]?.path, "/api/v1/verify");
  }
  const { data } = parsed;
  const { origin } = request.headers;
  const submission = {
    siteKey: data.site_key,
    host: origin === undefined ? undefined : hostOfOrigin(origin),
    challenge: data.challenge,
    solutionBytes: decodeBase64url(data.solution) ?? new Uint8Array(0),
    ...readSignals(data.signals?.environment, data.signals?.behaviour),
    batch: data.signals?.batch ?? undefined,
    earlier: data.signals?.earlier ?? undefined,
    actionName: data.action ?? undefined,
    cdata,
  };
  return { kind: "submission", submission };
}
