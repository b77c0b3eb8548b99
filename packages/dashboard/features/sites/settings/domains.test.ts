import assert from "node:assert/strict";
import { test } from "node:test";
import { parseHostName } from "@stile/core/domain/site/host-name";
import fc from "fast-check";
import { cleanDomains } from "./domains.ts";

test("pasted addresses become host names, and the note says which (D13)", () => {
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

test("a bare host name is taken without a note, whatever its case", () => {
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

test("what is no host stays as it was typed, so that the service names it, and is never guessed at (D13)", () => {
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

test("lines, blanks and commas part domains; repeats and empty lines vanish; the order stays", () => {
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

test("hosts that share a line are named in the note, since a blank may be a slip; one on a line of its own is not", () => {
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

test("a host that the service takes is never changed by the form, bare or as an address with all that may stand around it", () => {
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

test("what the form makes of anything stays what it is when it is cleaned again", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (text) => {
      const { domains } = cleanDomains(text);
      assert.deepEqual(cleanDomains(domains.join("\n")).domains, domains);
      assert.equal(new Set(domains).size, domains.length);
    }),
    { seed: 12, numRuns: 500 },
  );
});
