import assert from "node:assert/strict";
import { test } from "node:test";
import { encodeBase64url as encodeShared } from "@stile/pow/base64url";
import { SIGNALS_BYTES_LIMIT } from "@stile/protocol/limits";
import { encodeBase64url } from "./encode-base64url.ts";

test("encodes like the service, for every byte, every remainder and the longest signals", () => {
  const all = Uint8Array.from({ length: 256 }, (_, byte) => byte);
  const longest = Uint8Array.from({ length: SIGNALS_BYTES_LIMIT }, (_, at) => (at * 7919) % 256);
  for (const bytes of [all, all.subarray(1), all.subarray(2), all.subarray(0, 0), longest]) {
    assert.equal(encodeBase64url(bytes), encodeShared(bytes));
  }
});
