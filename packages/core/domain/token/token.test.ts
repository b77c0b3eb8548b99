import assert from "node:assert/strict";
import { test } from "node:test";
import { TEXT_LIMITS } from "@stile/protocol/limits";
import { SITE_MODES, type SiteMode } from "@stile/protocol/site-settings";
import { anyText } from "@stile/testkit/payloads/any-text";
import fc from "fast-check";
import {
  encodeToken,
  packTokenHeader,
  packTokenPayload,
  parseToken,
  type TokenPayload,
  unpackTokenPayload,
} from "./token.ts";

const TAG = new Uint8Array(16).fill(9);
const bytesOf = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const u32 = fc.integer({ min: 0, max: 0xffff_ffff });
const textOf = (maxBytes: number) =>
  anyText({ maxLength: maxBytes }).filter((text) => Buffer.byteLength(text) <= maxBytes);
const headers = fc.record(
  { keyId: u32, issuedAtSeconds: u32, id: bytesOf(12) },
  { noNullPrototype: true },
);
const payloads: fc.Arbitrary<TokenPayload> = fc.record(
  {
    siteKey: fc
      .string({ unit: fc.constantFrom(..."0aZ9"), minLength: 22, maxLength: 22 })
      .map((body) => `pk_${body}`),
    mode: fc.constantFrom(...(Object.keys(SITE_MODES) as SiteMode[])),
    expiresAtMs: fc.integer({ min: 0, max: 2 ** 48 - 1 }),
    challengeAtMs: fc.nat({ max: 2 ** 48 - 1 }),
    score: fc.nat(100).map((hundredths) => hundredths / 100),
    addressFamily: fc.constantFrom(0 as const, 4 as const, 6 as const),
    prefixDigest: bytesOf(8),
    userAgentDigest: bytesOf(8),
    actionName: fc.option(textOf(TEXT_LIMITS.actionName), { nil: undefined }),
    cdata: fc.option(textOf(TEXT_LIMITS.cdata), { nil: undefined }),
    hostname: textOf(TEXT_LIMITS.hostname),
    isScriptless: fc.boolean(),
  },
  { noNullPrototype: true },
);

function sample(change: Partial<TokenPayload> = {}): TokenPayload {
  return {
    siteKey: "pk_0123456789ABCDEFabcdef",
    mode: "managed",
    expiresAtMs: 1_800_000_300_000,
    challengeAtMs: 1_800_000_000_123,
    score: 0.05,
    addressFamily: 4,
    prefixDigest: new Uint8Array(8).fill(1),
    userAgentDigest: new Uint8Array(8).fill(2),
    actionName: "login",
    cdata: undefined,
    hostname: "www.example.org",
    isScriptless: false,
    ...change,
  };
}

/**
 * The text of a token with this payload, as long as a real one: ciphertext is as long as plaintext.
 */
function textOfToken(payload: TokenPayload, id = new Uint8Array(12)): string {
  const header = packTokenHeader({ keyId: 1, issuedAtSeconds: 1_800_000_000, id });
  return encodeToken(header, Uint8Array.from([...packTokenPayload(payload), ...TAG]));
}

test("a payload unpacks as it was packed, with absent and empty texts distinct (D4, sealed token)", () => {
  fc.assert(
    fc.property(payloads, (payload) => {
      assert.deepEqual(unpackTokenPayload(packTokenPayload(payload)), payload);
    }),
  );
});

test("a token's text splits into its header and ciphertext (D4, sealed token)", () => {
  fc.assert(
    fc.property(headers, payloads, (header, payload) => {
      const headerBytes = packTokenHeader(header);
      const sealed = Uint8Array.from([...packTokenPayload(payload), ...TAG]);
      assert.deepEqual(parseToken(encodeToken(headerBytes, sealed)), {
        header,
        headerBytes,
        sealed,
      });
    }),
  );
});

