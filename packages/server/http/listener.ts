import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { BODY_LIMITS } from "@stile/protocol/limits";
import { createFaultLog } from "../telemetry/fault-log.ts";
import type { Logger } from "../telemetry/log.ts";
import { type Answer, notFound, type RequestContext } from "./answer/answer.ts";
import { corsHeaders, preflightHeaders } from "./answer/cors.ts";
import { faultAnswer } from "./answer/on-error.ts";
import { createRefusalLog } from "./answer/refusal-log.ts";
import type { HeaderList } from "./answer/security-headers.ts";
import { writeAnswer } from "./answer/write-answer.ts";
import { awaitTurn, createConnections } from "./connection/connections.ts";
import type { Listener } from "./connection/drain.ts";
import { createGathering } from "./connection/gathering.ts";
import { refuseUnparsed } from "./connection/unparsed-request.ts";
import { createRouteTable, type HttpRoute } from "./http-route.ts";
import { isLeftUnread, RequestAborted } from "./request/body.ts";
import { findExpectation, MAX_HEADERS, refuseUnclear } from "./request/unclear-request.ts";

/** Bounds against slow and oversized requests. Times in ms, sizes in bytes. */
export const SERVER_OPTIONS = {
  maxHeaderSize: 8192,
  headersTimeout: 5000,
  requestTimeout: 10_000,
  connectionsCheckingInterval: 1000,
  keepAliveTimeout: 65_000,
  // Checked by this listener instead, so that this refusal too is JSON with a request id (D11,
  // errors).
  requireHostHeader: false,
} as const;
/** The largest body that any endpoint accepts. */
const MOST_BYTES = Math.max(...Object.values(BODY_LIMITS).map(({ bytes }) => bytes));
/**
 * Closes a connection if no data moves for this long (ms) while an answer is due, because its
 * client may have stopped reading.
 */
export const STALLED_MS = 30_000;

function pathOf(url: string): string {
  const query = url.indexOf("?");
  return query < 0 ? url : url.slice(0, query);
}

/** The row for all unknown addresses. */
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
   * Called for every answer. `url` is the requested URL, undefined if the request could not be
   * read.
   */
  readonly onAnswered?: (url: string | undefined, status: number) => void;
};

/** If the two clocks differ by more (ms), the Date header must not use the system's clock. */
const DATE_TOLERANCE_MS = 1_000;

/**
 * The headers of every answer, with a `Date` if Node's own would differ from the service's time
 * (RFC 9110, 6.6.1). The widget compares the end of its token's life with it.
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
    const refusal = faultAnswer(fault, context, recordFault);
    // Close the connection instead of waiting for the unread rest of the request.
    const answer = request.complete ? refusal : { ...refusal, mustClose: true };
    return route.shapeFault?.(answer, request, context) ?? answer;
  };

  /** The row's answer; undefined if the client closed the connection before it could be answered. */
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
  const recordUnsent = (fault: unknown): void =>
    recordFault(fault, "Could not send an answer because of a fault in the service. Report `err`.");
  const gather = createGathering(recordUnsent);

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
      // An exception here may cost one connection, but never the process.
      recordUnsent(fault);
      response.destroy();
    });
  };
  const { isAnswering } = connections;
  // A client may end its half of the connection behind its request (RFC 9293, 3.6). By default,
  // Node would then end the other half while the answer is still being made. Node's types lack this
  // name.
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
    // The answer to a parsed request is counted when it has ended.
    if (isOwn) onAnswered?.(undefined, answer.status);
  };
  server.on("clientError", (error, socket) =>
    refuseUnparsed(error, socket, { connections, recordRefusal: recordUnparsed, security }),
  );
  return server;
}
