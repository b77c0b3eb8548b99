import assert from "node:assert/strict";
import { test } from "node:test";
import {
  findOwnOrigin,
  isLoopbackHost,
  isOwnRead,
  isOwnWrite,
  isSecureOrigin,
  mayHavePlainCookies,
} from "./own-origin.ts";

const BASE = "https://stile.example";

function isOwn(origin: string | undefined, host: string, baseUrl?: string): boolean {
  return findOwnOrigin({ ...(origin !== undefined && { origin }), host }, baseUrl) !== undefined;
}

test("treats the Host header as the own origin without STILE_BASE_URL, default ports left out", () => {
  for (const [origin, host] of [
    ["http://localhost:8787", "localhost:8787"],
    ["https://stile.example", "stile.example"],
    ["https://stile.example", "stile.example:443"],
    ["http://stile.example", "STILE.example:80"],
    ["http://[::1]:8787", "[::1]:8787"],
  ] as const) {
    assert.equal(isOwn(origin, host), true, `${origin} at ${host}`);
  }
});

test("treats an origin of another host, port or form as foreign", () => {
  for (const origin of [
    undefined,
    "",
    "null",
    "https://evil.example",
    "https://stile.example:8443",
    "https://stile.example.evil.example",
    "https://evil-stile.example",
    "https://STILE.example",
    "https://stile.example/",
    "https://stile.example/dashboard",
    "https://stile.example#",
    "https://stile.example, https://evil.example",
    "https://user@stile.example",
    "https://stile.example:443",
    "stile.example",
    "//stile.example",
    "ftp://stile.example",
    "file://stile.example",
    "chrome-extension://stile.example",
  ]) {
    assert.equal(isOwn(origin, "stile.example"), false, `${origin}`);
    assert.equal(isOwn(origin, "stile.example", BASE), false, `${origin} with a base URL`);
  }
});

test("rejects an origin longer than any host without parsing it, even if Host has that name", () => {
  const host = (length: number): string => "a.".repeat(length / 2) + "b".repeat(1 + (length % 2));
  const at = (name: string): boolean => isOwn(`https://${name}:65535`, `${name}:65535`);
  assert.deepEqual([at(host(252)), at(host(253))], [true, false]);
});

test("accepts the origin of STILE_BASE_URL with any Host that a proxy sends, and no other origin", () => {
  assert.equal(isOwn("https://stile.example", "10.0.0.7:8787", `${BASE}/below`), true);
  assert.equal(isOwn("http://stile.example", "stile.example", BASE), false, "not in the clear");
  assert.equal(isOwn("https://rebound.example", "rebound.example", BASE), false, "a rebound name");
});

test("lets the operator use a loopback name, and no other, in addition to STILE_BASE_URL", () => {
  assert.equal(isOwn("http://localhost:8787", "localhost:8787", BASE), true);
  assert.equal(isOwn("http://127.0.0.1:8787", "127.0.0.1:8787", BASE), true);
  assert.equal(
    isOwn("http://localhost:8787", "stile.example", BASE),
    false,
    "another service on the visitor's machine",
  );
  assert.equal(isOwn("http://localhost:3000", "localhost:8787", BASE), false, "another port");
});

test("treats only this machine's names as loopback", () => {
  for (const host of ["localhost", "a.localhost", "127.0.0.1", "127.255.0.9", "[::1]"]) {
    assert.equal(isLoopbackHost(host), true, host);
  }
  for (const host of [
    "localhost.evil.example",
    "127.0.0.1.evil.example",
    "evillocalhost",
    "128.0.0.1",
    "[::2]",
    "0.0.0.0",
    "10.0.0.1",
  ]) {
    assert.equal(isLoopbackHost(host), false, host);
  }
});

test("expects browsers to keep a session's cookie over https and on this machine, nowhere else", () => {
  assert.equal(isSecureOrigin(new URL("https://stile.example")), true);
  assert.equal(isSecureOrigin(new URL("http://localhost:8787")), true);
  assert.equal(isSecureOrigin(new URL("http://stile.example")), false);
  assert.equal(isSecureOrigin(new URL("http://192.168.1.5:8787")), false);
});

test("allows plain cookies over http on this machine alone, by the origin of a write or a page's read, else by Host", () => {
  const mayAt = (host: string | undefined, origin?: string, referer?: string) =>
    mayHavePlainCookies({ host, referer }, origin === undefined ? undefined : new URL(origin));
  for (const host of [
    "localhost:8787",
    "localhost",
    "127.0.0.1:1",
    "[::1]:8787",
    "stile.localhost:80",
  ]) {
    assert.deepEqual(
      [mayAt(host), mayAt(host, `http://${host}`), mayAt(host, `https://${host}`)],
      [true, true, false],
    );
  }
  // As behind a proxy that does not forward the Host.
  assert.equal(mayAt("127.0.0.1:8787", "https://stile.example"), false);
  const pages = [
    "https://stile.example/dashboard/sites",
    "https://127.0.0.1:8787/",
    "http://stile.example/",
    "",
    "x",
  ];
  for (const page of pages) assert.equal(mayAt("127.0.0.1:8787", undefined, page), false, page);
  for (const rest of ["", "/", `/dashboard/sites?next=${"%2F".repeat(2000)}`]) {
    assert.equal(
      mayAt("127.0.0.1:8787", undefined, `http://127.0.0.1:8787${rest}`),
      true,
      rest.slice(0, 20),
    );
  }
  const far = [
    "stile.example",
    "localhost.evil.example",
    "192.168.1.5:8787",
    "",
    "no host",
    `${"a".repeat(9999)}.localhost`,
  ];
  for (const host of [undefined, ...far]) assert.equal(mayAt(host), false, String(host));
});

test("requires same-origin if Sec-Fetch-Site is sent; reads may also be typed", () => {
  const own = { origin: "http://localhost:8787", host: "localhost:8787" };
  for (const [site, write, read] of [
    ["same-origin", true, true],
    ["none", false, true],
    ["same-site", false, false],
    ["cross-site", false, false],
    ["same-origin, cross-site", false, false],
  ] as const) {
    assert.equal(isOwnWrite({ ...own, "sec-fetch-site": site }, undefined), write, site);
    assert.equal(isOwnRead({ ...own, "sec-fetch-site": site }, undefined), read, site);
  }
  assert.equal(isOwnWrite(own, undefined), true);
  assert.equal(isOwnWrite({ host: own.host }, undefined), false);
  assert.equal(isOwnRead({ host: own.host }, undefined), true);
});
