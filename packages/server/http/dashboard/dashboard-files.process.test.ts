import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { get, type IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { after, test } from "node:test";
import { gunzipSync } from "node:zlib";
import { serveRoutes } from "@stile/testkit/contract/serve-routes";
import { createDashboardPages, loadDashboardFiles } from "./dashboard-files.ts";

const directory = mkdtempSync(join(tmpdir(), "stile-dashboard-"));
after(() => rmSync(directory, { recursive: true }));
mkdirSync(join(directory, "assets"));
writeFileSync(join(directory, "index.html"), "<!doctype html><title>Stile</title>");
writeFileSync(join(directory, "assets", "main-abc.js"), "export const answer = 42;\n");
writeFileSync(join(directory, "assets", "main-abc.css"), "body{}");
writeFileSync(join(directory, "assets", "main-abc.js.map"), "{}");
writeFileSync(join(directory, "secret.txt"), "secret");
const pages = await serveRoutes(createDashboardPages(loadDashboardFiles(directory)));
after(pages.stop);
const ask = (path: string) => fetch(pages.baseUrl + path);

/** The answer as sent. No client library has changed the path or decoded the body. */
async function askAsWritten(path: string, headers: Readonly<Record<string, string>> = {}) {
  const [response] = (await once(get(new URL(pages.baseUrl), { path, headers }), "response")) as [
    IncomingMessage,
  ];
  return { status: response.statusCode, headers: response.headers, bytes: await buffer(response) };
}

test("serves the one page at every page's address, under a policy without exceptions, never framed", async () => {
  for (const path of [
    "/dashboard",
    "/dashboard/",
    "/dashboard/sites/pk_x/settings",
    "/dashboard/link",
  ]) {
    const response = await ask(path);
    assert.equal(response.status, 200, path);
    assert.equal(response.headers.get("content-type"), "text/html; charset=utf-8");
    const policy = response.headers.get("content-security-policy") ?? "";
    assert.doesNotMatch(policy, /unsafe|\*|data:|blob:|https?:/);
    for (const rule of [
      "default-src 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
    ]) {
      assert.ok(policy.includes(rule), rule);
    }
    assert.equal(response.headers.get("x-frame-options"), "DENY");
    assert.equal(response.headers.get("cross-origin-opener-policy"), "same-origin");
    assert.equal(response.headers.get("access-control-allow-origin"), null);
    assert.equal(response.headers.get("cache-control"), "no-store");
    assert.match(await response.text(), /<title>Stile/);
  }
});

test("keeps the page's files in caches without limit, and compresses them for browsers that accept it", async () => {
  const path = "/dashboard/assets/main-abc.js";
  const plain = await askAsWritten(path);
  assert.equal(plain.headers["cache-control"], "public, max-age=31536000, immutable");
  assert.equal(plain.headers["content-type"], "text/javascript; charset=utf-8");
  assert.equal(plain.headers["content-encoding"], undefined);
  const zipped = await askAsWritten(path, { "accept-encoding": "gzip, br" });
  assert.equal(zipped.headers["content-encoding"], "gzip");
  assert.deepEqual(gunzipSync(zipped.bytes), plain.bytes);
  assert.match(plain.bytes.toString(), /answer = 42/);
  const known = await askAsWritten(path, { "if-none-match": plain.headers.etag ?? "" });
  assert.deepEqual([known.status, known.bytes.length], [304, 0]);
});

test("serves no other file of the machine", async () => {
  for (const name of [
    "main-abc.js.map",
    "..%2findex.html",
    "..%2f..%2fsecret.txt",
    "%2e%2e/secret.txt",
    "__proto__",
  ]) {
    const answer = await askAsWritten(`/dashboard/assets/${name}`);
    assert.notEqual(answer.bytes.toString(), "secret", name);
    assert.equal(answer.status, 404, name);
  }
  assert.notEqual((await askAsWritten("/dashboard/secret.txt")).bytes.toString(), "secret");
});

test("names the command for a missing build", () => {
  assert.throws(
    () => loadDashboardFiles(join(directory, "assets")),
    /is missing\. Start with "npm start"/,
  );
});
