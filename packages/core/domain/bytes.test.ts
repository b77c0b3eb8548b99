import assert from "node:assert/strict";
import { test } from "node:test";
import { anyText } from "@stile/testkit/payloads/any-text";
import fc from "fast-check";
import { decodeUtf8, encodeUtf8, lengthPrefixed } from "./bytes.ts";

test("encodes UTF-8 as the Encoding Standard does, including lone surrogates", () => {
  const lone = ["\ud800", "a\udc00b", "\ud83d", "\udc00\ud800"];
  fc.assert(
    fc.property(fc.oneof(anyText(), fc.constantFrom(...lone)), (text) => {
      assert.deepEqual(encodeUtf8(text), new TextEncoder().encode(text));
    }),
  );
});

test("decodes what it encoded, for characters of every length", () => {
  fc.assert(
    fc.property(anyText(), (text) => {
      assert.equal(decodeUtf8(encodeUtf8(text)), text);
    }),
  );
  const edges = "\u0000\u007f\u0080\u07ff\u0800\uffff\u{10000}\u{10ffff}";
  assert.equal(decodeUtf8(encodeUtf8(edges)), edges);
});

test("no two lists of parts give the same bytes (D4, sealed token: ambiguous concatenation)", () => {
  const parts = fc.array(fc.uint8Array({ maxLength: 6 }), { maxLength: 4 });
  const sameList = (a: readonly Uint8Array[], b: readonly Uint8Array[]): boolean =>
    a.length === b.length &&
    a.every((part, i) => Buffer.compare(part, b[i] ?? new Uint8Array(99)) === 0);
  fc.assert(
    fc.property(parts, parts, (a, b) => {
      assert.equal(Buffer.compare(lengthPrefixed(a), lengthPrefixed(b)) === 0, sameList(a, b));
    }),
  );
  const [ab, c, a, bc] = ["ab", "c", "a", "bc"].map(encodeUtf8) as [
    Uint8Array,
    Uint8Array,
    Uint8Array,
    Uint8Array,
  ];
  assert.notDeepEqual(lengthPrefixed([ab, c]), lengthPrefixed([a, bc]));
  assert.notDeepEqual(lengthPrefixed([]), lengthPrefixed([new Uint8Array(0)]));
});

test("a text among the parts is encoded as UTF-8, at any position", () => {
  const texts = fc.array(fc.oneof(anyText(), fc.string()), { maxLength: 4 });
  fc.assert(
    fc.property(texts, fc.uint8Array({ maxLength: 300 }), (some, bytes) => {
      const mixed = lengthPrefixed([...some, bytes, ...some]);
      const encoded = some.map(encodeUtf8);
      assert.deepEqual(mixed, lengthPrefixed([...encoded, bytes, ...encoded]));
    }),
  );
  assert.deepEqual(
    [...lengthPrefixed(["a", "é", Uint8Array.of(7)])],
    [0, 0, 0, 1, 97, 0, 0, 0, 2, 195, 169, 0, 0, 0, 1, 7],
  );
});
