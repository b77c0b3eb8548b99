import assert from "node:assert/strict";
import { test } from "node:test";
import { chromium } from "playwright-core";
import { QUIET } from "./browser.ts";

/** The features that each list of a command line turns off. */
function featureLists(commandLine: string): readonly (readonly string[])[] {
  return [...commandLine.matchAll(/--disable-features=(\S+)/g)].map(([, list = ""]) => list.split(","));
}

test("a browser of the tests turns off all that Playwright does: of two lists Chromium takes the last alone", async () => {
  const launch = chromium.launch({ executablePath: process.execPath, args: [...QUIET] });
  const { message } = await launch.then(
    () => assert.fail("it started"),
    (error: Error) => error,
  );
  const started = message.split("\n").find((line) => line.includes("<launching>")) ?? "";
  const [playwrights = [], ours = [], ...others] = featureLists(started);
  assert.equal(others.length, 0);
  assert.ok(playwrights.length > 5);
  assert.deepEqual(
    playwrights.filter((feature) => !ours.includes(feature)),
    [],
  );
});
