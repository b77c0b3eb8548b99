import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

/**
 * The treatment of requests: they pass; nobody ever answers; the connection breaks; a proxy answers
 * for the service, without CORS (502), or only to preflights (503); a proxy sends each twice and
 * passes on the second answer.
 */
export type ProxyTrouble = "none" | "hangs" | "breaks" | "bad_gateway" | "no_preflight" | "repeats";

/** A service behind a proxy that can get into trouble. */
export type TroubledProxy = AsyncDisposable & {
  /** The address by which pages reach the service. */
  readonly baseUrl: string;
  /**
   * Applies from now on, but not to requests already held. `only` matches the affected paths, by
   * default all.
   */
  readonly set: (trouble: ProxyTrouble, only?: RegExp) => void;
  /** Paths that were requested, in order. */
  readonly asked: readonly string[];
};

const headersOf = ({ headers }: IncomingMessage, address?: string) => ({
  ...headers,
  ...(address && { "x-forwarded-for": address }),
});

function pass(
  target: string,
  incoming: IncomingMessage,
  response: ServerResponse,
  address?: string,
): void {
  const { method, url } = incoming;
  const headers = headersOf(incoming, address);
  const outgoing = request(`${target}${url}`, { method, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  outgoing.on("error", () => response.destroy());
  incoming.pipe(outgoing);
}

/** Sends it twice, like proxies that believe the first one was lost. */
async function repeat(
  target: string,
  incoming: IncomingMessage,
  response: ServerResponse,
  address?: string,
): Promise<void> {
  const { method, url } = incoming;
  const headers = headersOf(incoming, address);
  const body = await buffer(incoming);
  const send = (onAnswer: (answer: IncomingMessage) => void): void =>
    void request(`${target}${url}`, { method, headers }, onAnswer)
      .on("error", () => response.destroy())
      .end(body);
  send((lost) => {
    lost.resume().once("end", () =>
      send((answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      }),
    );
  });
}

/**
 * Starts one before the service at `target` (no trailing slash); `nextAddress` gives the next
 * request's visitor.
 */
export async function startTroubledProxy(
  target: string,
  nextAddress?: () => string,
): Promise<TroubledProxy> {
  let trouble: ProxyTrouble = "none";
  let only = /^/;
  const asked: string[] = [];
  const server = createServer((incoming, response) => {
    const path = incoming.url ?? "";
    asked.push(path);
    const isBefallen =
      only.test(path) && (trouble !== "no_preflight" || incoming.method === "OPTIONS");
    switch (isBefallen ? trouble : "none") {
      case "none":
        return pass(target, incoming, response, nextAddress?.());
      case "hangs":
        return;
      case "breaks":
        return void response.destroy();
      case "bad_gateway":
        return void response.writeHead(502).end("<h1>502 Bad Gateway</h1>");
      case "no_preflight":
        return void response.writeHead(503).end();
      case "repeats":
        return void repeat(target, incoming, response, nextAddress?.());
    }
  });
  await new Promise<void>((resolve) => server.listen(0, resolve));
  return {
    baseUrl: `http://localhost:${(server.address() as AddressInfo).port}`,
    asked,
    set: (next, paths = /^/) => {
      trouble = next;
      only = paths;
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
