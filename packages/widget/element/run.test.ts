import assert from "node:assert/strict";
import { test } from "node:test";
import { faultOf, startRun } from "./run.ts";

test("reports a missing site key and asks the service for nothing", () => {
  const heard: unknown[] = [];
  const runEffect = startRun({
    base: "https://stile.example",
    refuses: () => false,
    signal: new AbortController().signal,
    element: { getAttribute: () => null } as unknown as Element,
    observed: Promise.resolve(),
    behaviour: () => assert.fail("asked for"),
    send: (event) => heard.push(event),
  });
  runEffect({ type: "fetch" });
  assert.deepEqual(heard, [{ type: "failed", error: { name: "sitekey_missing" } }]);
});

function faultWith(attributes: Readonly<Record<string, string>>) {
  const all: Readonly<Record<string, string>> = { sitekey: "pk_1", ...attributes };
  const fault = faultOf({
    getAttribute: (name: string) => all[name] ?? null,
  } as unknown as Element);
  return fault && [fault.name, fault.detail];
}

test("asks the service for nothing without a site key", () => {
  assert.deepEqual(faultWith({ sitekey: "" }), ["sitekey_missing", undefined]);
});

test("names an action or cdata that the service would refuse, and accepts them at the limit (D9, submission)", () => {
  for (const action of ["", "log in", "a".repeat(65), "é", "a\n"]) {
    assert.deepEqual(faultWith({ action }), ["attribute_invalid", "action"], action);
  }
  for (const cdata of ["a".repeat(256), "é".repeat(128)]) {
    assert.deepEqual(faultWith({ "data-cdata": cdata }), ["attribute_invalid", "cdata"]);
  }
  assert.equal(faultWith({ action: `A-Z_./${"0".repeat(58)}`, cdata: "é".repeat(127) }), undefined);
});

test("prefers an action to a data-action, which Stimulus uses for something else", () => {
  assert.equal(
    faultWith({ action: "login", "data-action": "stile:verified->form#enable" }),
    undefined,
  );
});
