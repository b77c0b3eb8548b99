import assert from "node:assert/strict";
import { test } from "node:test";
import { parseHostName } from "@stile/core/domain/site/host-name";
import fc from "fast-check";
import { cleanDomains } from "./domains.ts";

test("turns pasted addresses into host names, and says in the note which (D13, formats)", () => {
  const table: Record<string, string> = {
    "https://Shop.Example.org/cart?x=1#y": "shop.example.org",
    "http://user:secret@example.org:8443/": "example.org",
    "example.org:3000": "example.org",
    "localhost:5173": "localhost",
    "//example.org/x": "example.org",
    "*.example.org": "example.org",
    "https://*.example.org/": "example.org",
    "example.org/": "example.org",
    "example.org.": "example.org",
    "müller.example": "xn--mller-kva.example",
    "::1": "[::1]",
    "http://[::1]:80/": "[::1]",
    "[2001:DB8:0::1]": "[2001:db8::1]",
  };
  for (const [typed, host] of Object.entries(table)) {
    assert.deepEqual(cleanDomains(typed), { domains: [host], cleaned: [{ typed, host }] }, typed);
  }
});

test("accepts a bare host name without a note, in upper or lower case", () => {
  for (const typed of [
    "example.org",
    "Example.ORG",
    "localhost",
    "127.0.0.1",
    "_dmarc.example.org",
  ]) {
    assert.deepEqual(cleanDomains(typed), { domains: [typed.toLowerCase()], cleaned: [] }, typed);
  }
});

test("leaves an entry that is not a host as typed, so that the service names it, and never guesses (D13, formats)", () => {
  for (const typed of [
    "1.2.3",
    "a..b",
    "http://",
    "https:///",
    "exa<mple",
    "a%00b",
    "ex|ample.org",
  ]) {
    assert.deepEqual(cleanDomains(typed).domains, [typed], typed);
  }
});

test("separates domains by lines, blanks and commas, drops repeats and empty lines, and keeps the order", () => {
  const { domains, cleaned } = cleanDomains(
    "b.example\r\n\n a.example, b.example;https://b.example/\tc.example",
  );
  assert.deepEqual(domains, ["b.example", "a.example", "c.example"]);
  assert.deepEqual(
    new Set(cleaned.map(({ host }) => host)),
    new Set(domains),
    "each of them shares a line somewhere",
  );
  assert.deepEqual(cleanDomains(" \n "), { domains: [], cleaned: [] });
});

test("names hosts that share a line in the note, since a blank may be a slip, but not one on its own line", () => {
  const { domains, cleaned } = cleanDomains("foo bar\n shop.example \nnews.example,");
  assert.deepEqual(domains, ["foo", "bar", "shop.example", "news.example"]);
  assert.deepEqual(cleaned, [
    { typed: "foo", host: "foo" },
    { typed: "bar", host: "bar" },
  ]);
});

const label = fc.stringMatching(/^[a-z0-9_]([a-z0-9_-]{0,10}[a-z0-9_])?$/);
const hostName = fc
  .oneof(
    fc.array(label, { minLength: 1, maxLength: 4 }).map((labels) => labels.join(".")),
    fc.ipV4(),
    fc.ipV6().map((address) => `[${address}]`),
  )
  .map(parseHostName)
  .filter((host) => host !== undefined);

test("never changes a host that the service accepts, bare or inside an address", () => {
  const around = fc.record({
    scheme: fc.constantFrom("https://", "http://", "//", "HTTPS://"),
    port: fc.constantFrom("", ":8443"),
    rest: fc.constantFrom("", "/", "/a/b?c=d#e", "/?x=1"),
  });
  fc.assert(
    fc.property(hostName, around, (host, { scheme, port, rest }) => {
      assert.deepEqual(cleanDomains(host), { domains: [host], cleaned: [] });
      assert.deepEqual(cleanDomains(`${scheme}${host}${port}${rest}`).domains, [host]);
    }),
    { seed: 11 },
  );
});

test("does not change its own result when it cleans again", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (text) => {
      const { domains } = cleanDomains(text);
      assert.deepEqual(cleanDomains(domains.join("\n")).domains, domains);
      assert.equal(new Set(domains).size, domains.length);
    }),
    { seed: 12, numRuns: 500 },
  );
});
