import assert from "node:assert/strict";
import { BlockList } from "node:net";
import { test } from "node:test";
import fc from "fast-check";
import { parseIpAddress } from "./ip-address.ts";
import {
  createNetworkList,
  formatNetwork,
  mergeNetworks,
  type Network,
  parseNetwork,
} from "./network-list.ts";

const listOf = (...texts: string[]) => createNetworkList(texts.map((text) => parseNetwork(text)!));
const has = (list: ReturnType<typeof listOf>, text: string): boolean =>
  list.has(parseIpAddress(text)!);

test("a network contains its first and last address and neither neighbour", () => {
  const list = listOf("198.51.100.0/24", "203.0.113.7", "192.0.2.10-192.0.2.20", "2001:db8:1::/48");
  for (const text of [
    "198.51.100.0",
    "198.51.100.255",
    "203.0.113.7",
    "192.0.2.10",
    "192.0.2.20",
  ]) {
    assert.ok(has(list, text), text);
  }
  for (const text of [
    "198.51.99.255",
    "198.51.101.0",
    "203.0.113.6",
    "203.0.113.8",
    "192.0.2.9",
    "192.0.2.21",
  ]) {
    assert.ok(!has(list, text), text);
  }
  assert.ok(has(list, "2001:db8:1::") && has(list, "2001:db8:1:ffff:ffff:ffff:ffff:ffff"));
  assert.ok(!has(list, "2001:db8:0:ffff:ffff:ffff:ffff:ffff") && !has(list, "2001:db8:2::"));
});

test("the ends of both address spaces are addresses like any other", () => {
  const list = listOf("255.255.255.255", "0.0.0.0/8", "ffff:ffff::/32", "::/128");
  for (const text of [
    "255.255.255.255",
    "0.0.0.0",
    "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
    "::",
  ]) {
    assert.ok(has(list, text), text);
  }
  assert.ok(!has(list, "255.255.255.254") && !has(list, "::2"));
});

test("an address counts as IPv4 in any spelling", () => {
  assert.ok(has(listOf("198.51.100.0/24"), "::ffff:198.51.100.9"));
});

test("bits beyond the prefix are ignored, since many published lists have them", () => {
  assert.ok(has(listOf("198.51.100.77/24"), "198.51.100.1"));
});

test("rejects texts that are no network, and networks of half the world", () => {
  const junk = [
    "",
    "junk",
    "10.0.0.0/",
    "10.0.0.0/33",
    "10.0.0.0/-1",
    "10.0.0.0/8/8",
    "10.0.0.0/1e1",
    "::/129",
    "10.0.0",
  ];
  const wide = [
    "0.0.0.0/0",
    "10.0.0.0/7",
    "::/0",
    "2000::/3",
    "0.0.0.0-255.255.255.255",
    "2000::-2fff::",
  ];
  const odd = [
    "10.0.0.9-10.0.0.1",
    "10.0.0.1-::1",
    "10.0.0.1-",
    "1.1.1.1-1.1.1.2-1.1.1.3",
    "::ffff:10.0.0.0/104",
    "::1/128",
  ];
  for (const text of [...junk, ...wide, ...odd]) assert.equal(parseNetwork(text), undefined, text);
});

const prefix = fc.oneof(
  fc.tuple(fc.ipV4(), fc.integer({ min: 8, max: 32 })),
  fc
    .tuple(fc.ipV6(), fc.integer({ min: 16, max: 128 }))
    .filter(([address]) => parseIpAddress(address)?.family === 6),
);
const isWritten = (text: string): boolean => !text.includes(".") || !text.includes(":");

test("agrees with Node's own list of networks on any networks and addresses", () => {
  fc.assert(
    fc.property(
      fc.array(prefix, { maxLength: 30 }),
      fc.array(fc.oneof(fc.ipV4(), fc.ipV6())),
      (prefixes, others) => {
        const networks: Network[] = [];
        // One per family, because Node's BlockList also compares IPv4 with IPv6 networks such as
        // ::/16.
        const expected = { 4: new BlockList(), 6: new BlockList() };
        for (const [address, bits] of prefixes) {
          networks.push(parseNetwork(`${address}/${bits}`)!);
          if (address.includes(":")) expected[6].addSubnet(address, bits, "ipv6");
          else expected[4].addSubnet(address, bits, "ipv4");
        }
        const list = createNetworkList(networks);
        const ends = mergeNetworks(networks).flatMap((network) =>
          formatNetwork(network).split("-"),
        );
        for (const text of [...others, ...ends, ...prefixes.map(([address]) => address)].filter(
          isWritten,
        )) {
          const address = parseIpAddress(text)!;
          if (address.family === 4 && text.includes(":")) continue;
          const { family } = address;
          assert.equal(
            list.has(address),
            expected[family].check(text, family === 4 ? "ipv4" : "ipv6"),
            text,
          );
        }
      },
    ),
    { numRuns: 500 },
  );
});

test("a written list parses as the same list, with overlaps joined", () => {
  const networks = [
    "198.51.100.0/25",
    "198.51.100.64/26",
    "198.51.100.0/24",
    "203.0.113.7",
    "2001:db8::/32",
  ];
  const merged = mergeNetworks(networks.map((text) => parseNetwork(text)!));
  assert.equal(merged.length, 3);
  assert.deepEqual(
    merged.map(formatNetwork).map((text) => parseNetwork(text)),
    merged,
  );
});
