import assert from "node:assert/strict";
import { test } from "node:test";
import { foreignEndpoint } from "./foreign-endpoint.ts";

const BASE = "https://captcha.example/stile";

/** Just enough of an element to read attributes from. */
const elementWith = (name: string, value: string) =>
  ({ getAttribute: (asked: string) => (asked === name ? value : null) }) as unknown as Element;

test("refuses another service's address, in either form, and logs it once in the console (D8, challenge)", (context) => {
  const said = context.mock.method(console, "error", () => {}).mock;
  const others = [
    "https://else.example",
    `${BASE}x`,
    `${BASE}//`,
    "https://captcha.example",
    "//captcha.example/stile",
    "",
  ];
  for (const name of ["endpoint", "data-endpoint"]) {
    for (const other of others) {
      const error = foreignEndpoint(elementWith(name, other), BASE);
      assert.deepEqual([error?.name, error?.detail], ["endpoint_not_allowed", BASE], other);
    }
  }
  const lines = said.calls.map(({ arguments: [line] }) => line);
  assert.equal(lines.length, 1);
  assert.match(
    lines[0],
    /^stile: endpoint_not_allowed\. The endpoint attribute must be https:\/\/captcha\.example\/stile\. .*\/docs#endpoint_not_allowed$/,
  );
});

test("accepts the script's own address, with or without a slash, and a missing attribute", () => {
  for (const own of [BASE, `${BASE}/`])
    assert.equal(foreignEndpoint(elementWith("endpoint", own), BASE), undefined);
  assert.equal(foreignEndpoint(elementWith("id", "x"), BASE), undefined);
});
