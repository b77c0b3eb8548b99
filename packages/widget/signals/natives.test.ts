import assert from "node:assert/strict";
import { test } from "node:test";
import { createContext, runInContext } from "node:vm";
import { foreignNatives } from "./natives.ts";

type Page = Parameters<typeof foreignNatives>[0];

const toText = Function.prototype.toString;

/**
 * A page whose two functions are an engine's built-ins, as in a browser, after running a driver's
 * script in it.
 */
function pageAfter(script: string): Page {
  const context = createContext({});
  return runInContext(
    `class Navigator {} class Permissions {}
     Object.defineProperty(Navigator.prototype, "webdriver", { configurable: true, get: nativeNamed("webdriver") });
     Object.defineProperty(Permissions.prototype, "query", { configurable: true, writable: true, value: nativeNamed("query") });
     const navigator = new Navigator();
     ${script};
     ({ Navigator, Permissions, navigator, Function })`,
    Object.assign(context, { nativeNamed }),
  );
}

const texts = new WeakMap<object, string>();
/** Node has no navigator.webdriver: this function has the same text as Chromium's own. */
function nativeNamed(name: string): () => unknown {
  const native = (): boolean => false;
  texts.set(native, `function ${name === "webdriver" ? "get " : ""}${name}() { [native code] }`);
  return native;
}
function textOf(this: object): string {
  return texts.get(this) ?? toText.call(this);
}

test("does not report built-ins as the browser made them", () => {
  assert.deepEqual(foreignNatives(pageAfter(""), textOf), []);
});

const DISGUISES = [
  [`Object.defineProperty(Navigator.prototype, "webdriver", { get: () => false })`, "webdriver"],
  [`Object.defineProperty(navigator, "webdriver", { get: () => undefined })`, "webdriver"],
  [`delete Navigator.prototype.webdriver`, "webdriver"],
  [
    `const { get } = Object.getOwnPropertyDescriptor(Navigator.prototype, "webdriver");
    Object.defineProperty(Navigator.prototype, "webdriver", { get: new Proxy(get, {}) })`,
    "webdriver",
  ],
  [
    `Permissions.prototype.query = function query() { return Promise.resolve({ state: "prompt" }); }`,
    "query",
  ],
] as const;
for (const [script, name] of DISGUISES) {
  test(`reports a disguise: ${script.slice(0, 70)}`, () => {
    const found = foreignNatives(pageAfter(script), textOf);
    assert.deepEqual(
      found.map(([native]) => native),
      [name],
    );
  });
}

test("does not report a page that replaces Function.prototype.toString (core-js, zone.js), and still sees through it", () => {
  const patched = `Function.prototype.toString = function toString() { return "function webdriver() { [native code] }"; }`;
  assert.deepEqual(foreignNatives(pageAfter(patched), textOf), []);
  const hidden = `${patched}; Object.defineProperty(Navigator.prototype, "webdriver", { get: () => false })`;
  assert.equal(foreignNatives(pageAfter(hidden), textOf).length, 1);
});

test("returns nothing for an engine without these functions", () => {
  assert.deepEqual(foreignNatives({ Function, navigator: {} }, toText), []);
});
