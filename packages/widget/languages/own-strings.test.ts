import assert from "node:assert/strict";
import { test } from "node:test";
import { en } from "./en.ts";
import { sayError, sayRequestId } from "./error-texts.ts";
import { withStrings } from "./own-strings.ts";

const BASE = "https://captcha.example";
const own = (strings: unknown) => withStrings(en, JSON.stringify(strings), BASE);

test("uses the page's own texts, keeps the others, and fills in the details", () => {
  const texts = own({
    verify: "Prove it",
    requestId: "Ref {0}",
    hostname_not_allowed: "Not on {0}",
    language: "xx",
  });
  assert.deepEqual([texts.verify, texts.checking, texts.language], ["Prove it", en.checking, "en"]);
  assert.deepEqual(
    [sayRequestId(texts, "r-1"), sayRequestId(own({}), "r-1")],
    ["Ref r-1", "Request ID: r-1"],
  );
  assert.equal(
    sayError(texts, { name: "hostname_not_allowed", detail: "$& shop" }),
    "Not on $& shop",
  );
  assert.equal(sayError(texts, { name: "network" }), en.unreachable);
});

test("changes nothing if the value is not a JSON object of texts", () => {
  for (const json of [null, ""]) assert.deepEqual(withStrings(en, json, BASE), en);
  for (const json of [
    "{",
    "[]",
    '["a"]',
    '"verify"',
    "7",
    "null",
    '{"verify":7}',
    '{"verify":{"a":"b"}}',
  ]) {
    assert.equal(withStrings(en, json, BASE), en, json);
  }
});
