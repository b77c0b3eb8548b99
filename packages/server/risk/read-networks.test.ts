import assert from "node:assert/strict";
import { test } from "node:test";
import { formatNetwork } from "@stile/core/domain/visitor/network-list";
import { readAsTable, readNetworks } from "./read-networks.ts";

const textsOf = ({ networks }: ReturnType<typeof readNetworks>): string[] =>
  networks.map(formatNetwork);

test("reads a network per line, and ignores comments, blank lines, blanks and the kind of line ends", () => {
  const text =
    "\uFEFF# exits\r\n203.0.113.7 # one\r\n\r\n  198.51.100.0/24\t\n192.0.2.1-192.0.2.9\n2001:db8::/32";
  assert.deepEqual(readNetworks(text).problems, []);
  assert.deepEqual(textsOf(readNetworks(text)), [
    "203.0.113.7",
    "198.51.100.0-198.51.100.255",
    "192.0.2.1-192.0.2.9",
    "2001:db8:0:0:0:0:0:0-2001:db8:ffff:ffff:ffff:ffff:ffff:ffff",
  ]);
});

test("reports junk with its line number, cut to fit a terminal", () => {
  const { problems } = readNetworks(
    `203.0.113.7\n<html>\n# fine\n0.0.0.0/0\n${"x".repeat(5000)}\nAS13335`,
  );
  assert.deepEqual(
    problems.map(({ where }) => where),
    ["line 2", "line 4", "line 5", "line 6"],
  );
  assert.ok(problems.every(({ text }) => text.length <= 60));
});

test("reads publishers' JSON with the usual names, in objects or plain", () => {
  const document = {
    createDate: "2026-01-01",
    prefixes: [
      { ip_prefix: "3.5.140.0/22", region: "x" },
      { ipv4Prefix: "34.1.208.0/20" },
      "192.0.2.0/24",
    ],
    ipv6_prefixes: [
      { ipv6_prefix: "2600:1f14::/35" },
      { ipv6Prefix: "2600:1900::/35" },
      { cidr: "2001:db8::/48" },
    ],
  };
  const reading = readNetworks(JSON.stringify(document));
  assert.deepEqual([reading.networks.length, reading.problems], [6, []]);
});

test("reports the place of anything else in JSON, and never guesses", () => {
  const document = {
    prefixes: [{ ip_prefix: "3.5.140.0/22" }, { region: "x" }, 7, null, { ip_prefix: 7 }, "junk"],
  };
  assert.deepEqual(
    readNetworks(JSON.stringify(document)).problems.map(({ where }) => where),
    ["prefixes[1]", "prefixes[2]", "prefixes[3]", "prefixes[4]", "prefixes[5]"],
  );
  for (const text of [
    "{",
    '{"networks":["192.0.2.0/24"]}',
    '{"prefixes":{}}',
    '{"__proto__":{"prefixes":["1.1.1.1"]}}',
  ]) {
    assert.deepEqual(readNetworks(text).networks, [], text);
    assert.equal(readNetworks(text).problems.length, 1, text);
  }
});

test("replaces AS numbers by the ranges in a table", () => {
  const table = readAsTable(
    [
      "1.0.0.0\t1.0.0.255\t13335\tUS\tCLOUDFLARENET",
      "1.0.1.0\t1.0.3.255\t0\tNone\tNot routed",
      "junk",
      "2001:db8::\t2001:db8:0:ffff:ffff:ffff:ffff:ffff\t13335\tUS\tCLOUDFLARENET",
    ].join("\n"),
  );
  const reading = readNetworks("AS13335\nas64500\nAS0\n203.0.113.7", table);
  assert.deepEqual(
    reading.problems.map(({ text }) => text),
    ["as64500", "AS0"],
  );
  assert.deepEqual(textsOf(reading), [
    "1.0.0.0-1.0.0.255",
    "2001:db8:0:0:0:0:0:0-2001:db8:0:ffff:ffff:ffff:ffff:ffff",
    "203.0.113.7",
  ]);
});
