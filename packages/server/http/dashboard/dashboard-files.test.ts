import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { gunzipSync } from "node:zlib";
import { createDashboardPages, loadDashboardFiles } from "./dashboard-files.ts";

const directory = mkdtempSync(join(tmpdir(), "stile-dashboard-"));
after(() => rmSync(directory, { recursive: true }));
mkdirSync(join(directory, "assets"));
writeFileSync(join(directory, "index.html"), "<!doctype html><title>Stile</title>");
writeFileSync(join(directory, "assets", "main-abc.js"), "export const answer = 42;\n");
writeFileSync(join(directory, "assets", "main-abc.css"), "body{}");
writeFileSync(join(directory, "assets", "main-abc.js.map"), "{}");
writeFileSync(join(directory, "secret.txt"), "secret");
const pages = createDashboardPages(loadDashboardFiles(directory));

test("every page's address answers the one page, under a policy without exceptions, never framed", async () => {
  for (const path of ["/dashboard", "/dashboard/", "/dashboard/sites/pk_x/settings", "/dashboard/link"]) {
    const response = await pages.request(path);
    assert.equal(response.status, 200, path);
    assert.equal(response.headers.get("content-type"), "text/html; charset=utf-8");
    const policy = response.headers.get("content-security-policy") ?? "";
    assert.doesNotMatch(policy, /unsafe|\*|data:|blob:|https?:/);
    for (const rule of ["default-src 'none'", "frame-ancestors 'none'", "require-trusted-types-for 'script'"]) {
      assert.ok(policy.includes(rule), rule);
    }
    assert.equal(response.headers.get("x-frame-options"), "DENY");
    assert.equal(response.headers.get("cross-origin-opener-policy"), "same-origin");
    assert.equal(response.headers.get("access-control-allow-origin"), null);
    assert.equal(response.headers.get("cache-control"), "no-cache");
    assert.match(await response.text(), /<title>Stile/);
  }
});

test("what the page loads is kept forever, compressed for who can read it", async () => {
  const plain = await pages.request("/dashboard/assets/main-abc.js");
  assert.equal(plain.headers.get("cache-control"), "public, max-age=31536000, immutable");
  assert.equal(plain.headers.get("content-type"), "text/javascript; charset=utf-8");
  assert.equal(plain.headers.get("content-encoding"), null);
  const zipped = await pages.request("/dashboard/assets/main-abc.js", { headers: { "accept-encoding": "gzip, br" } });
  assert.equal(zipped.headers.get("content-encoding"), "gzip");
  assert.equal(gunzipSync(await zipped.bytes()).toString(), await plain.text());
  const etag = plain.headers.get("etag") ?? "";
  const known = await pages.request("/dashboard/assets/main-abc.js", { headers: { "if-none-match": etag } });
  assert.equal(known.status, 304);
});

test("no other file of the machine has an address", async () => {
  for (const name of ["main-abc.js.map", "..%2findex.html", "..%2f..%2fsecret.txt", "%2e%2e/secret.txt", "__proto__"]) {
    const response = await pages.request(`/dashboard/assets/${name}`);
    assert.notEqual(await response.text(), "secret", name);
    if (!name.includes("/")) assert.equal(response.status, 404, name);
  }
  assert.notEqual(await (await pages.request("/dashboard/secret.txt")).text(), "secret");
});

test("a missing build says what makes it", () => {
  assert.throws(() => loadDashboardFiles(join(directory, "assets")), /is missing\. Start with "npm start"/);
});
