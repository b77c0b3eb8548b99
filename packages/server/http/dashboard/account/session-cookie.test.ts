import assert from "node:assert/strict";
import { test } from "node:test";
import {
  readDeviceToken,
  readSessionToken,
  signedInCookies,
  signedOutCookies,
} from "./session-cookie.ts";

const TOKENS = { token: "abc", deviceToken: "def" };
const CLEARED = "__Host-stile=; Max-Age=0; Path=/; Secure; HttpOnly; SameSite=Lax";

const sessionIn = (header: string | undefined, mayBePlain = false) =>
  readSessionToken(header, mayBePlain);

test("sets cookies for this host alone, over trustworthy connections, out of reach of scripts", () => {
  assert.deepEqual(signedInCookies(TOKENS, false), [
    "__Host-stile=abc; Path=/; Secure; HttpOnly; SameSite=Lax",
    "__Host-stile-device=def; Max-Age=7776000; Path=/; Secure; HttpOnly; SameSite=Strict",
  ]);
  assert.deepEqual(signedOutCookies(false), [CLEARED]);
});

test("sets cookies without Secure over http on the machine itself, and removes sessions of the other kind", () => {
  assert.deepEqual(signedInCookies(TOKENS, true), [
    "stile=abc; Path=/; HttpOnly; SameSite=Lax",
    "stile-device=def; Max-Age=7776000; Path=/; HttpOnly; SameSite=Strict",
    CLEARED,
  ]);
  assert.deepEqual(signedOutCookies(true), [
    "stile=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax",
    CLEARED,
  ]);
});

test("finds the session among other cookies by its whole name", () => {
  for (const mayBePlain of [false, true]) {
    assert.equal(sessionIn("a=1; __Host-stile=abc; b=2", mayBePlain), "abc");
    assert.equal(sessionIn("__Host-stile=abc; stile=def", mayBePlain), mayBePlain ? "def" : "abc");
    const others = [
      "",
      "x__Host-stile=abc",
      "__host-stile=abc",
      "__Host-stile",
      "__Host-stile=",
      "a=__Host-stile=abc",
    ];
    for (const cookie of [
      undefined,
      ...others,
      "xstile=abc",
      "Stile=abc",
      "stile=",
      "a=stile=abc",
    ]) {
      assert.equal(sessionIn(cookie, mayBePlain), undefined, `${mayBePlain}: ${cookie}`);
    }
  }
});

test("accepts a plain session only if the request may have one", () => {
  assert.deepEqual(
    [sessionIn("a=1; stile=abc; b=2", true), sessionIn("a=1; stile=abc; b=2")],
    ["abc", undefined],
  );
});

test("accepts neither of two sessions in one header, because somebody has planted one of them", () => {
  assert.equal(sessionIn("__Host-stile=abc; __Host-stile=def"), undefined);
  assert.equal(sessionIn("__Host-stile=abc; __Host-stile=abc"), undefined);
  assert.equal(sessionIn("stile=abc; stile=def", true), undefined);
  // A third one then does not count either.
  for (const rest of ["stile=abc; stile=def", "stile="]) {
    assert.equal(sessionIn(`__Host-stile=ghi; ${rest}`, true), undefined);
  }
});

test("never mistakes the cookie of a known browser for a session's, or the reverse", () => {
  for (const [header, mayBePlain] of [
    ["__Host-stile=abc; __Host-stile-device=def", false],
    ["stile=abc; stile-device=def", true],
  ] as const) {
    assert.deepEqual(
      [sessionIn(header, mayBePlain), readDeviceToken(header, mayBePlain)],
      ["abc", "def"],
    );
    const [session, device] = header.split("; ");
    assert.equal(sessionIn(device, mayBePlain), undefined);
    assert.equal(readDeviceToken(session, mayBePlain), undefined);
  }
});
