import assert from "node:assert/strict";
import { test } from "node:test";
import { ownFunction } from "./call-back.ts";

test("accepts as a callback's name only a dotted path of own properties", (context) => {
  const done = (): void => {};
  class Shop {
    inherited(): void {}
  }
  Object.assign(globalThis, { shop: Object.assign(new Shop(), { form: { done }, text: "done" }) });
  context.after(() => Reflect.deleteProperty(globalThis, "shop"));
  assert.equal(ownFunction("", "shop.form.done"), done);
  for (const path of [
    "shop.inherited",
    "shop.constructor",
    "shop.form.done.call",
    "shop.__proto__.inherited",
  ]) {
    assert.equal(ownFunction("", path), undefined, path);
  }
  for (const path of [
    "",
    null,
    ".",
    "shop",
    "shop.text",
    "shop.none.done",
    "toString",
    "shop.form.done()",
    " shop.form.done",
  ]) {
    assert.equal(ownFunction("", path), undefined, String(path));
  }
});
