import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";
import { BODY_LIMITS, TEXT_LIMITS } from "@stile/protocol/limits";
import { parseBody, readBytes } from "../../http/request/body.ts";
import { firstGiven } from "../../http/request/optional-text.ts";
import { readPairs, readQuery } from "../../http/request/query.ts";

/** The fields of a call by name, not yet validated. */
export type VendorFields = Readonly<Record<string, unknown>>;

/** A call's fields, or why they can't be read. Visitors can cause each of these refusals. */
export type VendorReading =
  | { readonly kind: "fields"; readonly fields: VendorFields }
  | { readonly kind: "too_large" }
  | { readonly kind: "malformed" };

const MALFORMED = { kind: "malformed" } as const;
/** The most parts of a multipart body. */
const MOST_PARTS = 32;

/** The fields of a multipart body; undefined if it is malformed, or has a name twice. */
async function readParts(bytes: Buffer, type: string): Promise<VendorFields | undefined> {
  try {
    const headers = { "Content-Type": type };
    const parts = [...(await new Response(new Uint8Array(bytes), { headers }).formData())];
    const fields = new Map<string, unknown>(parts);
    const isClear = parts.length <= MOST_PARTS && fields.size === parts.length;
    return isClear ? Object.fromEntries(fields) : undefined;
  } catch {
    return undefined;
  }
}

/** The fields of a received body: JSON, multipart, or a form, which is also the default. */
async function readFields(bytes: Buffer, type: string): Promise<VendorFields | undefined> {
  if (/^application\/json\b/i.test(type)) {
    const reading = parseBody(bytes, BODY_LIMITS.tokenVerify);
    return reading.kind === "object" ? reading.object : undefined;
  }
  if (/^multipart\/form-data\b/i.test(type)) return await readParts(bytes, type);
  const isForm = type === "" || /^application\/x-www-form-urlencoded\b/i.test(type);
  return isForm && isUtf8(bytes) ? readPairs(bytes.toString("utf8")) : undefined;
}

/**
 * Reads the fields of a GET's query or a POST's body. A name that comes twice makes the call
 * unreadable: a server that joins its call from texts would let a visitor replace its secret.
 * Rejects with RequestAborted or BodyGaveWay.
 */
export async function readVendorCall(request: IncomingMessage): Promise<VendorReading> {
  const { headers, method, url = "" } = request;
  if (method === "GET") {
    const fields = readQuery(url);
    return fields === undefined ? MALFORMED : { kind: "fields", fields };
  }
  // A compressed body is refused because its size says nothing.
  if ((headers["content-encoding"] ?? "identity") !== "identity") return MALFORMED;
  const limit = BODY_LIMITS.tokenVerify.bytes;
  if (Number(headers["content-length"] ?? 0) > limit) return { kind: "too_large" };
  const bytes = await readBytes(request, limit);
  if (bytes === "too_large") return { kind: "too_large" };
  const fields = await readFields(bytes, headers["content-type"] ?? "");
  return fields === undefined ? MALFORMED : { kind: "fields", fields };
}

/** The first of these values that is a text with content, without blanks around it. */
export function textOf(...values: readonly unknown[]): string | undefined {
  return firstGiven(...values.map((one) => (typeof one === "string" ? one.trim() : undefined)));
}

/** The text as an idempotency key; undefined if it can't be one, so that the call is no repeat. */
export function keyOf(value: unknown): string | undefined {
  const text = textOf(value);
  const { idempotencyKeyMin: least, idempotencyKeyMax: most } = TEXT_LIMITS;
  return text !== undefined && text.length >= least && text.length <= most ? text : undefined;
}
