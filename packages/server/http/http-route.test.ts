import assert from "node:assert/strict";
import { test } from "node:test";
import { createRouteTable, type HttpRoute } from "./http-route.ts";

const row = (method: HttpRoute["method"], path: string): HttpRoute => ({
  method,
  path,
  handle: () => ({ status: 200, body: undefined }),
});

const find = createRouteTable([
  row("GET", "/pages/*"),
  row("GET", "/pages"),
  row("ALL", "/pages/api/*"),
  row("POST", "/pages/api/own"),
]);
const pathAt = (method: string, path: string): string | undefined => find(method, path)?.path;

test("prefers an exact path to the prefixes that match it, and the longest of those to shorter ones", () => {
  assert.equal(pathAt("GET", "/pages"), "/pages");
  assert.equal(pathAt("GET", "/pages/"), "/pages/*");
  assert.equal(pathAt("GET", "/pages/api"), "/pages/*");
  assert.equal(pathAt("GET", "/pages/api/x/y"), "/pages/api/*");
  assert.equal(pathAt("POST", "/pages/api/own"), "/pages/api/own");
});

test("takes HEAD and nothing else with a row for GET, and everything with a row for ALL", () => {
  for (const [method, isTaken] of [
    ["GET", true],
    ["HEAD", true],
    ["POST", false],
    ["OPTIONS", false],
    ["get", false],
  ] as const) {
    assert.equal(pathAt(method, "/pages") !== undefined, isTaken, method);
    assert.equal(pathAt(method, "/pages/api/x"), "/pages/api/*");
  }
  assert.equal(pathAt("HEAD", "/pages/api/own"), undefined);
});

test("takes the preflight too with a row that has CORS", () => {
  const table = createRouteTable([{ ...row("GET", "/read"), corsMethod: "GET" }]);
  const taken = ["GET", "HEAD", "OPTIONS", "POST"].filter(
    (method) => table(method, "/read") !== undefined,
  );
  assert.deepEqual(taken, ["GET", "HEAD", "OPTIONS"]);
});

test("compares paths as they were sent, so that no other spelling matches", () => {
  for (const path of [
    "/Pages",
    "//pages",
    "/%70ages",
    "/x/../pages",
    "/pagesx",
    "/pages?x",
    "",
    "__proto__",
  ]) {
    assert.equal(pathAt("GET", path), undefined, path);
  }
});

test("throws at the start if two rows have the same path", () => {
  assert.throws(() => createRouteTable([row("GET", "/a"), row("POST", "/a")]), /the same path/);
});
