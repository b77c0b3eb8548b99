import assert from "node:assert/strict";
import { test } from "node:test";
import { clearedCookie, deviceCookie, readDeviceToken, readSessionToken, sessionCookie } from "./session-cookie.ts";

test("the cookie is for this host alone, over trustworthy connections, and out of reach of scripts", () => {
  assert.equal(sessionCookie("abc"), "__Host-stile=abc; Path=/; Secure; HttpOnly; SameSite=Lax");
  assert.equal(clearedCookie(), "__Host-stile=; Max-Age=0; Path=/; Secure; HttpOnly; SameSite=Lax");
});

test("finds the session among other cookies, by its whole name", () => {
  assert.equal(readSessionToken("a=1; __Host-stile=abc; b=2"), "abc");
  assert.equal(readSessionToken("__Host-stile=abc"), "abc");
  for (const header of [
    undefined,
    "",
    "stile=abc",
    "x__Host-stile=abc",
    "__host-stile=abc",
    "__Host-stile",
    "__Host-stile=",
    "a=__Host-stile=abc",
  ]) {
    assert.equal(readSessionToken(header), undefined, String(header));
  }
});

test("of two sessions in one header none is taken: a browser sends one, so somebody has planted the other", () => {
  assert.equal(readSessionToken("__Host-stile=abc; __Host-stile=def"), undefined);
  assert.equal(readSessionToken("__Host-stile=abc; __Host-stile=abc"), undefined);
});

test("the cookie of a known browser goes with calls of the dashboard's own pages alone, for 90 days, and is no session", () => {
  const attributes = "Max-Age=7776000; Path=/; Secure; HttpOnly; SameSite=Strict";
  assert.equal(deviceCookie("abc"), `__Host-stile-device=abc; ${attributes}`);
  const header = "__Host-stile=abc; __Host-stile-device=def";
  assert.deepEqual([readSessionToken(header), readDeviceToken(header)], ["abc", "def"]);
  assert.equal(readSessionToken("__Host-stile-device=def"), undefined);
  assert.equal(readDeviceToken("__Host-stile=abc"), undefined);
});
