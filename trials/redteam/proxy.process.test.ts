import assert from "node:assert/strict";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { after, test } from "node:test";
import { openProxy, urlsOf } from "./proxy.ts";

/** The requests that a service behind the proxy receives. */
const heard: {
  url: string | undefined;
  headers: IncomingHttpHeaders;
  raw: string[];
  body: string;
}[] = [];
const service: Server = createServer(async (request, response) => {
  let body = "";
  for await (const part of request) body += part;
  heard.push({ url: request.url, headers: request.headers, raw: request.rawHeaders, body });
  response.writeHead(418, { "X-Own": "kept" }).end("answered");
});
await new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve));

const ADDRESSES: Readonly<Record<string, string>> = { v0: "198.18.0.10", v1: "198.18.1.11" };
const proxy = await openProxy((service.address() as AddressInfo).port, {
  answer: async (name, _request, response) => void response.end(`shop of ${name}`),
  addressOf: (name) => ADDRESSES[name],
});
after(() => {
  proxy.server.close();
  proxy.server.closeAllConnections();
  service.close();
  service.closeAllConnections();
});

const local = `http://127.0.0.1:${proxy.port}`;

test("passes a visit to the service from its own address, whatever address it claims", async () => {
  for (const name of ["v0", "v1"]) {
    const headers = { "X-Forwarded-For": "203.0.113.9", "X-Own": name };
    const answer = await fetch(`${urlsOf(proxy.port, name).raw}/api/v1/pow/challenge?x=1`, {
      headers,
    });
    assert.equal(answer.status, 418);
    assert.equal(answer.headers.get("x-own"), "kept");
    const last = heard.at(-1);
    assert.equal(last?.url, "/api/v1/pow/challenge?x=1");
    assert.equal(last?.headers["x-forwarded-for"], ADDRESSES[name]);
    assert.equal(last?.headers["x-own"], name);
  }
});

test("keeps a visit's last submission for replays, and no other request", async () => {
  const base = urlsOf(proxy.port, "v0").raw;
  await fetch(`${base}/api/v1/token/verify`, { method: "POST", body: "other" });
  assert.equal(proxy.overheard("v0"), undefined);
  await fetch(`${base}/api/v1/verify`, { method: "POST", body: "mine" });
  assert.equal(proxy.overheard("v0")?.body, "mine");
  assert.equal(heard.at(-1)?.body, "mine");
  assert.equal(proxy.overheard("v1"), undefined);
});

test("passes nothing on for a visit that was not opened", async () => {
  const before = heard.length;
  assert.equal((await fetch(`${local}/as/v9/api/v1/verify`)).status, 404);
  assert.equal(heard.length, before);
});

test("takes all other hosts for shops", async () => {
  assert.equal(await (await fetch(`${local}/`)).text(), "shop of 127");
});
