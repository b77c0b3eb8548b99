import assert from "node:assert/strict";
import { test } from "node:test";
import { WIDGET_ERROR_NAMES } from "../machine/widget-error.ts";
import { OFFLINE } from "../machine/widget-fault.ts";
import { en } from "./en.ts";
import { errorTexts, isForOwner, sayError, sayRequestId } from "./error-texts.ts";
import { reportToOwner } from "./report-to-owner.ts";
import { isBuiltIn, sayFault } from "./texts.ts";

test("gives every error a text with advice; only texts about an unreachable service may be alike", () => {
  const texts = WIDGET_ERROR_NAMES.map((name) => sayError(en, { name }));
  assert.equal(new Set(texts).size, WIDGET_ERROR_NAMES.length - 1);
  const [hangs, breaks] = (["timeout", "network"] as const).map((name) => sayError(en, { name }));
  assert.equal(hangs, breaks, "a visitor need not know whether it hangs");
  for (const text of texts) assert.match(text, /\. .+\.$/, "says what happened, then the fix");
});

test("uses one kind of apostrophe in English, the same as dashboard and documentation", () => {
  const said = [
    ...Object.values(en),
    ...WIDGET_ERROR_NAMES.map((name) => sayError(en, { name, detail: "" })),
  ];
  assert.match(said.join(), /page's /);
  assert.doesNotMatch(said.join(), /[’ʼ]/);
});

test("names the host, the seconds and the request id", () => {
  assert.match(errorTexts.hostname_not_allowed("shop.example"), /shop\.example/);
  assert.match(errorTexts.hostname_not_allowed(""), /has no origin .*allow-same-origin/);
  assert.match(errorTexts.rate_limited("12"), /12 seconds/);
  assert.equal(sayError(en, { name: "rate_limited", detail: "12" }), errorTexts.rate_limited("12"));
  assert.match(sayRequestId(en, "req-1"), /req-1/);
});

test("reports the network's refusals without fetching anything", () => {
  const told = WIDGET_ERROR_NAMES.filter((name) => isBuiltIn({ name }));
  assert.deepEqual(told, ["network", "timeout", "csp_blocked", "endpoint_not_allowed"]);
  for (const name of told) assert.equal(sayFault(en, { name }), sayError(en, { name }));
  assert.match(sayFault(en, { name: "network", detail: OFFLINE }), /^You are offline/);
});

test("logs each fault once for the page's owner, with its name, the fix and where to read more", (context) => {
  const said = context.mock.method(console, "error", () => {}).mock;
  for (const name of [...WIDGET_ERROR_NAMES, ...WIDGET_ERROR_NAMES])
    reportToOwner("https://captcha.example", { name }, "Fix it.");
  const names = said.calls.map(
    ({ arguments: [line] }) =>
      /^stile: (\w+)\. Fix it\. See https:\/\/captcha\.example\/docs#\1$/.exec(line)?.[1],
  );
  assert.deepEqual(names, WIDGET_ERROR_NAMES);
});

test("assigns to the page's owner exactly the errors of page, policy, keys and hosts", () => {
  assert.deepEqual(
    WIDGET_ERROR_NAMES.filter((name) => isForOwner({ name })),
    WIDGET_ERROR_NAMES.slice(2, 9),
  );
});
