import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { isHostAllowed, isTestingHost, parseHostName } from "./host-name.ts";

test("accepts host names in lower case without the trailing dot, and addresses (D13, formats)", () => {
  const table = {
    "example.org": "example.org",
    "Shop.Example.ORG": "shop.example.org",
    "example.org.": "example.org",
    localhost: "localhost",
    "xn--mller-kva.example": "xn--mller-kva.example",
    "_dmarc.example.org": "_dmarc.example.org",
    "a-b.example": "a-b.example",
    "127.0.0.1": "127.0.0.1",
    "[::1]": "[::1]",
    "[2001:DB8::1]": "[2001:db8::1]",
  };
  for (const [text, host] of Object.entries(table)) assert.equal(parseHostName(text), host, text);
});

test("rejects texts that are no host name: schemes, ports, paths, wildcards, spaces, foreign letters (D13, formats)", () => {
  const texts = [
    "",
    ".",
    "..",
    "a..b",
    ".a",
    "a.b..",
    "https://a.b",
    "a.b:80",
    "a.b/c",
    "*.a.b",
    "a b",
    "müller.example",
  ];
  texts.push(
    "-a.b",
    "a-.b",
    "a@b",
    "a?b",
    "a#b",
    "a\\b",
    "a\n",
    "[a]",
    "[1.2.3.4]",
    "[::1",
    "::1",
    "1.2.3",
    "1.2.3.256",
  );
  texts.push("1.2.3.04", "7", "example.1", `${"a".repeat(64)}.b`, `${"a.".repeat(128)}`);
  for (const text of texts) assert.equal(parseHostName(text), undefined, text);
});

test("accepts labels up to 63 and names up to 253 characters (D4, sealed token)", () => {
  const longest = `${`${"a".repeat(63)}.`.repeat(3)}${"b".repeat(61)}`;
  assert.equal(longest.length, 253);
  assert.equal(parseHostName(longest), longest);
  assert.equal(parseHostName(`${longest}b`), undefined);
});

test("an accepted host is the one a browser would send for it, and stays stable (D8, challenge)", () => {
  const labels = fc.string({
    unit: fc.constantFrom(..."aZ09-_.[]:é"),
    minLength: 1,
    maxLength: 12,
  });
  fc.assert(
    fc.property(fc.oneof(labels, fc.domain(), fc.ipV4()), (text) => {
      const host = parseHostName(text);
      if (host === undefined) return;
      assert.equal(parseHostName(host), host);
      assert.match(host, /^[a-z0-9._-]+$|^\[[0-9a-f:.]+\]$/);
      if (!host.startsWith("[") && !host.includes("xn--"))
        assert.equal(new URL(`http://${host}`).hostname, host);
    }),
  );
});

test("allows the site's domains and all their subdomains, but no name that only looks like one (D8, challenge)", () => {
  const domains = ["example.org", "localhost", "192.0.2.7", "[::1]"];
  const allowed = [
    "example.org",
    "www.example.org",
    "a.b.example.org",
    "localhost",
    "app.localhost",
    "192.0.2.7",
    "[::1]",
  ];
  for (const host of allowed) assert.equal(isHostAllowed(host, domains), true, host);
  const foreign = [
    "evil.org",
    "notexample.org",
    "example.org.evil.com",
    "org",
    "1.192.0.2.7",
    "192.0.2.8",
    "[::2]",
    "",
  ];
  for (const host of foreign) assert.equal(isHostAllowed(host, domains), false, host);
  assert.equal(isHostAllowed("example.org", []), false);
});

test("recognises hosts that only serve for testing (D13, formats)", () => {
  for (const host of ["localhost", "127.0.0.1", "[::1]"])
    assert.equal(isTestingHost(host), true, host);
  for (const host of ["example.org", "localhost.example.org", "1a.example"])
    assert.equal(isTestingHost(host), false);
});

test("an IPv6 host has the one spelling that browsers send, so that it matches (D8, challenge; D13, formats)", () => {
  const spellings = [
    ["[0:0:0:0:0:0:0:1]", "[::1]"],
    ["[2001:DB8:0:0:1:0:0:1]", "[2001:db8::1:0:0:1]"],
    ["[2001:db8::]", "[2001:db8::]"],
    ["[::]", "[::]"],
    ["[1:0:2:0:0:3:0:4]", "[1:0:2::3:0:4]"],
    ["[10:20:30:40:50:60:70:80]", "[10:20:30:40:50:60:70:80]"],
    ["[1:0:3:4:5:6:7:8]", "[1:0:3:4:5:6:7:8]"],
  ];
  for (const [text = "", expected] of spellings) {
    assert.equal(parseHostName(text), expected);
    assert.equal(
      new URL(`http://${text}`).hostname,
      expected,
      "the platform spells it the same way",
    );
  }
});
