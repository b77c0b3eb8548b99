import assert from "node:assert/strict";
import { test } from "node:test";
import { en } from "./en.ts";
import { withStrings } from "./own-strings.ts";

const BASE = "https://captcha.example";
const say = (strings: unknown) => withStrings(en, JSON.stringify(strings), BASE);

test("what the page words itself is said, the rest stays, and what a text names is filled in", () => {
  const texts = say({ verify: "Prove it", requestId: "Ref {0}", hostname_not_allowed: "Not on {0}" });
  assert.deepEqual([texts.verify, texts.checking], ["Prove it", en.checking]);
  assert.equal(texts.clickNeeded, "Please press “Prove it”.", "the press that is asked for is named as the button is");
  assert.equal(say({ press: "Push {0}!" }).clickNeeded, `Push ${en.verify}!`);
  assert.deepEqual([texts.requestId("r-1"), say({}).requestId("r-1")], ["Ref r-1", en.requestId("r-1")]);
  assert.equal(texts.errors.hostname_not_allowed?.("$& shop"), "Not on $& shop");
  assert.equal(texts.errors.network, en.errors.network);
});

test("what is no JSON object of texts changes nothing", () => {
  for (const json of ["", "{", "[]", '["a"]', '"verify"', "7", "null", '{"verify":7}', '{"verify":{"a":"b"}}']) {
    assert.equal(withStrings(en, json, BASE), en, json);
  }
});
