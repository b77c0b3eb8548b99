import type { IncomingMessage } from "node:http";
import { type Answer, errorAnswer, type RequestContext } from "../answer/answer.ts";

/** The most headers that a request may have. */
export const MAX_HEADERS = 64;

/**
 * Headers that may come only once. If one came twice, a proxy and this server could understand
 * different requests.
 */
const SINGLE_HEADERS = new Set([
  "host",
  "authorization",
  "content-length",
  "content-type",
  "content-encoding",
  "transfer-encoding",
  "origin",
]);

/** A host name (perhaps of a container) or an address, with an optional port. */
const HOST = /^(\[[0-9a-f:.]+\]|[\w.-]+)(:\d{1,5})?$/i;

/** A path without backslashes, as browsers send it. Some proxies read a backslash as a slash. */
const PATH = /^\/[^\\?]*(\?|$)/;

/** The lengths of those names: most headers can be skipped by their length. */
const SINGLE_LENGTHS = new Set([...SINGLE_HEADERS].map((name) => name.length));

function hasRepeatedHeader(rawHeaders: readonly string[]): boolean {
  const seen = new Set<string>();
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const raw = rawHeaders[i] ?? "";
    if (!SINGLE_LENGTHS.has(raw.length)) continue;
    const name = raw.toLowerCase();
    if (!SINGLE_HEADERS.has(name)) continue;
    if (seen.has(name)) return true;
    seen.add(name);
  }
  return false;
}

/**
 * Why a request is refused regardless of its content: a proxy in front could read it differently
 * (RFC 9112, 3.2, 11.2).
 */
function findAmbiguity(request: IncomingMessage): string | undefined {
  const { rawHeaders, headers, url, httpVersion } = request;
  // Node's parser reads a line without a version, or with an unknown one, as HTTP/1.1.
  if (httpVersion !== "1.1" && httpVersion !== "1.0")
    return "The request line must end in HTTP/1.1.";
  if (rawHeaders.length >= 2 * MAX_HEADERS) return "The request has too many headers.";
  if (hasRepeatedHeader(rawHeaders)) return "The request has a header twice that must come once.";
  const host = headers.host ?? "";
  if (!HOST.test(host) || !URL.canParse(`http://${host}`)) {
    return "The request needs a Host header with the name or address of this service.";
  }
  return PATH.test(url ?? "")
    ? undefined
    : "The address must begin with a slash and have no backslash in its path.";
}

/**
 * Why the request's `Expect` can't be met (RFC 9110, 10.1.1). Undefined if it contains nothing
 * unknown.
 */
export function findExpectation({ headers }: IncomingMessage): string | undefined {
  const { expect } = headers;
  if (expect === undefined || expect.toLowerCase() === "100-continue") return undefined;
  return "This service supports no Expect header but 100-continue.";
}

/** The refusal of a request that is ambiguous or expects too much; undefined otherwise. */
export function refuseUnclear(
  request: IncomingMessage,
  context: RequestContext,
): Answer | undefined {
  const ambiguity = findAmbiguity(request);
  const message = ambiguity ?? findExpectation(request);
  if (message === undefined) return undefined;
  const status = ambiguity === undefined ? 417 : 400;
  return errorAnswer("bad_request", context, { message, status, mustClose: true });
}
