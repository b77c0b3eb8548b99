import assert from "node:assert/strict";
import { test } from "node:test";
import { chromium } from "playwright-core";
import { IN_ONE_PROCESS, QUIET } from "./browser.ts";

/** The features that each list on a command line turns off, or on. */
function featureLists(
  commandLine: string,
  turned: "disable" | "enable",
): readonly (readonly string[])[] {
  const lists = commandLine
    .split(" ")
    .filter((option) => option.startsWith(`--${turned}-features=`));
  return lists.map((option) => option.slice(option.indexOf("=") + 1).split(","));
}

test("a browser of the tests keeps Playwright's features turned on and off, since Chromium uses only the last of two lists", async () => {
  const launch = chromium.launch({
    executablePath: process.execPath,
    args: [...QUIET, ...IN_ONE_PROCESS],
  });
  const { message } = await launch.then(
    () => assert.fail("it started"),
    (error: Error) => error,
  );
  const started = message.split("\n").find((line) => line.includes("<launching>")) ?? "";
  for (const turned of ["disable", "enable"] as const) {
    const [playwrights = [], ours = [], ...others] = featureLists(started, turned);
    assert.equal(others.length, 0);
    assert.ok(playwrights.length > (turned === "disable" ? 5 : 1));
    assert.deepEqual(
      playwrights.filter((feature) => !ours.includes(feature)),
      [],
    );
  }
});
