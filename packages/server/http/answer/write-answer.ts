import type { IncomingMessage, ServerResponse } from "node:http";
import type { Answer, RequestContext } from "./answer.ts";
import { type HeaderList, inPairs, OWN_PAGES_ONLY, PAGE_DEFAULTS } from "./security-headers.ts";

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

/** Headers of a page or a file. Its own headers override the common ones. */
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
 * The headers of an answer except its length, as `writeHead` takes them. `security` are the headers
 * of every answer.
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
 * LINGER_MS. Closing over unread bytes resets the connection, and the client may lose the answer
 * (RFC 9112, 9.6). Only little of the rest is read: reading costs the service as much as sending
 * costs the client, which has shown no right to ask.
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

/**
 * Writes an answer with its request id (D11, errors). `security` are the headers of every answer.
 */
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
  // Nearly all content is ASCII. Written as latin1, neither the content nor the head has to be
  // encoded again.
  else if (typeof content === "string" && bytes === content.length) response.end(content, "latin1");
  else response.end(content);
}
