import assert from "node:assert/strict";
import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { test } from "node:test";
import { corsHeaders, preflightHeaders } from "../answer/cors.ts";
import { findPageHost, hostOfOrigin } from "./origin.ts";

function requestWith(headers: Readonly<Record<string, string>>): IncomingMessage {
  const request = new IncomingMessage(new Socket());
  Object.assign(request.headers, headers);
  return request;
}

test("reads the host of a web origin, in lower case and without its port (D8, challenge)", () => {
  const table = {
    "https://shop.example": "shop.example",
    "http://shop.example:8080": "shop.example",
    "https://SHOP.example": "shop.example",
    "http://localhost:3000": "localhost",
    "http://[::1]:3000": "[::1]",
    "http://127.0.0.1": "127.0.0.1",
  };
  for (const [origin, host] of Object.entries(table))
    assert.equal(hostOfOrigin(origin), host, origin);
});

test("reads the host of an app's page with the app's own scheme (D8, challenge)", () => {
  for (const origin of ["capacitor://localhost", "ionic://localhost", "tauri://localhost"])
    assert.equal(hostOfOrigin(origin), "localhost", origin);
  assert.equal(hostOfOrigin("app://shop.example"), "shop.example");
});

test("finds no host in anything but an origin: null, other schemes, paths, credentials, lists (D8, challenge; D9, submission)", () => {
  const texts = [
    "null",
    "",
    "shop.example",
    "file://",
    "file://shop.example",
    "chrome-extension://abc",
    "data://shop.example",
    "xcapacitor://localhost",
    "capacitor://localhost/index.html",
    "capacitor://",
    "https://shop.example/",
    "https://a@shop.example",
  ];
  texts.push(
    "https://shop.example https://evil.example",
    "https://shop.example, https://evil.example",
    "https://",
    "https://a:b:c",
  );
  texts.push(
    "https://evil.example#shop.example",
    "https://evil.example\\.shop.example",
    "javascript:https://shop.example",
    "https://[1.2.3.4]",
  );
  for (const text of texts) assert.equal(hostOfOrigin(text), undefined, text);
});

test("finds the page by Origin, else by Referer, else unknown; an unusable header is foreign (D8, challenge)", () => {
  const referer = "https://shop.example/page?q=1#x";
  assert.deepEqual(findPageHost(requestWith({ origin: "https://a.example", referer })), {
    host: "a.example",
  });
  assert.deepEqual(findPageHost(requestWith({ referer })), { host: "shop.example" });
  assert.equal(findPageHost(requestWith({})), "unknown");
  assert.equal(
    findPageHost(requestWith({ origin: "null", referer })),
    "foreign",
    "a sandboxed page names its referrer",
  );
  assert.equal(findPageHost(requestWith({ referer: "about:client" })), "foreign");
  assert.equal(
    findPageHost(requestWith({ referer: "https://shop.example@evil.example/" })),
    "foreign",
  );
});

test("lets any origin read the widget's answers, without credentials, and informs caches (D8, challenge)", () => {
  const headers = corsHeaders(requestWith({ origin: "https://a.example" }));
  assert.deepEqual(
    [headers["Access-Control-Allow-Origin"], headers.Vary],
    ["https://a.example", "Origin"],
  );
  assert.equal("Access-Control-Allow-Credentials" in headers, false);
  assert.deepEqual(corsHeaders(requestWith({})), { Vary: "Origin" });
});

test("allows the endpoint's method and any header of a page's own fetch in a preflight, without credentials (D8, challenge)", () => {
  const headers = preflightHeaders(requestWith({ origin: "https://a.example" }), "POST");
  assert.deepEqual(
    [headers["Access-Control-Allow-Methods"], headers["Access-Control-Allow-Headers"]],
    ["POST", "Content-Type, Authorization, *"],
  );
  assert.equal("Access-Control-Allow-Credentials" in headers, false);
});
