import assert from "node:assert/strict";
import { isIP } from "node:net";
import { test } from "node:test";
import fc from "fast-check";
import ipaddr from "ipaddr.js";
import { formatIpAddress, parseIpAddress } from "./ip-address.ts";

const IPV4_LOOPBACK = { family: 4, bytes: Uint8Array.of(127, 0, 0, 1) };

/** The bytes of an IPv6 text as read by the URL parser, which is an independent implementation. */
function bytesOfIpv6(text: string): Uint8Array {
  const [head = "", tail = ""] = new URL(`http://[${text}]`).hostname.slice(1, -1).split("::");
  const groupsOf = (side: string): number[] =>
    side === "" ? [] : side.split(":").map((group) => parseInt(group, 16));
  const [before, after] = [groupsOf(head), groupsOf(tail)];
  const zeros = new Array<number>(8 - before.length - after.length).fill(0);
  return Uint8Array.from(
    [...before, ...zeros, ...after].flatMap((group) => [group >> 8, group & 255]),
  );
}

/** Texts that are addresses, or almost. */
function anyTexts(): fc.Arbitrary<string> {
  const pieces = [
    "::",
    ":",
    ".",
    "0",
    "1",
    "00",
    "255",
    "256",
    "ffff",
    "fffff",
    "g",
    "1.2.3.4",
    "0:0:0:0:0",
    "%e",
    " ",
    "/8",
  ];
  const nearAddresses = fc
    .array(fc.constantFrom(...pieces), { maxLength: 9 })
    .map((parts) => parts.join(""));
  return fc.oneof(nearAddresses, fc.ipV4(), fc.ipV6(), fc.string());
}

test("accepts exactly the texts that are addresses, except zone ids", () => {
  fc.assert(
    fc.property(anyTexts(), (text) => {
      const expected = text.includes("%") ? 0 : isIP(text);
      const parsed = parseIpAddress(text);
      assert.equal(parsed === undefined, expected === 0, text);
      if (expected === 4) assert.equal(parsed?.family, 4);
    }),
    { numRuns: 3000 },
  );
});

test("rejects leading zeros, missing and surplus parts, ports, brackets, spaces and overlong texts", () => {
  const texts = [
    "",
    "1.2.3",
    "1.2.3.4.5",
    "1.2.3.04",
    "256.1.1.1",
    "1.2.3.4:80",
    "[::1]",
    " 1.2.3.4",
    "1.2.3.4\n",
  ];
  texts.push(
    "1.2.3.4::",
    "1.2.3.4::1",
    "1::2::3",
    ":::",
    ":1",
    "1:2:3:4:5:6:7",
    "1:2:3:4:5:6:7:8:9",
    "1:2:3:4:5:6:7:8::",
  );
  texts.push(
    "fe80::1%eth0",
    "::12345",
    "::1.2.3",
    "::ffff:1.2.3.4.5",
    "0".repeat(46),
    `${"0:".repeat(40)}1`,
  );
  for (const text of texts) assert.equal(parseIpAddress(text), undefined, text);
});

test("reads every spelling of an IPv6 address as the same 16 bytes", () => {
  fc.assert(
    fc.property(fc.ipV6(), (text) => {
      const parsed = parseIpAddress(text);
      const bytes = bytesOfIpv6(text);
      if (parsed?.family === 6) assert.deepEqual(parsed.bytes, bytes);
      else
        assert.equal(
          bytes.subarray(0, 10).some((byte) => byte !== 0),
          false,
          text,
        );
    }),
  );
  for (const text of ["2001:db8::1", "2001:0DB8:0:0:0:0:0:1", "2001:db8::0.0.0.1"]) {
    assert.deepEqual(parseIpAddress(text)?.bytes, bytesOfIpv6("2001:db8::1"));
  }
});

test("reads IPv4-mapped addresses and ::1 as IPv4, so that one visitor has one family (D5, binding)", () => {
  for (const text of ["::ffff:192.0.2.7", "::FFFF:c000:207", "0:0:0:0:0:ffff:192.0.2.7"]) {
    assert.deepEqual(parseIpAddress(text), { family: 4, bytes: Uint8Array.of(192, 0, 2, 7) }, text);
  }
  for (const text of ["::1", "0:0:0:0:0:0:0:1", "::0.0.0.1"])
    assert.deepEqual(parseIpAddress(text), IPV4_LOOPBACK);
  for (const text of ["::", "::2", "::192.0.2.7", "::fffe:1.2.3.4", "1::ffff:1.2.3.4"]) {
    assert.equal(parseIpAddress(text)?.family, 6, text);
  }
});

test("a formatted address parses as the same address", () => {
  for (const text of ["203.0.113.7", "0.0.0.0", "2001:db8::1", "fe80::ffff:0:1"]) {
    const address = parseIpAddress(text);
    assert.ok(address);
    assert.deepEqual(parseIpAddress(formatIpAddress(address)), address);
  }
});

/**
 * The result of ipaddr.js, in our terms. It differs: it accepts zone ids, and shorter and octal
 * IPv4, also inside IPv6; `::1` stays IPv6; and it reads `::1.2.3.4`, an IPv6 address, as
 * `::ffff:1.2.3.4`.
 */
function readByLibrary(text: string) {
  const dotted = text.slice(text.lastIndexOf(":") + 1);
  const isDecimal = ipaddr.IPv4.isValidFourPartDecimal(dotted);
  const isTaken = text.includes(":")
    ? ipaddr.IPv6.isValid(text) && (isDecimal || !dotted.includes("."))
    : isDecimal;
  if (!isTaken || text.includes("%")) return undefined;
  const address = ipaddr.process(text.replace(/^::(?=[\d.]+$)/, "::0:"));
  if (address.toNormalizedString() === "0:0:0:0:0:0:0:1") return IPV4_LOOPBACK;
  return {
    family: address.kind() === "ipv4" ? 4 : 6,
    bytes: Uint8Array.from(address.toByteArray()),
  };
}

test("family and bytes of any text are those that ipaddr.js reads (D5, binding)", () => {
  const mapped = fc.ipV4().map((text) => `::ffff:${text}`);
  fc.assert(
    fc.property(fc.oneof(anyTexts(), mapped), (text) =>
      assert.deepEqual(parseIpAddress(text), readByLibrary(text)),
    ),
    {
      numRuns: 3000,
      examples: [["::1"], ["::"], ["1.2.3"], ["010.1.1.1"], ["0x7f.0.0.1"], ["::1%eth0"]],
    },
  );
});
