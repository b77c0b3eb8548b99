import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { BODY_LIMITS } from "@stile/protocol/limits";
import { createFaultLog } from "../telemetry/fault-log.ts";
import type { Logger } from "../telemetry/log.ts";
import {
  type Answer,
  errorAnswer,
  headersOf,
  notFound,
  type RequestContext,
  writeAnswer,
} from "./answer/answer.ts";
import { corsHeaders, preflightHeaders } from "./answer/cors.ts";
import { faultAnswer } from "./answer/on-error.ts";
import { createRefusalLog } from "./answer/refusal-log.ts";
import { type HeaderList, inPairs } from "./answer/security-headers.ts";
import { awaitTurn, type Connections, createConnections } from "./connection/connections.ts";
import type { Listener } from "./connection/drain.ts";
import { createGathering } from "./connection/gathering.ts";
import { createRouteTable, type HttpRoute } from "./http-route.ts";
import { isLeftUnread, RequestAborted } from "./request/body.ts";

/**
 * Bounds against slow and oversized requests (reliability: HTTP shell). Times in ms, sizes in
 * bytes.
 */
export const SERVER_OPTIONS = {
  maxHeaderSize: 8192,
  headersTimeout: 5000,
  requestTimeout: 10_000,
  connectionsCheckingInterval: 1000,
  keepAliveTimeout: 65_000,
  // Checked by this listener instead, so that this refusal too is JSON with a request id (D11).
  requireHostHeader: false,
} as const;
const MAX_HEADERS = 64;
/** The largest body that any endpoint accepts. */
const MOST_BYTES = Math.max(...Object.values(BODY_LIMITS).map(({ bytes }) => bytes));
/**
 * Closes a connection if nothing moves on it for this long (ms) while an answer is due: its client
 * may not read on.
 */
export const STALLED_MS = 30_000;

/**
 * Headers that may come only once: with two of them, a proxy and this server could understand
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

/** A path without backslashes, as browsers send it: some proxies read a backslash as a slash. */
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
 * Why a request is refused whatever it asks: a proxy in front could read it differently (RFC 9112,
 * 3.2, 11.2).
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
 * Why the request's `Expect` can't be met (RFC 9110, 10.1.1); undefined if there is nothing unknown
 * in it.
 */
function findExpectation({ headers }: IncomingMessage): string | undefined {
  const { expect } = headers;
  if (expect === undefined || expect.toLowerCase() === "100-continue") return undefined;
  return "This service supports no Expect header but 100-continue.";
}

/** The refusal of a request that is ambiguous or expects too much; undefined if neither. */
function refuseUnclear(request: IncomingMessage, context: RequestContext): Answer | undefined {
  const ambiguity = findAmbiguity(request);
  const message = ambiguity ?? findExpectation(request);
  if (message === undefined) return undefined;
  const status = ambiguity === undefined ? 417 : 400;
  return errorAnswer("bad_request", context, { message, status, mustClose: true });
}

/** The status for what Node's parser refuses before there is a request. */
const PARSER_STATUS: Readonly<Record<string, readonly [number, string]>> = {
  HPE_HEADER_OVERFLOW: [431, "Request Header Fields Too Large"],
  ERR_HTTP_REQUEST_TIMEOUT: [408, "Request Timeout"],
};

function refuseUnparsed(
  error: NodeJS.ErrnoException,
  socket: Duplex,
  connections: Connections,
  recordRefusal: (answer: Answer, context: RequestContext, isOwn: boolean) => void,
  security: HeaderList,
): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  // Node reports the same error again for whatever else arrives.
  if (!connections.refuseRest(socket)) return;
  const last = connections.lastAnswer(socket);
  const due = last?.writableFinished ? undefined : last;
  if (due?.req.complete) {
    // What follows a complete request is garbage. A refusal now would be taken for the answer to
    // that request.
    due.once("finish", () => socket.end());
    return;
  }
  if (due?.headersSent) return;
  const [status, reason] = PARSER_STATUS[error.code ?? ""] ?? [400, "Bad Request"];
  const context = { requestId: randomUUID() };
  const answer = errorAnswer("bad_request", context, {
    status,
    message: `${reason}.`,
    mustClose: true,
  });
  recordRefusal(answer, context, due === undefined);
  if (due !== undefined) {
    // Earlier requests of the connection may still wait for their answers, and Node keeps the
    // order.
    writeAnswer(due, answer, context, security);
    return;
  }
  const text = JSON.stringify(answer.body);
  const headers = [...headersOf(answer, context, security), "Content-Length", String(text.length)];
  const lines = inPairs(headers).map(([name, value]) => `${name}: ${value}`);
  socket.end(`HTTP/1.1 ${status} ${reason}\r\n${lines.join("\r\n")}\r\n\r\n${text}`);
}

function pathOf(url: string): string {
  const query = url.indexOf("?");
  return query < 0 ? url : url.slice(0, query);
}

/** The row for all addresses where there is nothing. */
const NOWHERE: HttpRoute = {
  path: "/*",
  method: "ALL",
  handle: (_request, context) => notFound(context),
};

