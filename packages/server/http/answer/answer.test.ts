import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { bearerOf, errorAnswer, isoTime, limitHeaders, retryAfter } from "./answer.ts";

const CONTEXT = { requestId: "r1" };

test("reads the key behind Bearer, whatever the case of the scheme (spec 5.1)", () => {
  for (const header of ["Bearer sk_a", "bearer sk_a", "BEARER   sk_a", "Bearer sk_a  "])
    assert.equal(bearerOf(header), "sk_a", header);
});

test("no key in another scheme, an empty one, or several (spec 5.1)", () => {
  for (const header of [
    undefined,
    "",
    "Bearer",
    "Bearer ",
    "Basic sk_a",
    "sk_a",
    "Bearersk_a",
    "Bearer a b",
    "x Bearer sk_a",
  ]) {
    assert.equal(bearerOf(header), undefined, header ?? "absent");
  }
});

test("an error says its code, a sentence and the request id, under the status of the code (D11)", () => {
  assert.deepEqual(errorAnswer("not_found", CONTEXT), {
    status: 404,
    body: {
      success: false,
      data: {},
      error: { code: "not_found", message: "Nothing lives at this address.", request_id: "r1" },
    },
  });
  const more = { message: "Why.", status: 503, headers: { Allow: "POST" }, mustClose: true };
  const answer = errorAnswer("internal_error", CONTEXT, more);
  assert.deepEqual(
    [answer.status, answer.headers, answer.mustClose],
    [503, { Allow: "POST" }, true],
  );
});

test("limits are told in the headers of D10, in whole seconds of at least one", () => {
  const limit = { isAdmitted: true, perMinute: 1000, remaining: 987, resetsInMs: 40_001 };
  assert.deepEqual(limitHeaders("verify", limit), {
    "RateLimit-Policy": '"verify";q=1000;w=60',
    RateLimit: '"verify";r=987;t=41',
  });
  assert.deepEqual(retryAfter({ ...limit, resetsInMs: 40_000 }), { "Retry-After": "40" });
  assert.deepEqual(retryAfter({ ...limit, resetsInMs: 1 }), { "Retry-After": "1" });
});

test("a time is written as ISO 8601 in UTC, whatever was written before it (spec 2.1)", () => {
  const time = fc.oneof(
    fc.integer({ min: 0, max: 2000 }),
    fc.integer({ min: -5000, max: 4_102_444_800_000 }),
    // Seconds that share a place in the cache.
    fc.integer({ min: 0, max: 9 }).map((times) => 1_800_000_000_000 + times * 512_000),
  );
  fc.assert(
    fc.property(fc.array(time), (times) => {
      for (const ms of times) assert.equal(isoTime(ms), new Date(ms).toISOString());
    }),
  );
  assert.equal(isoTime(12.9), "1970-01-01T00:00:00.012Z");
});
