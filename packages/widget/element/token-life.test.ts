import assert from "node:assert/strict";
import { test } from "node:test";
import type { WidgetErrorName } from "../machine/widget-error.ts";
import { OFFLINE } from "../machine/widget-fault.ts";
import type { WidgetState } from "../machine/widget-state.ts";
import { createTokenLife, isInUse } from "./token-life.ts";

const verified: WidgetState = { name: "verified", token: "first" };
const loading: WidgetState = { name: "loading", isClicked: false, rejections: 0 };
const expired: WidgetState = { name: "expired" };
const idle: WidgetState = { name: "idle" };
const failed = (name: WidgetErrorName, detail?: string): WidgetState => ({
  name: "error",
  error: { name, detail },
});

test("a token is renewed half a minute before it expires, and in the middle of a life that is short", () => {
  const life = createTokenLife();
  assert.equal(life.begin(verified, 300_000, 1000), 270_000);
  assert.deepEqual([life.isDue(verified, 270_999), life.isDue(verified, 271_000)], [false, true]);
  assert.equal(life.begin(verified, 30_000, 1000), 15_000);
});

test("a token that has only just been earned is not taken for the one before it, whose time is over", () => {
  const life = createTokenLife();
  assert.equal(life.isDue(verified, 1000), false);
  life.begin(verified, 30_000, 1000);
  const second: WidgetState = { name: "verified", token: "second" };
  assert.deepEqual([life.isDue(verified, 50_000), life.isDue(second, 50_000)], [true, false]);
});

test("while a token is renewed it is seen until 5 s before it expires, whatever passes by itself meanwhile", () => {
  const life = createTokenLife();
  life.begin(verified, 60_000, 0);
  for (const state of [
    expired,
    loading,
    failed("network"),
    failed("network", OFFLINE),
    failed("rate_limited"),
  ]) {
    assert.equal(life.shownState(state, 54_999), verified, state.name);
    assert.equal(life.shownState(state, 55_000), state, state.name);
  }
  assert.equal(life.validUntilMs(), 55_000);
});

test("a token that is good no more is not seen, though nothing has told that its time is over: timers stand still while a machine sleeps", () => {
  const life = createTokenLife();
  life.begin(verified, 60_000, 0);
  assert.equal(life.shownState(verified, 54_999), verified);
  assert.deepEqual(life.shownState(verified, 55_000), expired);
});

test("the token that was earned in its place is seen at once", () => {
  const life = createTokenLife();
  life.begin(verified, 60_000, 0);
  const second: WidgetState = { name: "verified", token: "second" };
  assert.equal(life.shownState(second, 1), second);
});

test("what needs the visitor is seen at once, and so is a widget that begins anew", () => {
  const life = createTokenLife();
  life.begin(verified, 60_000, 0);
  for (const state of [failed("sitekey_unknown"), failed("blocked_by_policy"), idle]) {
    assert.equal(life.shownState(state, 1), state, state.name);
  }
});

test("a token that was given up is seen no more, and before the first there is none to see", () => {
  const life = createTokenLife();
  assert.equal(life.shownState(loading, 0), loading);
  life.begin(verified, 60_000, 0);
  life.discard();
  assert.deepEqual([life.shownState(loading, 1), life.validUntilMs()], [loading, 0]);
});

test("a page is in use for five minutes after the last input, and not before the first", () => {
  assert.deepEqual(
    [isInUse(Number.NEGATIVE_INFINITY, 1), isInUse(0, 299_999), isInUse(0, 300_000)],
    [false, true, false],
  );
});
