import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { BODY_LIMITS } from "@stile/protocol/limits";
import { createFaultLog } from "../telemetry/fault-log.ts";
import type { Logger } from "../telemetry/log.ts";
import { type Answer, bearerOf, errorAnswer, headersOf, notFound, type RequestContext, writeAnswer } from "./answer.ts";
import type { ApiPorts } from "./api-ports.ts";
import { RequestAborted } from "./body.ts";
import { createConnections } from "./connections.ts";
import { corsHeaders, preflightHeaders } from "./cors.ts";
import { DASHBOARD_API, type DashboardApi } from "./dashboard/guard.ts";
import { createGathering } from "./gathering.ts";
import { faultAnswer } from "./on-error.ts";
import { createRefusalLog } from "./refusal-log.ts";
import { type HeaderList, PAGE_DEFAULTS } from "./security-headers.ts";
import { powChallenge } from "./v1/pow/challenge/pow-challenge.ts";
import { score } from "./v1/score/score.ts";
import { tokenVerify } from "./v1/token/verify/token-verify.ts";
import { faultOfTokenVerify } from "./v1/token/verify/token-verify-answer.ts";
import { verify } from "./v1/verify/verify.ts";

type Route = {
  readonly handle: (ports: ApiPorts, request: IncomingMessage, context: RequestContext) => Promise<Answer>;
  /** The method browsers of other origins may use; undefined: no CORS (D8). */
  readonly corsMethod?: "GET" | "POST";
  /** No COMMIT of the store gathers its answers, so the listener does. */
  readonly mayGather?: boolean;
};

/** The four public endpoints (spec 4); the dashboard's and everything else are served beside them. */
const ROUTES: ReadonlyMap<string, Route> = new Map<string, Route>([
  ["/api/v1/token/verify", { handle: tokenVerify }],
  ["/api/v1/score", { handle: score }],
  ["/api/v1/pow/challenge", { handle: powChallenge, corsMethod: "GET", mayGather: true }],
  ["/api/v1/verify", { handle: verify, corsMethod: "POST" }],
]);

/** Addresses of the four public endpoints. */
export const API_PATHS: readonly string[] = [...ROUTES.keys()];

/** Bounds against slow and oversized requests (reliability: HTTP shell). Times in ms, sizes in bytes. */
export const SERVER_OPTIONS = {
  maxHeaderSize: 8192,
  headersTimeout: 5000,
  requestTimeout: 10_000,
  connectionsCheckingInterval: 1000,
  keepAliveTimeout: 65_000,
  // Checked here instead, so that this refusal too is JSON with a request id (D11).
  requireHostHeader: false,
} as const;
const MAX_HEADERS = 64;
/** The largest body that any endpoint takes. */
const MOST_BYTES = Math.max(...Object.values(BODY_LIMITS).map(({ bytes }) => bytes));
/** A connection on which nothing moves while an answer is due is closed, in ms: its client may never read on. */
export const STALLED_MS = 30_000;

/** Headers that must come at most once: with two of them, a proxy and this server could read different requests. */
const SINGLE_HEADERS = new Set([
  "host",
  "authorization",
  "content-length",
  "content-type",
  "content-encoding",
  "transfer-encoding",
  "origin",
]);

/** A host name, possibly of a container, or an address, and a port. */
const HOST = /^(\[[0-9a-f:.]+\]|[\w.-]+)(:\d{1,5})?$/i;

/** A path as browsers send it: some proxies read a backslash as a slash. */
const PATH = /^\/[^\\?]*(\?|$)/;

/** Lengths of those names: most headers are passed over by theirs. */
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

/** Why a request is refused whatever it asks for: a proxy in front could understand another request (RFC 9112, 3.2, 11.2). */
function findAmbiguity({ rawHeaders, headers, url, httpVersion }: IncomingMessage): string | undefined {
  // Node's parser reads a line without a version, and unknown ones, as if they were HTTP/1.1.
  if (httpVersion !== "1.1" && httpVersion !== "1.0") return "The request line must end in HTTP/1.1.";
  if (rawHeaders.length >= 2 * MAX_HEADERS) return "The request has too many headers.";
  if (hasRepeatedHeader(rawHeaders)) return "The request has a header twice that must come once.";
  const host = headers.host ?? "";
  if (!HOST.test(host) || !URL.canParse(`http://${host}`)) {
    return "The request needs a Host header with the name or address of this service.";
  }
  return PATH.test(url ?? "") ? undefined : "The address must begin with a slash and have no backslash in its path.";
}

