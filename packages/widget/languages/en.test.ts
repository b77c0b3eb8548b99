import assert from "node:assert/strict";
import { test } from "node:test";
import { WIDGET_ERROR_NAMES } from "../machine/widget-error.ts";
import { en } from "./en.ts";
import { errorTexts } from "./error-texts.ts";
import type { Texts } from "./texts.ts";

const errors: Texts["errors"] = { ...en.errors, ...errorTexts };

test("every error has a text that says what to do, and no two are alike but where the service does not answer", () => {
  const texts = WIDGET_ERROR_NAMES.map((name) => errors[name]?.(undefined) ?? "");
  assert.equal(new Set(texts).size, WIDGET_ERROR_NAMES.length - 1);
  assert.equal(en.errors.timeout(undefined), en.errors.network(undefined), "whether it hangs is nothing to a visitor");
  for (const text of texts) assert.match(text, /\. .+\.$/, "what happened, then the fix");
});

test("the host, the seconds and the request id are named", () => {
  assert.match(errorTexts.hostname_not_allowed("shop.example"), /shop\.example/);
  assert.match(errorTexts.hostname_not_allowed(""), /has no origin .*allow-same-origin/);
  assert.match(errorTexts.rate_limited("12"), /12 seconds/);
  assert.match(en.requestId("req-1"), /req-1/);
});

test("what the network refuses, and what the page's owner finds in the console, is said without fetching anything", () => {
  assert.deepEqual(Object.keys(en.errors).sort(), ["endpoint_not_allowed", "network", "timeout"]);
});
