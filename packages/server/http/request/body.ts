import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";
import { readJson } from "./json-guard.ts";
import { endUnfinished, growUnfinished } from "./unfinished-bodies.ts";

/** Bounds of a body: its bytes, and the number of characters outside of its texts (D11, errors). */
export type BodyLimit = { readonly bytes: number; readonly marks: number };

/** A size or media type that is not accepted. */
export type HeadRefusal =
  | { readonly kind: "too_large" }
  | { readonly kind: "unsupported_media_type"; readonly isForm: boolean };

/** The bytes of a body whose media type and size are accepted, or why it was not received. */
export type ReceivedBody = { readonly kind: "received"; readonly bytes: Buffer } | HeadRefusal;

/** A received body as an object, not yet validated. The JSON guard explains `too_much`. */
export type BodyReading =
  | { readonly kind: "object"; readonly object: Readonly<Record<string, unknown>> }
  | { readonly kind: "malformed" | "too_much"; readonly message: string };

/** Why a body was not accepted (D11, errors). */
export type BodyRefusal = HeadRefusal | Exclude<BodyReading, { kind: "object" }>;

/** The client went away before its body was complete, so nobody waits for an answer. */
export class RequestAborted extends Error {
  override readonly name = "RequestAborted";
}

/**
 * Too many bodies were incomplete, and this was the oldest of them. The request may be sent again.
 */
export class BodyGaveWay extends Error {
  override readonly name = "BodyGaveWay";
}

const JSON_TYPE = /^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i;
const FORM_TYPE = /^(application\/x-www-form-urlencoded|multipart\/form-data)\b/i;

/**
 * How many pieces a body may come in: `free`, plus one for every `bytesEach` bytes, since networks
 * and proxies send pieces of that size. A piece of one byte costs as much as one of a thousand.
 */
const PIECES = { free: 24, bytesEach: 2048 } as const;

/**
 * Reads the bytes of a body of any media type; `too_large` as soon as there are more than `limit`,
 * or too many pieces. Rejects with RequestAborted or BodyGaveWay.
 */
export function readBytes(request: IncomingMessage, limit: number): Promise<Buffer | "too_large"> {
  return new Promise((resolve, reject) => {
    // Dropped once it is settled. The listeners live until the request is answered, and would keep
    // the body that long.
    let waiting: { readonly resolve: typeof resolve; readonly reject: typeof reject } | undefined =
      { resolve, reject };
    let pieces: Buffer[] = [];
    let size = 0;
    const announced = Number(request.headers["content-length"] ?? Number.POSITIVE_INFINITY);
    const letGo = (): void => {
      waiting = undefined;
      pieces = [];
      endUnfinished(giveWay);
    };
    const settle = (bytes: Buffer | "too_large"): void => {
      waiting?.resolve(bytes);
      letGo();
    };
    const abort = (cause?: Error): void => {
      waiting?.reject(new RequestAborted("the client closed the connection", { cause }));
      letGo();
    };
    const giveWay = (): void => {
      request.off("data", take);
      waiting?.reject(new BodyGaveWay("too many request bodies are incomplete"));
      letGo();
    };
    const take = (piece: Buffer): void => {
      pieces.push(piece);
      size += piece.length;
      if (size > limit || pieces.length > PIECES.free + size / PIECES.bytesEach) {
        request.off("data", take);
        settle("too_large");
      } else if (size < announced) growUnfinished(giveWay, piece.length);
    };
    request.on("data", take);
    request.on("end", () => {
      const [first] = pieces;
      settle(first !== undefined && pieces.length === 1 ? first : Buffer.concat(pieces));
    });
    request.on("error", abort);
    request.on("close", () => {
      if (!request.complete) abort();
    });
    if (request.destroyed) abort();
  });
}

/**
 * Why a body is not even received, judging by the request's headers: first its size, then its media
 * type (D2, redemption).
 */
export function refuseByHead(request: IncomingMessage, limit: BodyLimit): HeadRefusal | undefined {
  const type = request.headers["content-type"] ?? "";
  const encoding = request.headers["content-encoding"];
  // A compressed body is refused because its size says nothing.
  const isPlain = encoding === undefined || encoding === "identity";
  if (Number(request.headers["content-length"] ?? 0) > limit.bytes) return { kind: "too_large" };
  if (JSON_TYPE.test(type) && isPlain) return undefined;
  return { kind: "unsupported_media_type", isForm: FORM_TYPE.test(type) };
}

/**
 * Receives a JSON body without parsing it, so that its sender can be authenticated first (D2,
 * redemption).
 */
export async function receiveBody(
  request: IncomingMessage,
  limit: BodyLimit,
): Promise<ReceivedBody> {
  const refusal = refuseByHead(request, limit);
  if (refusal !== undefined) return refusal;
  const bytes = await readBytes(request, limit.bytes);
  return bytes === "too_large" ? { kind: "too_large" } : { kind: "received", bytes };
}

/**
 * A connection is kept to skip an unread body of up to this many bytes. For a longer one, closing
 * it costs less.
 */
const KEPT_REST = 16_384;

/**
 * Whether the connection must be closed because of the unread part of the body. If some was read,
 * nobody skips the rest. If none was read, the body may be too long or of unknown length.
 */
export function isLeftUnread(request: IncomingMessage): boolean {
  if (request.readableDidRead) return !request.complete;
  const isShort =
    request.headers["transfer-encoding"] === undefined &&
    Number(request.headers["content-length"] ?? 0) <= KEPT_REST;
  return !isShort && !request.readableEnded;
}

/** Names the field that a schema refused, by its path, for the caller's developer. */
export function refuseField(path: readonly PropertyKey[] | undefined, endpoint: string) {
  const message = `The field ${path?.join(".")} is not what this endpoint takes; see the reference of POST ${endpoint}.`;
  return { kind: "malformed", message } as const;
}

/**
 * Parses a received body into a JSON object: encoding first, then depth, keys and their number
 * (D11, errors).
 */
export function parseBody(bytes: Buffer, limit: BodyLimit): BodyReading {
  if (!isUtf8(bytes)) return { kind: "malformed", message: "The body is not UTF-8." };
  const reading = readJson(bytes.toString("utf8"), limit.marks);
  if (reading.kind === "too_much") return reading;
  if (reading.kind === "refused") return { kind: "malformed", message: reading.message };
  const { value } = reading;
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  if (!isObject) return { kind: "malformed", message: "The body must be a JSON object." };
  return { kind: "object", object: value as Record<string, unknown> };
}
