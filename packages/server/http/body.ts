import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";
import { readJson } from "./json-guard.ts";

/** A request body as far as the door could read it; nothing of it is validated yet. */
export type BodyReading =
  | { readonly kind: "object"; readonly object: Readonly<Record<string, unknown>> }
  | { readonly kind: "malformed"; readonly message: string }
  | { readonly kind: "too_large" }
  | { readonly kind: "unsupported_media_type"; readonly isForm: boolean };

/** The client went away before its body was complete; there is nobody to answer. */
export class RequestAborted extends Error {
  override readonly name = "RequestAborted";
}

const JSON_TYPE = /^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i;
const FORM_TYPE = /^(application\/x-www-form-urlencoded|multipart\/form-data)\b/i;

/**
 * Bytes of the body, or `too_large` as soon as more than `limit` of them came. They are joined as they come: kept apart,
 * a body sent in pieces of one byte would take hundreds of times its size.
 */
function readBytes(request: IncomingMessage, limit: number): Promise<Buffer | "too_large"> {
  return new Promise((resolve, reject) => {
    let bytes: Buffer = Buffer.alloc(0);
    let size = 0;
    request.on("data", (chunk: Buffer) => {
      const end = size + chunk.length;
      if (end > limit) resolve("too_large");
      else if (size === 0) bytes = chunk;
      else {
        bytes = withRoom(bytes, size, end, limit);
        chunk.copy(bytes, size);
      }
      size = end;
    });
    request.on("end", () => resolve(bytes.subarray(0, size)));
    request.on("error", (cause) => reject(new RequestAborted("the client went away", { cause })));
    request.on("close", () => {
      if (!request.complete) reject(new RequestAborted("the client went away"));
    });
  });
}

/** The buffer itself if it holds `end` bytes, else one of twice the room with the same first `size` bytes. */
function withRoom(bytes: Buffer, size: number, end: number, limit: number): Buffer {
  if (end <= bytes.length) return bytes;
  const roomier = Buffer.allocUnsafeSlow(Math.min(limit, Math.max(end, 2 * bytes.length)));
  bytes.copy(roomier, 0, 0, size);
  return roomier;
}

/**
 * Reads a JSON object of at most `limit` bytes: media type first, then size, then encoding, depth and keys (D11). A
 * compressed body is refused, since its size says nothing.
 */
export async function readJsonObject(request: IncomingMessage, limit: number): Promise<BodyReading> {
  const type = request.headers["content-type"] ?? "";
  const encoding = request.headers["content-encoding"];
  const isPlain = encoding === undefined || encoding === "identity";
  const announced = Number(request.headers["content-length"] ?? 0);
  if (announced > limit) return { kind: "too_large" };
  if (!JSON_TYPE.test(type) || !isPlain) return { kind: "unsupported_media_type", isForm: FORM_TYPE.test(type) };
  const bytes = await readBytes(request, limit);
  if (bytes === "too_large") return { kind: "too_large" };
  if (!isUtf8(bytes)) return { kind: "malformed", message: "The body is not UTF-8." };
  const reading = readJson(bytes.toString("utf8"));
  if (reading.kind === "refused") return { kind: "malformed", message: reading.message };
  const { value } = reading;
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  if (!isObject) return { kind: "malformed", message: "The body must be a JSON object." };
  return { kind: "object", object: value as Record<string, unknown> };
}
