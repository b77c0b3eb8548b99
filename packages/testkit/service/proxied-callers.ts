import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import type { ReverseProxy } from "./reverse-proxy.ts";

/**
 * A plain-HTTP entrance to a proxy with an unknown certificate, for clients that cannot use that;
 * callers have that address.
 */
export type PlainWay = { readonly baseUrl: string; readonly close: () => void };

/** Opens it on a free loopback port. */
export async function openPlainWay(proxy: ReverseProxy, from: string): Promise<PlainWay> {
  const server = createServer(async (request, response) => {
    const {
      host: _,
      "content-length": __,
      connection: ___,
      ...headers
    } = request.headers as Record<string, string>;
    const body = request.method === "POST" ? await buffer(request) : undefined;
    const answer = await proxy.call({
      path: request.url ?? "/",
      headers,
      ...(body && { body }),
      from,
    });
    response.writeHead(answer.status === 0 ? 502 : answer.status, {
      "Content-Type": "application/json",
    });
    response.end(answer.body);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => server.close(),
  };
}

/** The final answer about a token for a customer's server, and the number of its tries. */
export type ProxiedVerdict = { readonly told: string; readonly asked: number };

/** After this many answers in a row without a verdict, there will be none. */
const MOST_ASKED = 200;

/**
 * Redeems a token through the proxy as a customer's server should: with an idempotency key, and
 * repeatedly until a verdict comes. No answer, or a status of 500 and more, is none.
 */
export async function redeemThrough(
  proxy: ReverseProxy,
  secretKey: string,
  token: string,
): Promise<ProxiedVerdict> {
  const headers = { Authorization: `Bearer ${secretKey}`, "Content-Type": "application/json" };
  const body = JSON.stringify({ token, idempotency_key: crypto.randomUUID() });
  let last = "";
  for (let asked = 1; asked <= MOST_ASKED; asked++) {
    const answer = await proxy.call({ path: "/api/v1/token/verify", headers, body });
    last = `${answer.status} ${answer.body}`;
    if (answer.status === 0 || answer.status >= 500) continue;
    const { data, reasonCode } = JSON.parse(answer.body) as {
      data?: { verified: boolean };
      reasonCode?: string;
    };
    return { told: data?.verified === true ? "verified" : (reasonCode ?? last), asked };
  }
  return { told: last, asked: MOST_ASKED };
}