/** Why the request can't be met as it asks to be (RFC 9110, 10.1.1); undefined if it expects nothing that is unknown. */
function findExpectation({ headers }: IncomingMessage): string | undefined {
  const { expect } = headers;
  if (expect === undefined || expect.toLowerCase() === "100-continue") return undefined;
  return "This service knows no expectation but 100-continue.";
}

/** Status of what Node's parser refuses before a request exists. */
const PARSER_STATUS: Readonly<Record<string, readonly [number, string]>> = {
  HPE_HEADER_OVERFLOW: [431, "Request Header Fields Too Large"],
  ERR_HTTP_REQUEST_TIMEOUT: [408, "Request Timeout"],
};

type RefusalLog = ReturnType<typeof createRefusalLog>;

function refuseUnparsed(
  error: NodeJS.ErrnoException,
  socket: Duplex,
  last: ServerResponse | undefined,
  noteRefusal: RefusalLog,
  security: HeaderList,
): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  if (last?.req.complete && !last.writableFinished) {
    // What follows a whole request is garbage; a refusal now would be taken for the answer to that request.
    last.once("finish", () => socket.end());
    return;
  }
  const [status, reason] = PARSER_STATUS[error.code ?? ""] ?? [400, "Bad Request"];
  const context = { requestId: randomUUID() };
  const answer = errorAnswer("bad_request", context, { message: `${reason}.`, mustClose: true });
  noteRefusal({ status, body: answer.body }, context);
  const text = JSON.stringify(answer.body);
  const headers = [...headersOf(answer, context, security), "Content-Length", String(text.length)];
  const lines = inPairs(headers).map(([name, value]) => `${name}: ${value}`);
  socket.end(`HTTP/1.1 ${status} ${reason}\r\n${lines.join("\r\n")}\r\n\r\n${text}`);
}

/** The names and values of such a list, pair by pair. */
function inPairs(list: HeaderList): [string, string][] {
  return list.flatMap((name, i): [string, string][] => (i % 2 === 0 ? [[name, list[i + 1] ?? ""]] : []));
}

function pathOf(url: string): string {
  const query = url.indexOf("?");
  return query < 0 ? url : url.slice(0, query);
}

/** Longest path that can lead anywhere: a file of the dashboard, or one of its pages with a site's key. */
const MAX_PATH = 256;

/** Where the pages of the dashboard lie; which of them exist is for their own script to know. */
const DASHBOARD_PAGES = "/dashboard/";

/**
 * The path under which a page or a file is looked for; undefined where none can be. None has escapes, and decoding thousands of
 * them is dear: of the dashboard such an address gets the script, which says that there is no such page.
 */
function servedPath(path: string): string | undefined {
  if (path.length <= MAX_PATH && !path.includes("%")) return path;
  return path.startsWith(DASHBOARD_PAGES) ? DASHBOARD_PAGES : undefined;
}

/** What the listener needs besides the ports of the endpoints. */
export type ListenerParts = {
  readonly api: ApiPorts;
  /** The private endpoints (D16). */
  readonly dashboard: DashboardApi;
  /** Serves every path that is none of the endpoints. */
  readonly fallback: (request: IncomingMessage, response: ServerResponse) => void;
  readonly log: Logger;
  /** Headers of every answer. */
  readonly security: HeaderList;
  /** Told of every answer; `url` is what was asked for, undefined if the request could not be read. */
  readonly onAnswered?: (url: string | undefined, status: number) => void;
};

