import assert from "node:assert/strict";
import { test } from "node:test";
import type { WidgetState } from "../machine/widget-state.ts";
import { chooseTheme, isLeftAlone, isOfRun, isUnseen, OBSERVED } from "./attributes.ts";

/** Just enough of an element to read attributes from. */
const elementWith = (attributes: Readonly<Record<string, string>>) =>
  ({ getAttribute: (name: string) => attributes[name] ?? null }) as unknown as Element;

const idle: WidgetState = { name: "idle" };
const loading: WidgetState = { name: "loading", isClicked: false, rejections: 0 };
const failed: WidgetState = { name: "error", error: { name: "network" } };

test("begins a new run for a change of a challenge attribute, but not of looks or language, in either form", () => {
  const plain = OBSERVED.filter((name) => !/^data-/.test(name));
  assert.deepEqual(
    plain.filter((name) => !isOfRun(name)),
    ["theme", "appearance", "size", "dir", "language"],
  );
  for (const name of plain) {
    const data = `data-${name}`;
    assert.deepEqual([OBSERVED.includes(data), isOfRun(data)], [true, isOfRun(name)]);
  }
});

test("falls back from an unknown theme to the next one requested, and to the default theme (D13, formats)", () => {
  assert.equal(chooseTheme(["dark", "light"]), "dark");
  assert.equal(chooseTheme([null, "contrast"]), "contrast");
  for (const odd of ["neon", "", 7, undefined, {}])
    assert.equal(chooseTheme([odd, odd]), "auto", String(odd));
});

test("execution, retry and refresh-expired each apply only to their own state, in either form", () => {
  const none = elementWith({});
  const asked = elementWith({ execution: "submit", "data-retry": "never" });
  assert.deepEqual(
    (["idle", "error", "expired"] as const).map((name) => [
      isLeftAlone(none, name),
      isLeftAlone(asked, name),
    ]),
    [
      [false, true],
      [false, true],
      [false, false],
    ],
  );
  assert.equal(isLeftAlone(elementWith({ "refresh-expired": "manual" }), "expired"), true);
  assert.equal(isLeftAlone(elementWith({ execution: "focus", retry: "auto" }), "error"), false);
});

test("shows the progress to a visitor who pressed, whatever hides the widget (D9, submission)", () => {
  const element = elementWith({ appearance: "interaction-only" });
  const pressed = { ...loading, isClicked: true };
  assert.deepEqual(
    [isUnseen(element, loading, false), isUnseen(element, pressed, false)],
    [true, false],
  );
});

test("shows the widget whenever it needs the visitor, whatever hides it", () => {
  for (const attributes of [
    { size: "invisible" },
    { appearance: "interaction-only" },
    { "data-appearance": "execute" },
  ]) {
    const element = elementWith(attributes);
    assert.deepEqual(
      [isUnseen(element, idle, false), isUnseen(element, failed, false)],
      [true, false],
    );
  }
  const plain = elementWith({});
  assert.deepEqual(
    [isUnseen(plain, idle, false), isUnseen(plain, idle, true), isUnseen(plain, failed, true)],
    [false, true, false],
  );
  assert.equal(isUnseen(elementWith({ appearance: "execute" }), loading, false), false);
});
