import assert from "node:assert/strict";
import { test } from "node:test";
import { lazily } from "./lazily.ts";

test("makes nothing before the first call, and one value for all calls", () => {
  let made = 0;
  const get = lazily(() => ({ number: ++made }));
  assert.equal(made, 0);
  assert.equal(get(), get());
  assert.equal(made, 1);
});

test("keeps `undefined` as a value, and does not try again", () => {
  let tries = 0;
  const get = lazily(() => {
    tries += 1;
    return undefined;
  });
  assert.deepEqual([get(), get(), tries], [undefined, undefined, 1]);
});

test("tries again at the next call after a failure", () => {
  let tries = 0;
  const get = lazily(() => {
    tries += 1;
    if (tries === 1) throw new Error("not yet");
    return tries;
  });
  assert.throws(get, /not yet/);
  assert.equal(get(), 2);
});
