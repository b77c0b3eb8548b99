import { knownEnvironment } from "../evidence.ts";
import type { FlagRow } from "../flag-row.ts";

/**
 * Names that only chromedriver, Selenium, Playwright, Puppeteer, PhantomJS, Nightmare and Watir
 * leave.
 */
const DRIVER_NAMES =
  /^(?:\$?cdc_[A-Za-z0-9]{16,}|\$chrome_asyncScriptInfo|__\$webdriver|__webdriver|__driver_|__fxdriver|__selenium|_selenium|_Selenium_IDE|callSelenium|calledSelenium|_WEBDRIVER_|__playwright|__pwInitScripts|__pw_|__puppeteer|callPhantom|__phantomas|__nightmare|domAutomation|__lastWatir)/;

/**
 * The page has a global name that only automation drivers leave (`cdc_...` of chromedriver: 10 of
 * 10 sessions). Names that honest visitors' pages have, such as `phantom` (a wallet), do not count.
 */
export const driverGlobals = {
  name: "driver_globals",
  group: "environment",
  label: "The page has traces of an automation driver.",
  weight: 4.5,
  detect: (evidence) =>
    knownEnvironment(evidence)?.driverGlobals.some((name) => DRIVER_NAMES.test(name)) ?? false,
} satisfies FlagRow;
