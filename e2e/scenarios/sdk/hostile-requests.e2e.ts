// Requests that a visitor forges or breaks off on purpose, against the server SDK for Node. Its
// service is down and visitors pass meanwhile, so whatever the SDK takes for a token would pass.
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { suite, test } from "node:test";
import { findFreePort } from "@stile/testkit/free-port";
import express from "express";
import fastify from "fastify";
import { createStile, type NodeRequest, type Verification } from "../../../sdk/node/src/index.ts";

const stile = createStile({
  secretKey: "sk_test",
  baseUrl: `http://127.0.0.1:${await findFreePort()}`,
  onUnavailable: "accept",
});

type Json = { json(body: unknown): void };
type Body = { readonly "stile-response": string };

function assertMissing({ ok, reason }: Verification, sent = ""): void {
  assert.deepEqual([ok, reason, sent], [false, "missing_token", sent]);
}

suite("an upload that breaks off is refused, and the server keeps running", () => {
  for (const [contentType, body] of [
    ["application/json", "{"],
    ["application/x-www-form-urlencoded", "stile-response=token"],
    ["multipart/form-data; boundary=line", "--line\r\n"],
  ] as const) {
    test(`a Node request: ${contentType}`, async (t) => {
      const outcome = Promise.withResolvers<Verification>();
      const server = createServer((request) => {
        stile.verify(request).then(outcome.resolve, outcome.reject);
        visitor.destroy();
      }).listen(0, "127.0.0.1");
      t.after(() => server.close());
      await once(server, "listening");
      const visitor = connect((server.address() as AddressInfo).port, "127.0.0.1");
      const head = `POST / HTTP/1.1\r\nHost: a\r\nContent-Type: ${contentType}\r\nContent-Length: 1000`;
      visitor.write(`${head}\r\n\r\n${body}`);
      assertMissing(await outcome.promise);
    });
  }

  test("a web Request", async () => {
    const body = new ReadableStream({
      pull: (controller) => controller.error(new Error("The visitor hung up.")),
    });
    const headers = { "content-type": "application/json" };
    const init = { method: "POST", body, headers, duplex: "half" };
    assertMissing(await stile.verify(new Request("http://localhost/", init)));
  });
});

suite("a field that is no text is neither a token nor a request", () => {
  const forged = {
    headers: { "stile-response": "token", "user-agent": "Visitor/1", get: "x" },
    method: "GET",
    ip: "203.0.113.7",
    socket: { remoteAddress: "203.0.113.7", on: "x" },
  };
  const fields = [["a", "b"], {}, 7, true, null, { headers: [] }, { headers: {} }, forged];

  /** Sends each field as JSON, and one twice in a form; the answers are verifications. */
  async function sendAll(url: string): Promise<void> {
    const send = async (init: RequestInit): Promise<Verification> =>
      (await (await fetch(url, { method: "POST", ...init })).json()) as Verification;
    const headers = { "content-type": "application/json" };
    for (const field of fields) {
      const body = JSON.stringify({ "stile-response": field });
      assertMissing(await send({ headers, body }), body);
    }
    const twice = new URLSearchParams([..."ab"].map((token) => ["stile-response", token]));
    assertMissing(await send({ body: twice }));
    const nested = new URLSearchParams({ "stile-response[headers][stile-response]": "token" });
    assertMissing(await send({ body: nested }));
  }

  test("from Express, as the field or the whole request", async (t) => {
    const app = express();
    app.use(express.json(), express.urlencoded({ extended: true }));
    app.post("/field", async ({ body }: { body: Body }, response: Json) => {
      response.json(await stile.verify(body["stile-response"]));
    });
    app.post("/request", async (request: NodeRequest, response: Json) => {
      response.json(await stile.verify(request));
    });
    const server = app.listen(0, "127.0.0.1");
    t.after(() => {
      server.closeAllConnections();
      server.close();
    });
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    for (const path of ["field", "request"]) await sendAll(`http://127.0.0.1:${port}/${path}`);
  });

  test("from Fastify, as the field or the whole request", async (t) => {
    const app = fastify();
    t.after(() => app.close());
    app.addContentTypeParser(
      "application/x-www-form-urlencoded",
      { parseAs: "string" },
      async (_request: unknown, text: string) => {
        const form = new URLSearchParams(text);
        return Object.fromEntries([...form.keys()].map((name) => [name, form.getAll(name)]));
      },
    );
    app.post<{ Body: Body }>("/field", ({ body }) => stile.verify(body["stile-response"]));
    app.post("/request", (request) => stile.verify(request));
    const url = await app.listen({ port: 0, host: "127.0.0.1" });
    for (const path of ["field", "request"]) await sendAll(`${url}/${path}`);
  });

  test("from a web request", async () => {
    for (const field of fields) {
      const body = JSON.stringify({ "stile-response": field });
      const init = { method: "POST", body, headers: { "content-type": "application/json" } };
      assertMissing(await stile.verify(new Request("http://localhost/", init)));
    }
  });
});

test("finds the token beside a field of 900,000 characters", async () => {
  const body = new FormData();
  body.set("message", "a".repeat(900_000));
  body.set("stile-response", "token");
  const request = new Request("http://localhost/", { method: "POST", body });
  const { ok, reason } = await stile.verify(request);
  assert.deepEqual([ok, reason], [true, "unavailable"]);
});
