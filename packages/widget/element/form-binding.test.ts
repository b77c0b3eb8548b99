import assert from "node:assert/strict";
import { test } from "node:test";
import type { WidgetState } from "../machine/widget-state.ts";
import { type BoundController, createFormBinding } from "./form-binding.ts";

const idle: WidgetState = { name: "idle" };
const loading: WidgetState = { name: "loading", isClicked: false, rejections: 0 };
const failed: WidgetState = { name: "error", error: { name: "sitekey_unknown" } };
const verified = (token: string): WidgetState => ({ name: "verified", token });

/**
 * A binding without a form, whose widget has the given state, and a record of its calls to the
 * widget.
 */
function held(first: WidgetState) {
  const asked: string[] = [];
  const now = { state: first, mayGoWithout: false };
  const note = (what: string) => () => {
    asked.push(what);
  };
  const controller: BoundController = {
    state: () => now.state,
    mayBegin: () => true,
    start: note("start"),
    discard: note("discard"),
    wake: note("wake"),
    prioritize: note("prioritize"),
    aim: note("aim"),
  };
  const token = (): string => (now.state.name === "verified" ? now.state.token : "");
  const button = { disabled: false, focus: note("focus") };
  return {
    binding: createFormBinding({
      controller,
      button,
      token,
      mayGoWithout: () => now.mayGoWithout,
      askAgain: note("askAgain"),
    }),
    asked,
    now,
  };
}

test("gives a token to a submission once and to a script once, and then earns another as fast as possible (decision 0037)", () => {
  const { binding, asked } = held(verified("t1"));
  assert.deepEqual(
    [binding.take("form"), binding.take("script"), binding.sent()],
    ["t1", "t1", "t1"],
  );
  assert.deepEqual(asked, []);
  assert.equal(binding.take("script"), "");
  assert.deepEqual(asked, ["discard", "start", "prioritize"]);
});

test("returns the next token again, and keeps the sent one with the form until a reset", () => {
  const { binding, now } = held(verified("t1"));
  binding.take("form");
  now.state = loading;
  assert.equal(binding.sent(), "t1");
  now.state = verified("t2");
  assert.equal(binding.take("form"), "t2");
  binding.forgetSent();
  assert.equal(binding.sent(), "");
});

test("begins to earn a token if there is none, and drops nothing", () => {
  const { binding, asked } = held(idle);
  assert.equal(binding.take("form"), "");
  assert.deepEqual(asked, ["start", "prioritize"]);
});

test("leads the visitor once to a widget that a submission or script waits for, and to no other", () => {
  const { binding, asked, now } = held(loading);
  now.state = failed;
  binding.resume();
  assert.deepEqual(asked, [], "nobody waits");
  now.state = loading;
  binding.take("script");
  now.state = failed;
  binding.resume();
  binding.resume();
  assert.deepEqual(asked, ["start", "prioritize", "focus"]);
});

test("leads nobody to the widget if the form may be sent without a token, or the widget has left the page", () => {
  for (const end of ["out", "left"]) {
    const { binding, asked, now } = held(loading);
    binding.take("form");
    now.mayGoWithout = end === "out";
    if (end === "left") {
      now.state = { name: "idle" };
      binding.resume();
    }
    now.state = failed;
    binding.resume();
    assert.ok(!asked.includes("focus"), end);
  }
});
