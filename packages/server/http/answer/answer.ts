import type { IncomingMessage, ServerResponse } from "node:http";
import type { LimitState } from "@stile/core/domain/rate-window";
import { API_ERROR_CODES, type ApiErrorCode } from "@stile/protocol/api-error-codes";
import { type HeaderList, inPairs, OWN_PAGES_ONLY, PAGE_DEFAULTS } from "./security-headers.ts";

/** What a route answers; the listener writes it. */
export type Answer = {
  readonly status: number;
  /** An object is sent as JSON; text and bytes as they are, with a Content-Type among the headers; undefined as no body. */
  readonly body: object | string | Uint8Array | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** Set-Cookie texts, a header each. */
  readonly cookies?: readonly string[];
  /**
   * Closes the connection afterwards, because the request's rest was not read. `reading`: the rest is read first, for a
   * while, so that the answer reaches a client that reads only after it has sent all, and one behind a proxy that resets
   * it otherwise (Go's servers do).
   */
  readonly mustClose?: boolean | "reading";
  /** Whether a refusal is no news for the log: the decisions of a site list it, or it says only that nothing is here. */
  readonly isUnlogged?: boolean;
};

/** What is known about a request besides the request itself. */
export type RequestContext = {
  readonly requestId: string;
  /** Set as soon as a body shows the call to be in another service's siteverify style, faults included (D2). */
  isSiteverify?: boolean;
};

/** Headers of every JSON answer, besides those of every answer. */
const JSON_HEADERS = ["Content-Type", "application/json; charset=utf-8", "Cache-Control", "no-store"] as const;

/** Statuses whose answers have neither a body nor its length (RFC 9110, 8.6). */
const BODILESS = new Set([204, 304]);

/** Whether the body is still to be written as JSON. */
function isJson(body: Answer["body"]): body is object {
  return typeof body === "object" && !(body instanceof Uint8Array);
}

/** Headers of a page or a file, whose own replace those of every answer. */
function pageHeaders({ headers, mustClose }: Answer, context: RequestContext, security: HeaderList): string[] {
  const defaults = { ...PAGE_DEFAULTS, ...Object.fromEntries(inPairs(security)), "X-Request-Id": context.requestId };
  const all = { ...defaults, ...headers, ...(mustClose && { Connection: "close" }) };
  return Object.entries(all).flat();
}

/** The headers of an answer but for its length, as `writeHead` takes them: `security` are those of every answer. */
export function headersOf(answer: Answer, context: RequestContext, security: HeaderList): string[] {
  if (!isJson(answer.body)) return pageHeaders(answer, context, security);
  const headers: string[] = [...JSON_HEADERS, ...security, "X-Request-Id", context.requestId];
  for (const name in answer.headers) headers.push(name, answer.headers[name] ?? "");
  for (const cookie of answer.cookies ?? []) headers.push("Set-Cookie", cookie);
  if (answer.headers?.["Cross-Origin-Resource-Policy"] === undefined) {
    headers.push("Cross-Origin-Resource-Policy", OWN_PAGES_ONLY["Cross-Origin-Resource-Policy"]);
  }
  if (answer.mustClose) headers.push("Connection", "close");
  return headers;
}

/** How long the rest of a request is still read, in ms: before an answer that waits for it, and after one that does not. */
const LINGER_MS = 1000;
/** How much is read after an answer, in bytes, and what a piece of it weighs besides its bytes. */
const LINGER = { bytes: 16_384, piece: 256 } as const;

/** Reads on until the client is done sending, or for LINGER_MS; what comes is dropped. */
function readRest(request: IncomingMessage, done: () => void): void {
  const end = (): void => {
    clearTimeout(timer);
    request.off("end", end).off("close", end);
    done();
  };
  const timer = setTimeout(end, LINGER_MS);
  request.once("end", end).once("close", end).resume();
}

/**
 * Sends the content at once and closes when the client is done sending, or after LINGER_MS: a connection that is closed over
 * unread bytes is reset, which can cost the client the answer (RFC 9112, 9.6). Who has shown no right to ask gets little of
 * their rest read: it costs the service as much as them.
 */
function endLingering(response: ServerResponse, content: string | Uint8Array): void {
  const { req: request } = response;
  let left = LINGER.bytes;
  const discard = (chunk: Buffer): void => {
    left -= chunk.length + LINGER.piece;
    if (left < 0) request.off("data", discard).pause();
  };
  if (content.length > 0) response.write(content);
  else response.flushHeaders();
  request.on("data", discard);
  readRest(request, () => response.end());
}

