import assert from "node:assert/strict";
import { test } from "node:test";
import type { WidgetState } from "../machine/widget-state.ts";
import { createHolding, type HeldCourse } from "./holding.ts";

const idle: WidgetState = { name: "idle" };
const loading: WidgetState = { name: "loading", isClicked: false, rejections: 0 };
const failed: WidgetState = { name: "error", error: { name: "sitekey_unknown" } };
const verified = (token: string): WidgetState => ({ name: "verified", token });

/**
 * A holding without a form, whose widget has the state given, and a record of what it asked of the
 * widget.
 */
function held(first: WidgetState) {
  const asked: string[] = [];
  const now = { state: first, mayGoWithout: false };
  const note = (what: string) => () => {
    asked.push(what);
  };
  const course: HeldCourse = {
    state: () => now.state,
    mayBegin: () => true,
    start: note("start"),
    giveUp: note("giveUp"),
    wake: note("wake"),
    hurry: note("hurry"),
    aim: note("aim"),
  };
  const token = (): string => (now.state.name === "verified" ? now.state.token : "");
  const button = { disabled: false, focus: note("focus") };
  return {
    holding: createHolding(course, button, token, () => now.mayGoWithout, note("askAgain")),
    asked,
    now,
  };
}

test("a token is given to a submission once and to a script once; then another is earned in its place, in a hurry (0051)", () => {
  const { holding, asked } = held(verified("t1"));
  assert.deepEqual(
    [holding.take("form"), holding.take("script"), holding.sent()],
    ["t1", "t1", "t1"],
  );
  assert.deepEqual(asked, []);
  assert.equal(holding.take("script"), "");
  assert.deepEqual(asked, ["giveUp", "start", "hurry"]);
});

test("the next token is given again, and what went out before stays with the form until a reset", () => {
  const { holding, now } = held(verified("t1"));
  holding.take("form");
  now.state = loading;
  assert.equal(holding.sent(), "t1");
  now.state = verified("t2");
  assert.equal(holding.take("form"), "t2");
  holding.forget();
  assert.equal(holding.sent(), "");
});

test("without a token one is begun, and nothing is dropped", () => {
  const { holding, asked } = held(idle);
  assert.equal(holding.take("form"), "");
  assert.deepEqual(asked, ["start", "hurry"]);
});

test("the visitor is led to a widget that somebody waits for, once, and to no other", () => {
  const { holding, asked, now } = held(loading);
  now.state = failed;
  holding.carryOn();
  assert.deepEqual(asked, [], "nobody waits");
  now.state = loading;
  holding.take("script");
  now.state = failed;
  holding.carryOn();
  holding.carryOn();
  assert.deepEqual(asked, ["start", "hurry", "focus"]);
});

test("nobody is led anywhere where the form may go without a token, or the widget has left the page", () => {
  for (const end of ["out", "left"]) {
    const { holding, asked, now } = held(loading);
    holding.take("form");
    now.mayGoWithout = end === "out";
    if (end === "left") {
      now.state = { name: "idle" };
      holding.carryOn();
    }
    now.state = failed;
    holding.carryOn();
    assert.ok(!asked.includes("focus"), end);
  }
});
