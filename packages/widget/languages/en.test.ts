import assert from "node:assert/strict";
import { test } from "node:test";
import { WIDGET_ERROR_NAMES, widgetError } from "../machine/widget-error.ts";
import { en } from "./en.ts";
import { errorTexts, tellOwner } from "./error-texts.ts";
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

test("what the network refuses is said without fetching anything", () => {
  assert.deepEqual(Object.keys(en.errors).sort(), ["network", "timeout"]);
});

test("the console says once what only the page's owner can mend, and nothing of what passes or is a visitor's own", (context) => {
  const said = context.mock.method(console, "error", () => {}).mock;
  for (const name of [...WIDGET_ERROR_NAMES, ...WIDGET_ERROR_NAMES]) tellOwner(widgetError(name));
  const names = said.calls.map(({ arguments: [line] }) => /^stile: (\w+)\. .*widget\.md#\1$/.exec(line)?.[1]);
  assert.deepEqual(names, WIDGET_ERROR_NAMES.slice(2, 9));
});
