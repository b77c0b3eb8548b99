import assert from "node:assert/strict";
import { test } from "node:test";
import { pathInQuery, returnPath } from "./gate-request.ts";

test("returns to a path of the protected host, unchanged", () => {
  for (const path of ["/", "/a?b=1&c=https://evil.test/", "/a/%2F/b", "/gates", "/@evil.test"])
    assert.equal(returnPath(path), path);
});

test("never returns to another host, however a browser reads the text", () => {
  const texts = [
    "//evil.test",
    "/\\evil.test",
    "/\t/evil.test",
    "/.//evil.test",
    "/x/..//evil.test",
    "/%2e//evil.test",
    "/%2E%2E//evil.test",
    "///evil.test",
    "https://evil.test/",
    "javascript:alert(1)",
    "evil.test",
    "",
    "/ü",
    "/a\r\nSet-Cookie: x",
    "/[",
    `/${"a".repeat(2001)}`,
  ];
  for (const text of texts) {
    const path = returnPath(text);
    const url = new URL(path, "https://shop.example");
    assert.equal(url.origin, "https://shop.example", text);
    assert.doesNotMatch(path, /^\/[/\\]|[\r\n]/, text);
  }
});

test("never returns to the gate itself, which would go in a circle", () => {
  for (const path of ["/gate", "/gate?to=/", "/gate/check", "/x/../gate"])
    assert.equal(returnPath(path), "/");
});

test("reads a path that a proxy appended without escaping, with its query", () => {
  assert.equal(pathInQuery("/gate?to=/a?b=1&c=2"), "/a?b=1&c=2");
  assert.equal(pathInQuery("/gate"), "/");
  assert.equal(pathInQuery("/gate?to=//evil.test"), "/");
});
