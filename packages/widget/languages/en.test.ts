import assert from "node:assert/strict";
import { test } from "node:test";
import { WIDGET_ERROR_NAMES } from "../machine/widget-error.ts";
import { en } from "./en.ts";

test("every error has a text that says what to do, and no two are alike", () => {
  const texts = WIDGET_ERROR_NAMES.map((name) => en.errors[name](undefined));
  assert.equal(new Set(texts).size, WIDGET_ERROR_NAMES.length);
  for (const text of texts) assert.match(text, /\. .+\.$/, "what happened, then the fix");
});

test("the host, the seconds and the request id are named", () => {
  assert.match(en.errors.hostname_not_allowed("shop.example"), /shop\.example/);
  assert.match(en.errors.rate_limited("12"), /12 seconds/);
  assert.match(en.requestId("req-1"), /req-1/);
});