/** Writes an answer with its request id (D11); `security` are the headers of every answer. */
export function writeAnswer(
  response: ServerResponse,
  answer: Answer,
  context: RequestContext,
  security: HeaderList,
): void {
  const { req: request } = response;
  if (answer.mustClose === "reading" && !request.complete && !response.destroyed) {
    readRest(request, () => writeAnswer(response, { ...answer, mustClose: true }, context, security));
    return;
  }
  if (response.headersSent || response.destroyed) return;
  const content = isJson(answer.body) ? JSON.stringify(answer.body) : (answer.body ?? "");
  const headers = headersOf(answer, context, security);
  const bytes = Buffer.byteLength(content);
  if (!BODILESS.has(answer.status)) headers.push("Content-Length", String(bytes));
  response.writeHead(answer.status, headers);
  if (answer.mustClose && !request.complete) endLingering(response, content);
  // Nearly all is ASCII, which need not be looked at again on its way out, nor need the head.
  else if (typeof content === "string" && bytes === content.length) response.end(content, "latin1");
  else response.end(content);
}

/** The `error` object of an answer that is not 200 (D11). */
export function errorObject(code: ApiErrorCode, context: RequestContext, message?: string) {
  return { code, message: message ?? API_ERROR_CODES[code].meaning, request_id: context.requestId };
}

/** An answer that carries nothing but an error (D11). */
export function errorAnswer(
  code: ApiErrorCode,
  context: RequestContext,
  more: { message?: string; status?: number; headers?: Record<string, string>; mustClose?: boolean } = {},
): Answer {
  return {
    status: more.status ?? API_ERROR_CODES[code].status,
    body: { success: false, data: {}, error: errorObject(code, context, more.message) },
    ...(more.headers && { headers: more.headers }),
    ...(more.mustClose && { mustClose: true }),
  };
}

/** The answer at an address where nothing lives. */
export function notFound(context: RequestContext): Answer {
  const message = "Nothing lives at this address. GET /api/v1/openapi.json lists what the service offers.";
  return { ...errorAnswer("not_found", context, { message }), isUnlogged: true };
}

/** Seconds to wait, at least one: for Retry-After and RateLimit. */
function resetSeconds(limit: LimitState): number {
  return Math.max(1, Math.ceil(limit.resetsInMs / 1000));
}

/** The RateLimit headers of the Bearer endpoints (D10). */
export function limitHeaders(name: "verify" | "score", limit: LimitState): Record<string, string> {
  return {
    "RateLimit-Policy": `"${name}";q=${limit.perMinute};w=60`,
    RateLimit: `"${name}";r=${limit.remaining};t=${resetSeconds(limit)}`,
  };
}

/** The Retry-After header of a 429 (D10). */
export function retryAfter(limit: LimitState): Record<string, string> {
  return { "Retry-After": String(resetSeconds(limit)) };
}

/** `Authorization: Bearer <key>` to the key; undefined if the header is absent or of another kind (spec 5.1). */
export function bearerOf(authorization: string | undefined): string | undefined {
  const match = authorization === undefined ? null : /^Bearer +([^\s]+)\s*$/i.exec(authorization);
  return match?.[1];
}

const SECOND_MS = 1000;
/** Seconds whose texts are kept, each in a place of its own: what answers name lies within a token's life of a few minutes. */
const KEPT_SECONDS = 512;
/** Texts of those seconds up to the dot. */
const texts = Array.from({ length: KEPT_SECONDS }, () => ({ second: Number.NaN, text: "" }));

/** ISO 8601 in UTC (spec 2.1). Under load many answers name the same seconds; each is written once. */
export function isoTime(ms: number): string {
  const second = Math.floor(ms / SECOND_MS);
  const kept = texts[second % KEPT_SECONDS];
  if (kept === undefined) return new Date(ms).toISOString();
  if (kept.second !== second) {
    kept.text = new Date(second * SECOND_MS).toISOString().slice(0, -"000Z".length);
    kept.second = second;
  }
  return `${kept.text}${String(Math.floor(ms) - second * SECOND_MS).padStart(3, "0")}Z`;
}

/** What a caller is told that tried too many wrong secret keys (D2). */
export const WRONG_SECRETS =
  "Too many wrong secret keys from this address. Check the key, then try again after the time in Retry-After.";
