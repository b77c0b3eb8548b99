import assert from "node:assert/strict";
import { test } from "node:test";
import { createClosing } from "./closing.ts";

test("the last that was started ends first, and each ends once", async () => {
  const ended: string[] = [];
  const closing = createClosing(() => {});
  closing.add("service", () => ended.push("service"));
  const endBrowser = closing.add("browser", () => ended.push("browser"));
  closing.add("screen", () => ended.push("screen"));
  await endBrowser();
  await endBrowser();
  await closing.endAll();
  await closing.endAll();
  assert.deepEqual(ended, ["browser", "screen", "service"]);
});

test("one that would not end does not keep the others", async () => {
  const said: string[] = [];
  const ended: string[] = [];
  const closing = createClosing((text) => said.push(text));
  closing.add("service", () => ended.push("service"));
  closing.add("browser", () => {
    throw new Error("gone already");
  });
  await closing.endAll();
  assert.deepEqual(ended, ["service"]);
  assert.match(said.join(), /browser.*gone already/);
});
