import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";
import { TEXT_LIMITS } from "@stile/protocol/limits";
import { type BodyLimit, parseBody, readBytes } from "../../http/request/body.ts";
import { firstGiven } from "../../http/request/optional-text.ts";
import { readPairs, readQuery } from "../../http/request/query.ts";

/** The fields of a call by name, not yet validated. */
export type VendorFields = Readonly<Record<string, unknown>>;

/**
 * A call that has arrived. `read` returns its fields, or undefined if they can't be read; a visitor
 * can cause that, and can make a call too large.
 */
export type VendorCall =
  | { readonly kind: "received"; readonly read: () => VendorFields | undefined }
  | { readonly kind: "too_large" };

/**
 * The bounds of a call whose secret key is in the body. It is read before its sender is known, so
 * it may be no larger than a call with a token needs.
 */
export const OPEN_LIMIT: BodyLimit = { bytes: 6144, marks: 256 };

/** Up to this many bytes, the rest of a call that is too large is read for anybody. */
const SHORT_REST = 65_536;

/** The most parts of a multipart body, and the most characters of the headers of one. */
const PARTS = { most: 32, head: 512 } as const;

const BOUNDARY = /;\s*boundary=(?:"([^"]+)"|([^\s;"]+))/i;
const NAME = /^content-disposition:[^\r\n]*\bname="([^"\r\n]*)"/im;

/** The fields of a multipart body; undefined if it is malformed, or has a name twice. */
function readParts(text: string, type: string): VendorFields | undefined {
  const [, quoted, boundary = quoted] = BOUNDARY.exec(type) ?? [];
  if (boundary === undefined) return undefined;
  const [, ...parts] = `\r\n${text}`.split(`\r\n--${boundary}`, PARTS.most + 2);
  // With too many parts, the last of these is not the end.
  if (!parts.pop()?.startsWith("--")) return undefined;
  const fields = new Map<string, string>();
  for (const part of parts) {
    const end = part.indexOf("\r\n\r\n");
    const name = end > PARTS.head ? undefined : NAME.exec(part.slice(0, end))?.[1];
    if (end < 0 || name === undefined || fields.has(name)) return undefined;
    fields.set(name, part.slice(end + 4));
  }
  return Object.fromEntries(fields);
}

/** The fields of a received body: JSON, multipart, or a form, which is also the default. */
function readFields(bytes: Buffer, type: string, limit: BodyLimit): VendorFields | undefined {
  if (/^application\/json\b/i.test(type)) {
    const reading = parseBody(bytes, limit);
    return reading.kind === "object" ? reading.object : undefined;
  }
  if (!isUtf8(bytes)) return undefined;
  const text = bytes.toString("utf8");
  if (/^multipart\/form-data\b/i.test(type)) return readParts(text, type);
  const isForm = type === "" || /^application\/x-www-form-urlencoded\b/i.test(type);
  // Like those of JSON, a form's escapes cost a lot to decode, and a token has none.
  const isPlain = text.split("%", limit.marks + 2).length <= limit.marks + 1;
  return isForm && isPlain ? readPairs(text) : undefined;
}

/**
 * Receives a GET's query or a POST's body. A name that comes twice makes the call unreadable: a
 * server that joins its call from texts would let a visitor replace its secret. Rejects with
 * RequestAborted or BodyGaveWay.
 */
export async function receiveVendorCall(
  request: IncomingMessage,
  limit: BodyLimit,
): Promise<VendorCall> {
  const { headers, method, url = "" } = request;
  if (method === "GET") return { kind: "received", read: () => readQuery(url) };
  // A compressed body is refused because its size says nothing.
  if ((headers["content-encoding"] ?? "identity") !== "identity")
    return { kind: "received", read: () => undefined };
  if (Number(headers["content-length"] ?? 0) > limit.bytes) return { kind: "too_large" };
  const bytes = await readBytes(request, limit.bytes);
  if (bytes === "too_large") return { kind: "too_large" };
  return { kind: "received", read: () => readFields(bytes, headers["content-type"] ?? "", limit) };
}

/**
 * How to close after a call that is too large. The rest is read if the secret key is right, or if
 * it is short: a library that misses the answer may let the visitor in.
 */
export function closeAfter({ headers }: IncomingMessage, isKnown: boolean): true | "reading" {
  const isShort = Number(headers["content-length"] ?? Number.POSITIVE_INFINITY) <= SHORT_REST;
  return isKnown || isShort ? "reading" : true;
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
