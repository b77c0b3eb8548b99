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

/** Bytes of the body, or `too_large` as soon as more than `limit` of them came. */
function readBytes(request: IncomingMessage, limit: number): Promise<Buffer | "too_large"> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > limit) resolve("too_large");
      else chunks.push(chunk);
    });
    request.on("end", () => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)));
    request.on("error", (cause) => reject(new RequestAborted("the client went away", { cause })));
    request.on("close", () => {
      if (!request.complete) reject(new RequestAborted("the client went away"));
    });
  });
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
