import assert from "node:assert/strict";
import { test } from "node:test";
import { PARAMETERS } from "@stile/widget/element/render";
import { OPTION_NAMES, toAttributes } from "../sdk/widget/component.js";

test("every option of the components becomes an attribute that the widget reads", () => {
  const attributes = Object.keys(
    toAttributes(Object.fromEntries(OPTION_NAMES.map((name) => [name, "x"]))),
  );
  assert.equal(attributes.length, OPTION_NAMES.length);
  // HTML itself defines `form`.
  assert.deepEqual(
    attributes.filter((name) => ![...PARAMETERS, "form"].includes(name)),
    [],
  );
});
