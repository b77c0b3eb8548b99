import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import ipaddr from "ipaddr.js";
import {
  bindingPrefix,
  clientPrefix,
  householdPrefix,
  providerPrefix,
} from "./address-prefixes.ts";
import { type IpAddress, parseIpAddress } from "./ip-address.ts";

test("binds tokens to the /24 or /48 and counts clients by /32 or /64 (D5, binding; D10, limits)", () => {
  const ipv4 = parseIpAddress("192.0.2.7");
  const ipv6 = parseIpAddress("2001:db8:1:2:3:4:5:6");
  assert.ok(ipv4 && ipv6);
  assert.deepEqual(bindingPrefix(ipv4), Uint8Array.of(192, 0, 2));
  assert.deepEqual(clientPrefix(ipv4), Uint8Array.of(192, 0, 2, 7));
  assert.deepEqual(bindingPrefix(ipv6), Uint8Array.of(0x20, 1, 0xd, 0xb8, 0, 1));
  assert.deepEqual(clientPrefix(ipv6), Uint8Array.of(0x20, 1, 0xd, 0xb8, 0, 1, 0, 2));
  assert.deepEqual(householdPrefix(ipv6), Uint8Array.of(0x20, 1, 0xd, 0xb8, 0, 1, 0));
  assert.deepEqual(providerPrefix(ipv6), Uint8Array.of(0x20, 1, 0xd, 0xb8));
  assert.deepEqual([householdPrefix(ipv4), providerPrefix(ipv4)], [undefined, undefined]);
});

/** Addresses made of few different groups, so that two of them often share a network. */
function closeAddresses(): fc.Arbitrary<string> {
  const byte = fc.constantFrom(1, 2, 128, 255);
  const ipv4 = fc.array(byte, { minLength: 4, maxLength: 4 }).map((bytes) => bytes.join("."));
  const group = fc.constantFrom("1", "2", "100", "1ff");
  const ipv6 = fc.array(group, { minLength: 8, maxLength: 8 }).map((groups) => groups.join(":"));
  const near = fc.tuple(fc.integer({ min: 1, max: 7 }), group).map(([shared, other]) => {
    const groups = Array.from({ length: 8 }, (_, at) => (at < shared ? "1" : other));
    return groups.join(":");
  });
  const mapped = ipv4.map((text) => `::ffff:${text}`);
  return fc.oneof(ipv4, ipv6, near, mapped);
}

test("two addresses share a prefix if ipaddr.js finds them in one network (D5, binding; D10, limits)", () => {
  type Prefix = readonly [
    (address: IpAddress) => Uint8Array | undefined,
    Partial<Record<4 | 6, number>>,
  ];
  const prefixes: readonly Prefix[] = [
    [bindingPrefix, { 4: 24, 6: 48 }],
    [providerPrefix, { 6: 32 }],
    [householdPrefix, { 6: 56 }],
    [clientPrefix, { 4: 32, 6: 64 }],
  ];
  let shared = 0;
  fc.assert(
    fc.property(closeAddresses(), closeAddresses(), (left, right) => {
      const [a, b] = [parseIpAddress(left), parseIpAddress(right)];
      assert.ok(a && b);
      if (a.family !== b.family) return;
      for (const [prefix, lengths] of prefixes) {
        const bits: number | undefined = lengths[a.family];
        const [p, q]: readonly (Uint8Array | undefined)[] = [prefix(a), prefix(b)];
        assert.equal(p === undefined, bits === undefined);
        if (p === undefined || q === undefined || bits === undefined) continue;
        const isShared: boolean = Buffer.compare(p, q) === 0;
        if (isShared) shared++;
        assert.equal(
          isShared,
          ipaddr.process(left).match(ipaddr.process(right), bits),
          `${left} ${right} /${bits}`,
        );
      }
    }),
    { numRuns: 3000 },
  );
  assert.ok(shared > 100, "networks that are shared are tried");
});