test("no two payloads have the same bytes: moving a character between texts changes them (D4, sealed token)", () => {
  const a = packTokenPayload(sample({ actionName: "ab", cdata: "c", hostname: "d" }));
  const b = packTokenPayload(sample({ actionName: "a", cdata: "bc", hostname: "d" }));
  const c = packTokenPayload(sample({ actionName: "ab", cdata: "", hostname: "cd" }));
  assert.equal(new Set([a, b, c].map((bytes) => Buffer.from(bytes).toString("hex"))).size, 3);
});

test("accepts texts up to their limit in UTF-8 bytes and throws one byte above it (D4, sealed token)", () => {
  for (const [field, limit] of [
    ["actionName", TEXT_LIMITS.actionName],
    ["cdata", TEXT_LIMITS.cdata],
    ["hostname", TEXT_LIMITS.hostname],
  ] as const) {
    assert.equal(
      unpackTokenPayload(packTokenPayload(sample({ [field]: "x".repeat(limit) })))[field]?.length,
      limit,
    );
    assert.throws(
      () => packTokenPayload(sample({ [field]: "x".repeat(limit + 1) })),
      RangeError,
      field,
    );
    assert.throws(
      () => packTokenPayload(sample({ [field]: `${"x".repeat(limit - 2)}€` })),
      RangeError,
      field,
    );
  }
});

test("the longest token stays within the issued limit, and a usual one below 300 characters (D2, redemption; D4, sealed token)", () => {
  const { actionName, cdata, hostname, tokenIssued } = TEXT_LIMITS;
  const longest = sample({
    actionName: "a".repeat(actionName),
    cdata: "c".repeat(cdata),
    hostname: "h".repeat(hostname),
  });
  assert.ok(textOfToken(longest).length <= tokenIssued, String(textOfToken(longest).length));
  assert.ok(textOfToken(sample()).length < 300, String(textOfToken(sample()).length));
});

test("rejects texts over 2,048 characters, cut ones, other versions and invalid base64url (D2, redemption; D3, single use)", () => {
  const text = textOfToken(sample({ actionName: undefined, hostname: "" }));
  assert.ok(parseToken(text));
  const bytes = Buffer.from(text, "base64url");
  for (const version of [0, 2, 255]) {
    const other = Buffer.from(bytes);
    other[0] = version;
    assert.equal(parseToken(other.toString("base64url")), undefined, `version ${version}`);
  }
  const shortest = 21 + 52 + 16;
  for (let length = 0; length < shortest; length++) {
    assert.equal(
      parseToken(bytes.subarray(0, length).toString("base64url")),
      undefined,
      `${length} bytes`,
    );
  }
  for (const foreign of [
    "",
    " ",
    `${text}=`,
    `${text} `,
    ` ${text}`,
    text.replace(/.$/, "+"),
    `${text}\n`,
    "é",
  ]) {
    assert.equal(parseToken(foreign), undefined, foreign);
  }
  assert.ok(
    parseToken(Buffer.concat([bytes, Buffer.alloc(1536 - bytes.length)]).toString("base64url")),
  );
  assert.equal(
    parseToken(Buffer.concat([bytes, Buffer.alloc(1539 - bytes.length)]).toString("base64url")),
    undefined,
  );
});

test("accepts only one spelling of a token: another last character is refused (D3, single use)", () => {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  for (const hostname of ["h", "hh", "hhh"]) {
    const text = textOfToken(sample({ hostname }));
    const bytes = Buffer.from(text, "base64url");
    const spellings = [...alphabet].map((last) => text.slice(0, -1) + last);
    const sameBytes = spellings.filter((spelling) =>
      Buffer.from(spelling, "base64url").equals(bytes),
    );
    const unusedBits = { 0: 0, 2: 4, 3: 2 }[text.length % 4] ?? Number.NaN;
    assert.equal(sameBytes.length, 2 ** unusedBits, "Node's own decoder takes several spellings");
    assert.deepEqual(
      sameBytes.filter((spelling) => parseToken(spelling) !== undefined),
      [text],
    );
  }
});

test("throws on authentic bytes that name a mode this version does not know", () => {
  const bytes = packTokenPayload(sample());
  bytes[22] = Object.keys(SITE_MODES).length;
  assert.throws(() => unpackTokenPayload(bytes), RangeError);
});
