import assert from "node:assert/strict";
import { test } from "node:test";
import { limitHeaders, retryAfter } from "./limit-headers.ts";

test("states limits in the headers of D10 (limits), in whole seconds of at least one", () => {
  const limit = { isAdmitted: true, perMinute: 1000, remaining: 987, resetsInMs: 40_001 };
  assert.deepEqual(limitHeaders("verify", limit), {
    "RateLimit-Policy": '"verify";q=1000;w=60',
    RateLimit: '"verify";r=987;t=41',
  });
  assert.deepEqual(retryAfter({ ...limit, resetsInMs: 40_000 }), { "Retry-After": "40" });
  assert.deepEqual(retryAfter({ ...limit, resetsInMs: 1 }), { "Retry-After": "1" });
});
