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

test("renews a token half a minute before it expires, and a short-lived one in the middle of its life", () => {
  const life = createTokenLife();
  assert.equal(life.begin(verified, 300_000, 1000), 270_000);
  assert.deepEqual([life.isDue(verified, 270_999), life.isDue(verified, 271_000)], [false, true]);
  assert.equal(life.begin(verified, 30_000, 1000), 15_000);
});

test("does not confuse a token that was just earned with the expired one before it", () => {
  const life = createTokenLife();
  assert.equal(life.isDue(verified, 1000), false);
  life.begin(verified, 30_000, 1000);
  const second: WidgetState = { name: "verified", token: "second" };
  assert.deepEqual([life.isDue(verified, 50_000), life.isDue(second, 50_000)], [true, false]);
});

test("shows a token during its renewal until 5 s before it expires, through all automatic states", () => {
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

test("hides an expired token even if no timer has fired, since timers stop while a machine sleeps", () => {
  const life = createTokenLife();
  life.begin(verified, 60_000, 0);
  assert.equal(life.shownState(verified, 54_999), verified);
  assert.deepEqual(life.shownState(verified, 55_000), expired);
});

test("shows the token that replaces it at once", () => {
  const life = createTokenLife();
  life.begin(verified, 60_000, 0);
  const second: WidgetState = { name: "verified", token: "second" };
  assert.equal(life.shownState(second, 1), second);
});

test("shows at once any state that needs the visitor, and a widget that starts from scratch", () => {
  const life = createTokenLife();
  life.begin(verified, 60_000, 0);
  for (const state of [failed("sitekey_unknown"), failed("blocked_by_policy"), idle]) {
    assert.equal(life.shownState(state, 1), state, state.name);
  }
});

test("no longer shows a token that was dropped, and none before the first", () => {
  const life = createTokenLife();
  assert.equal(life.shownState(loading, 0), loading);
  life.begin(verified, 60_000, 0);
  life.discard();
  assert.deepEqual([life.shownState(loading, 1), life.validUntilMs()], [loading, 0]);
});

test("counts a page as in use for five minutes after the last input, and not before the first", () => {
  assert.deepEqual(
    [isInUse(Number.NEGATIVE_INFINITY, 1), isInUse(0, 299_999), isInUse(0, 300_000)],
    [false, true, false],
  );
});
