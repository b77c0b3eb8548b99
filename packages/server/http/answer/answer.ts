import type { IncomingMessage, ServerResponse } from "node:http";
import type { LimitState } from "@stile/core/domain/rate-window";
import { API_ERROR_CODES, type ApiErrorCode } from "@stile/protocol/api-error-codes";
import { type HeaderList, inPairs, OWN_PAGES_ONLY, PAGE_DEFAULTS } from "./security-headers.ts";

/** The answer of a route, which the listener writes. */
export type Answer = {
  readonly status: number;
  /**
   * Objects are sent as JSON; texts and bytes unchanged, with a Content-Type in `headers`;
   * undefined means no body.
   */
  readonly body: object | string | Uint8Array | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** The values of Set-Cookie headers, one header each. */
  readonly cookies?: readonly string[];
  /**
   * Closes the connection afterwards, because part of the request was not read. `reading`: first
   * reads that part for a while, so that the answer reaches a client that reads only after it has
   * sent everything, or one behind a proxy that would otherwise reset the connection (Go's servers
   * do).
   */
  readonly mustClose?: boolean | "reading";
  /**
   * Whether to keep a refusal out of the log: it is in a site's decisions, or only says that
   * nothing is here.
   */
  readonly isUnlogged?: boolean;
};

/** What is known about a request in addition to the request itself. */
export type RequestContext = {
  readonly requestId: string;
  /**
   * Set as soon as the body shows a call in another service's siteverify style, so that faults know
   * it too (D2).
   */
  isSiteverify?: boolean;
};

/** Headers of every JSON answer, in addition to those of every answer. */
const JSON_HEADERS = [
  "Content-Type",
  "application/json; charset=utf-8",
  "Cache-Control",
  "no-store",
] as const;

/** Statuses whose answers have neither a body nor a Content-Length (RFC 9110, 8.6). */
const BODILESS = new Set([204, 304]);

/** Whether the body has to be written as JSON. */
function isJson(body: Answer["body"]): body is object {
  return typeof body === "object" && !(body instanceof Uint8Array);
}

/** Headers of a page or a file. Its own headers override those of every answer. */
function pageHeaders(
  { headers, mustClose }: Answer,
  context: RequestContext,
  security: HeaderList,
): string[] {
  const defaults = {
    ...PAGE_DEFAULTS,
    ...Object.fromEntries(inPairs(security)),
    "X-Request-Id": context.requestId,
  };
  const all = { ...defaults, ...headers, ...(mustClose && { Connection: "close" }) };
  return Object.entries(all).flat();
}

/**
 * The headers of an answer except its length, as `writeHead` takes them. `security` are those of
 * every answer.
 */
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

/**
 * How long the rest of a request is read, in ms: before an answer with `reading`, and after any
 * other.
 */
const LINGER_MS = 1000;
/**
 * How many bytes are read after an answer, and how many each piece counts in addition to its own.
 */
const LINGER = { bytes: 16_384, piece: 256 } as const;

/** Reads and drops the rest until the client has sent everything, or for LINGER_MS. */
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
 * Sends the content at once, but closes only when the client has sent everything, or after
 * LINGER_MS: closing over unread bytes resets the connection, which can cost the client the answer
 * (RFC 9112, 9.6). Little of the rest is read, since it costs the service as much as it costs a
 * client that has shown no right to ask.
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

/** Writes an answer with its request id (D11). `security` are the headers of every answer. */
export function writeAnswer(
  response: ServerResponse,
  answer: Answer,
  context: RequestContext,
  security: HeaderList,
): void {
  const { req: request } = response;
  if (answer.mustClose === "reading" && !request.complete && !response.destroyed) {
    readRest(request, () =>
      writeAnswer(response, { ...answer, mustClose: true }, context, security),
    );
    return;
  }
  if (response.headersSent || response.destroyed) return;
  const content = isJson(answer.body) ? JSON.stringify(answer.body) : (answer.body ?? "");
  const headers = headersOf(answer, context, security);
  const bytes = Buffer.byteLength(content);
  if (!BODILESS.has(answer.status)) headers.push("Content-Length", String(bytes));
  response.writeHead(answer.status, headers);
  if (answer.mustClose && !request.complete) endLingering(response, content);
  // Nearly all content is ASCII. Written as latin1, neither it nor the head has to be encoded
  // again.
  else if (typeof content === "string" && bytes === content.length) response.end(content, "latin1");
  else response.end(content);
}

/** The `error` object of an answer that is not 200 (D11). */
export function errorObject(code: ApiErrorCode, context: RequestContext, message?: string) {
  return { code, message: message ?? API_ERROR_CODES[code].meaning, request_id: context.requestId };
}

/** An answer that holds nothing but an error (D11). */
export function errorAnswer(
  code: ApiErrorCode,
  context: RequestContext,
  more: {
    message?: string;
    status?: number;
    headers?: Record<string, string>;
    mustClose?: boolean;
  } = {},
): Answer {
  return {
    status: more.status ?? API_ERROR_CODES[code].status,
    body: { success: false, data: {}, error: errorObject(code, context, more.message) },
    ...(more.headers && { headers: more.headers }),
    ...(more.mustClose && { mustClose: true }),
  };
}

/** The answer for an address where there is nothing. */
export function notFound(context: RequestContext): Answer {
  const message =
    "Nothing lives at this address. GET /api/v1/openapi.json lists what the service offers.";
  return { ...errorAnswer("not_found", context, { message }), isUnlogged: true };
}

/** Seconds to wait, at least one, for Retry-After and RateLimit. */
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

/**
 * The key of `Authorization: Bearer <key>`; undefined if the header is absent or of another kind
 * (spec 5.1).
 */
export function bearerOf(authorization: string | undefined): string | undefined {
  const match = authorization === undefined ? null : /^Bearer +([^\s]+)\s*$/i.exec(authorization);
  return match?.[1];
}

const SECOND_MS = 1000;
/**
 * How many seconds have their text cached. The times in answers lie within a token's life, which is
 * minutes.
 */
const KEPT_SECONDS = 512;
/** The texts of those seconds, without milliseconds. */
const texts = Array.from({ length: KEPT_SECONDS }, () => ({ second: Number.NaN, text: "" }));

/**
 * ISO 8601 in UTC (spec 2.1). Under load many answers name the same seconds, so each is formatted
 * only once.
 */
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

/**
 * What callers of the Bearer endpoints are told of their secret key, and of their body (D2, D7).
 */
export const SAID = {
  missingSecret: "Send the site's secret key in the header: Authorization: Bearer sk_...",
  wrongSecrets:
    "Too many wrong secret keys from this address. Check the key, then try again after the time in Retry-After.",
  usePost: "Use POST with a JSON body.",
  useJson: "Send the body as JSON, uncompressed, with Content-Type: application/json.",
} as const;

/** The header of a 401 without a secret key, and with a wrong one (spec 5). */
export const BEARER = {
  missing: { "WWW-Authenticate": "Bearer" },
  invalid: { "WWW-Authenticate": 'Bearer error="invalid_token"' },
} as const;