/** The HTTP server: the endpoints on bare node:http, everything else handed on. Not yet listening. */
export function createListener({ api, dashboard, fallback, log, security, onAnswered }: ListenerParts): Server {
  const noteFault = createFaultLog(log);
  const answerRoute = async (route: Route, path: string, request: IncomingMessage, context: RequestContext) => {
    try {
      return await route.handle(api, request, context);
    } catch (fault) {
      if (fault instanceof RequestAborted) return undefined;
      const told = faultAnswer(fault, context, noteFault);
      // What was not read yet is not waited for.
      const answer = request.complete ? told : { ...told, mustClose: true };
      if (path === "/api/v1/token/verify") {
        const hasBearer = bearerOf(request.headers.authorization) !== undefined;
        return faultOfTokenVerify(answer, { hasBearer, isSiteverify: context.isSiteverify ?? false });
      }
      return route.corsMethod ? { ...answer, headers: { ...answer.headers, ...corsHeaders(request) } } : answer;
    }
  };

  const write = (response: ServerResponse, answer: Answer, context: RequestContext): void =>
    writeAnswer(response, answer, context, security);
  const defaults = new Map([...Object.entries(PAGE_DEFAULTS), ...inPairs(security)]);
  const handOn = (request: IncomingMessage, response: ServerResponse, { requestId }: RequestContext): void => {
    response.setHeaders(defaults).setHeader("X-Request-Id", requestId);
    fallback(request, response);
  };

  const connections = createConnections(({ req, statusCode }) => onAnswered?.(req.url ?? "", statusCode));
  const noteRefusal = createRefusalLog(log, () => performance.now());
  const gather = createGathering((fault) => noteFault(fault, "an answer could not be written"));

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (!connections.admit(request, response)) return;
    const context = { requestId: randomUUID() };
    const message = findAmbiguity(request);
    const refusal = message ?? findExpectation(request);
    if (refusal !== undefined) {
      connections.refuseRest(request);
      const refused = errorAnswer("bad_request", context, { message: refusal, mustClose: true });
      const answer = message === undefined ? { ...refused, status: 417 } : refused;
      noteRefusal(answer, context);
      write(response, answer, context);
      return;
    }
    const path = pathOf(request.url ?? "");
    if (path.startsWith(DASHBOARD_API)) {
      const answer = await dashboard(request, context);
      if (answer === undefined) return;
      // Whoever is not signed in yet is no news, and is shown no id.
      if (answer.status !== 401) noteRefusal(answer, context, DASHBOARD_API);
      write(response, answer, context);
      return;
    }
    const route = ROUTES.get(path);
    if (route === undefined) {
      const served = servedPath(path);
      if (served !== path) request.url = served;
      if (served === undefined) write(response, notFound(context), context);
      else handOn(request, response, context);
      return;
    }
    if (request.method === "OPTIONS" && route.corsMethod !== undefined) {
      response.setHeaders(defaults).setHeader("X-Request-Id", context.requestId);
      response.writeHead(204, preflightHeaders(request, route.corsMethod)).end();
      return;
    }
    const answer = await answerRoute(route, path, request, context);
    if (answer === undefined) return;
    noteRefusal(answer, context, path);
    if (route.mayGather) gather(() => write(response, answer, context));
    else write(response, answer, context);
  };

  const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    // A stopping server tells its clients to ask elsewhere next time.
    if (!server.listening) response.shouldKeepAlive = false;
    serve(request, response).catch((fault: unknown) => {
      // Whatever still throws here must cost one connection, never the process.
      noteFault(fault, "an answer could not be written");
      response.destroy();
    });
  };
  const server: Server = createServer(SERVER_OPTIONS, onRequest);
  server.maxHeadersCount = MAX_HEADERS;
  server.timeout = STALLED_MS;
  // Refused here, since Node would refuse it without a body.
  server.on("checkExpectation", onRequest);
  server.on("checkContinue", (request, response) => {
    // Who announces more than any endpoint takes, or expects more than this, is answered at once and not asked to send it.
    const isRefused = findExpectation(request) !== undefined;
    if (!isRefused && Number(request.headers["content-length"] ?? 0) <= MOST_BYTES) response.writeContinue();
    onRequest(request, response);
  });
  const noteUnparsed: RefusalLog = (answer, context) => {
    noteRefusal(answer, context);
    onAnswered?.(undefined, answer.status);
  };
  server.on("clientError", (error, socket) =>
    refuseUnparsed(error, socket, connections.lastAnswer(socket), noteUnparsed, security),
  );
  return server;
}
