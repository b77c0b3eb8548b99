import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Logger } from "./log.ts";
import type { Metrics } from "./metrics.ts";

/** The address at which metrics are served. */
export type MetricsPlace = { readonly host: string; readonly port: number };

/** Metrics can't be served at the operator's address; `cause` is the error of listening. */
export class MetricsListenFault extends Error {
  readonly place: MetricsPlace;

  constructor(place: MetricsPlace, cause: unknown) {
    super(`can't listen on ${place.host}, port ${place.port}`, { cause });
    this.place = place;
  }
}

/** A listener for metrics only. */
export type MetricsListener = {
  /** Resolves with the address of the metrics; rejects with MetricsListenFault. */
  readonly listen: () => Promise<string>;
  readonly close: () => Promise<void>;
};

/**
 * Bounds against slow and oversized requests. Scrapes have no body and are few. Times in ms, sizes
 * in bytes.
 */
const SERVER_OPTIONS = {
  maxHeaderSize: 8192,
  headersTimeout: 5000,
  requestTimeout: 5000,
  connectionsCheckingInterval: 1000,
  keepAliveTimeout: 65_000,
} as const;
const MAX_CONNECTIONS = 32;
const MAX_HEADERS = 64;
const STALLED_MS = 30_000;

const PATH = "/metrics";
const COMMON = { "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff" } as const;
const PLAIN = { ...COMMON, "Content-Type": "text/plain; charset=utf-8" } as const;

function refuse(
  response: ServerResponse,
  status: number,
  text: string,
  more: Readonly<Record<string, string>>,
): void {
  // The rest of the request is not read.
  response.writeHead(status, { ...PLAIN, ...more, Connection: "close" }).end(`${text}\n`);
}

async function answer(
  { method, url = "" }: IncomingMessage,
  response: ServerResponse,
  metrics: Metrics,
) {
  if (url.split("?", 1)[0] !== PATH) return refuse(response, 404, `Metrics are at ${PATH}.`, {});
  if (method !== "GET")
    return refuse(response, 405, "Metrics are read with GET.", { Allow: "GET" });
  const text = await metrics.render();
  response.writeHead(200, { ...COMMON, "Content-Type": metrics.contentType }).end(text);
}

function urlOf(server: Server, { host }: MetricsPlace): string {
  const { port } = server.address() as AddressInfo;
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}${PATH}`;
}

/**
 * Serves GET /metrics at a separate address. At the public one, behind a proxy, the operator can't
 * be distinguished from a stranger.
 */
export function createMetricsListener(
  metrics: Metrics,
  place: MetricsPlace,
  log: Logger,
): MetricsListener {
  const server = createServer(SERVER_OPTIONS, (request, response) => {
    answer(request, response, metrics).catch((fault: unknown) => {
      log.error(
        { err: fault },
        "GET /metrics failed because of a fault in the service. Report `err`.",
      );
      refuse(response, 500, "Metrics could not be read. The log says why.", {});
    });
  });
  server.maxConnections = MAX_CONNECTIONS;
  server.maxHeadersCount = MAX_HEADERS;
  server.timeout = STALLED_MS;
  return {
    listen: () =>
      new Promise((resolve, reject) => {
        server.once("error", (fault) => reject(new MetricsListenFault(place, fault)));
        server.listen(place.port, place.host, () => resolve(urlOf(server, place)));
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