/** The parts of a listener. */
export type ListenerParts = {
  /** All addresses of the service. */
  readonly routes: readonly HttpRoute[];
  readonly log: Logger;
  /** Headers of every answer. */
  readonly security: HeaderList;
  /** The service's clock; by default the system's. */
  readonly nowMs?: () => number;
  /**
   * Called for every answer. `url` is what was asked for, undefined if the request could not be
   * read.
   */
  readonly onAnswered?: (url: string | undefined, status: number) => void;
};

/** If the two clocks differ by more, the system's does not tell the time that answers speak of. */
const DATE_TOLERANCE_MS = 1_000;

/**
 * The headers of every answer, with a `Date` if Node's own would differ from the service's time
 * (RFC 9110, 6.6.1): the widget compares the end of its token's life with it.
 */
function withDate(security: HeaderList, nowMs: number): HeaderList {
  if (Math.abs(nowMs - Date.now()) < DATE_TOLERANCE_MS) return security;
  return [...security, "Date", new Date(nowMs).toUTCString()];
}

/** The HTTP server for one table of routes, on plain node:http. It is not listening yet. */
export function createListener(parts: ListenerParts): Listener {
  const { routes, log, security, nowMs = Date.now, onAnswered } = parts;
  const recordFault = createFaultLog(log);
  const findRoute = createRouteTable(routes);

  const answerFault = (
    fault: unknown,
    route: HttpRoute,
    request: IncomingMessage,
    context: RequestContext,
  ): Answer => {
    const told = faultAnswer(fault, context, recordFault);
    // The connection closes rather than wait for the unread rest of the request.
    const answer = request.complete ? told : { ...told, mustClose: true };
    return route.shapeFault?.(answer, request, context) ?? answer;
  };

  /** The row's answer; undefined if the client went away before it could be answered. */
  const answerRoute = async (
    route: HttpRoute,
    request: IncomingMessage,
    context: RequestContext,
  ): Promise<Answer | undefined> => {
    try {
      const answer = await route.handle(request, context);
      return isLeftUnread(request) && !answer.mustClose ? { ...answer, mustClose: true } : answer;
    } catch (fault) {
      if (fault instanceof RequestAborted) return undefined;
      return answerFault(fault, route, request, context);
    }
  };

  const write = (response: ServerResponse, answer: Answer, context: RequestContext): void =>
    writeAnswer(response, answer, context, withDate(security, nowMs()));
  const connections = createConnections(({ req, statusCode }) =>
    onAnswered?.(req.url ?? "", statusCode),
  );
  const recordRefusal = createRefusalLog(log, () => performance.now());
  const gather = createGathering((fault) => recordFault(fault, "an answer could not be written"));

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { socket } = request;
    const before = connections.lastAnswer(socket);
    if (!connections.admit(request, response)) return;
    if (before?.writableFinished === false && !(await awaitTurn(before, response))) return;
    const context = { requestId: randomUUID() };
    const refused = refuseUnclear(request, context);
    if (refused !== undefined) {
      connections.refuseRest(socket);
      recordRefusal(refused, context);
      write(response, refused, context);
      return;
    }
    const { method = "", url = "" } = request;
    const route = findRoute(method, pathOf(url)) ?? NOWHERE;
    const { corsMethod } = route;
    if (method === "OPTIONS" && corsMethod !== undefined) {
      write(
        response,
        { status: 204, body: undefined, headers: preflightHeaders(request, corsMethod) },
        context,
      );
      return;
    }
    const answered = await answerRoute(route, request, context);
    if (answered === undefined) return;
    const answer = corsMethod
      ? { ...answered, headers: { ...corsHeaders(request), ...answered.headers } }
      : answered;
    recordRefusal(answer, context, route.path);
    gather(() => write(response, answer, context));
  };

  const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    // While stopping, the server tells clients to connect elsewhere next time.
    if (!server.listening) response.shouldKeepAlive = false;
    serve(request, response).catch((fault: unknown) => {
      // Whatever still throws here may cost one connection, but never the process.
      recordFault(fault, "an answer could not be written");
      response.destroy();
    });
  };
  const { isAnswering } = connections;
  // A client may end its half of the connection behind its request (RFC 9293, 3.6). Node would then
  // end the other half, over an answer that is still being made. Its types lack this name.
  const halfOpen = { httpAllowHalfOpen: true };
  const server = Object.assign(createServer(SERVER_OPTIONS, onRequest), {
    ...halfOpen,
    isAnswering,
  });
  server.maxHeadersCount = MAX_HEADERS;
  server.timeout = STALLED_MS;
  // Handled here because Node would refuse it without a body.
  server.on("checkExpectation", onRequest);
  server.on("checkContinue", (request, response) => {
    // A client that announces or expects more than any endpoint accepts gets the answer without
    // sending its body.
    const isRefused = findExpectation(request) !== undefined;
    if (!isRefused && Number(request.headers["content-length"] ?? 0) <= MOST_BYTES)
      response.writeContinue();
    onRequest(request, response);
  });
  const recordUnparsed = (answer: Answer, context: RequestContext, isOwn: boolean): void => {
    recordRefusal(answer, context);
    // An answer of a request is counted when it has ended.
    if (isOwn) onAnswered?.(undefined, answer.status);
  };
  server.on("clientError", (error, socket) =>
    refuseUnparsed(error, socket, connections, recordUnparsed, security),
  );
  return server;
}
