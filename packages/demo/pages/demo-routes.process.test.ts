import assert from "node:assert/strict";
import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { createServer } from "node:net";
import { after, test } from "node:test";
import { serveRoutes } from "@stile/testkit/contract/serve-routes";
import { createDemoRoutes } from "./demo-routes.ts";

/** An address where nothing listens. */
async function closedAddress(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  assert.ok(typeof address === "object" && address !== null);
  return `http://127.0.0.1:${address.port}`;
}

const base = await closedAddress();
const siteKey = "pk_0123456789abcdefghijkl";
const secretKey = `sk_${"s".repeat(49)}`;
const served = await serveRoutes(
  createDemoRoutes({
    baseUrl: () => base,
    siteKey,
    secretKey,
    addressOf: () => undefined,
    maySeeScore: () => Promise.resolve(false),
  }),
);
after(served.stop);
const ask = (path: string, init?: RequestInit) => fetch(served.baseUrl + path, init);

const submit = (body: string, type = "application/x-www-form-urlencoded") =>
  ask("/demo/submit", { method: "POST", body, headers: { "content-type": type } });

test("shows the site key in the form and never the secret key", async () => {
  const page = await (await ask("/demo")).text();
  assert.ok(page.includes(siteKey));
  assert.ok(!page.includes(secretKey));
});

test("serves its pages under a policy without inline code and with Trusted Types", async () => {
  for (const response of [await ask("/demo"), await submit("stile-response=x")]) {
    const policy = response.headers.get("content-security-policy") ?? "";
    assert.match(policy, /default-src 'none'/);
    assert.match(policy, /require-trusted-types-for 'script'; trusted-types 'none'/);
    assert.doesNotMatch(policy, /unsafe/);
    const page = await response.text();
    assert.doesNotMatch(page, /<script(?![^>]*\ssrc=)|<style|\sstyle=|\son[a-z]+=/);
    assert.equal(response.headers.get("x-frame-options"), "DENY");
  }
});

test("serves the style sheet and the script with their own media types", async () => {
  for (const [path, type] of [
    ["/demo/demo.css", "text/css"],
    ["/demo/demo.js", "text/javascript"],
  ] as const) {
    const response = await ask(path);
    assert.equal(response.status, 200);
    assert.ok(response.headers.get("content-type")?.startsWith(type));
    assert.ok((await response.text()).length > 100);
  }
});

test("lets nobody pass while the service does not answer, and says so on the page (D15, outage)", async () => {
  const page = await (await submit("stile-response=abc")).text();
  assert.match(page, /No verdict/);
  const answer = await submit(JSON.stringify({ "stile-response": "abc" }), "application/json");
  assert.deepEqual(await answer.json(), { passed: false, status: null, answer: null });
});

test("shows everything that was posted as text", async () => {
  const body = `stile-response=${encodeURIComponent('"><script>alert(1)</script>')}`;
  const type = "application/x-www-form-urlencoded";
  const headers = { "content-type": type, "user-agent": "<img src=x>" };
  const response = await ask("/demo/submit", { method: "POST", body, headers });
  const page = await response.text();
  assert.doesNotMatch(page, /<script>alert|<img/);
  assert.match(page, /&lt;script&gt;alert\(1\)/);
});

test("finds the token in any position among the fields of a form", async () => {
  for (const body of [
    "stile-response=a%2Bb+c",
    "email=a%40b&stile-response=a%2Bb+c&password=%ff",
    "x-stile-response=no&stile-response=a%2Bb+c&stile-response=no",
  ]) {
    assert.match(await (await submit(body)).text(), /&quot;token&quot;: &quot;a\+b c&quot;/, body);
  }
});

test("refuses a form that is too large", async () => {
  assert.equal((await submit(`stile-response=${"a".repeat(20_000)}`)).status, 413);
});

test("treats a body that is neither a form nor JSON as one without a token", async () => {
  for (const [body, type] of [
    ["{", "application/json"],
    ["[]", "application/json"],
    ['{"stile-response":7}', "application/json"],
    ["\u0000\u0001", "application/octet-stream"],
  ] as const) {
    const response = await submit(body, type);
    assert.equal(response.status, 200);
    if (type !== "application/json")
      assert.match(await response.text(), /&quot;token&quot;: &quot;&quot;/);
  }
});

test("refuses a form without a Content-Length before reading it", async () => {
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const sent = request(`${served.baseUrl}/demo/submit`, { method: "POST", headers });
  // In two pieces, because Node would announce the length of a single one.
  sent.write("stile-");
  sent.end("response=x");
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  assert.equal(response.statusCode, 411);
  response.resume();
});
