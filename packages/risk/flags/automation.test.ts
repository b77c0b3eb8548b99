import assert from "node:assert/strict";
import { test } from "node:test";
import {
  CHROME_VISITOR,
  findVisitor,
  withBehaviour,
  withEnvironment,
} from "@stile/testkit/visits/find-visitor";
import { assessVisit } from "@stile/testkit/visits/handed-in";
import { raises } from "@stile/testkit/visits/raises";
import { automationWebdriver } from "./automation-webdriver.ts";
import { driverGlobals } from "./driver-globals.ts";
import { injectedStack } from "./injected-stack.ts";

test("automation_webdriver: raised by a driver in the page, or only in the solver's frame", () => {
  assert.ok(raises(automationWebdriver, withEnvironment(CHROME_VISITOR, { webdriver: true })));
  const { frame } = CHROME_VISITOR.environment;
  assert.ok(
    raises(
      automationWebdriver,
      withEnvironment(CHROME_VISITOR, { frame: { ...frame!, webdriver: true } }),
    ),
  );
});

test("automation_webdriver: silent on false, null and absent values", () => {
  for (const webdriver of [false, null]) {
    assert.ok(
      !raises(automationWebdriver, withEnvironment(CHROME_VISITOR, { webdriver, frame: null })),
    );
  }
  assert.ok(!raises(automationWebdriver, { environment: "withheld" }));
  assert.ok(!raises(automationWebdriver, {}));
});

test("automation_webdriver: raised if only a fresh frame reveals the driver", () => {
  const { blank } = CHROME_VISITOR.environment;
  assert.ok(
    raises(
      automationWebdriver,
      withEnvironment(CHROME_VISITOR, { blank: { ...blank!, webdriver: true } }),
    ),
  );
});

test("injected_stack: raised by a script without an address that operated the page", () => {
  const callers = ["at UtilityScript.evaluate (<anonymous>:372:16)"];
  assert.ok(raises(injectedStack, withBehaviour(CHROME_VISITOR, { callers })));
});

test("injected_stack: silent if no such script was seen, and never blocks alone", () => {
  assert.ok(!raises(injectedStack, CHROME_VISITOR));
  assert.ok(!raises(injectedStack, { behaviour: "withheld" }));
  const { score } = assessVisit(withBehaviour(CHROME_VISITOR, { callers: ["at <anonymous>:1:1"] }));
  assert.ok(score >= 0.3 && score < 0.6, `score ${score}`);
});

const LEFT_BEHIND = [
  "cdc_adoQpoasnfa76pfcZLmcfl_Array",
  "$cdc_asdjflasutopfhvcZLmcfl_",
  "$chrome_asyncScriptInfo",
  "__$webdriverAsyncExecutor",
  "__webdriver_script_fn",
  "__driver_evaluate",
  "__fxdriver_unwrapped",
  "__selenium_evaluate",
  "_Selenium_IDE_Recorder",
  "_WEBDRIVER_ELEM_CACHE",
  "__playwright__binding__",
  "__pwInitScripts",
  "__puppeteer_evaluation_script__",
  "callPhantom",
  "__nightmare",
  "domAutomationController",
  "__lastWatirAlert",
];

test("driver_globals: raised by each name that a driver leaves", () => {
  const missed = LEFT_BEHIND.filter(
    (name) => !raises(driverGlobals, withEnvironment(CHROME_VISITOR, { driverGlobals: [name] })),
  );
  assert.deepEqual(missed, []);
});

test("driver_globals: silent on wallets, tours and pages with similar global names", () => {
  const names = [
    "phantom",
    "driver",
    "driverObj",
    "webdriver",
    "selenium",
    "cdc_banner",
    "puppeteer",
    "playwrightDocs",
  ];
  assert.ok(!raises(driverGlobals, withEnvironment(CHROME_VISITOR, { driverGlobals: names })));
  assert.ok(!raises(driverGlobals, findVisitor("Firefox on Linux, keyboard only")));
  assert.ok(!raises(driverGlobals, { environment: "withheld" }));
});
