import { type Detector, knownBehaviour, knownEnvironment } from "../evidence.ts";

/**
 * `navigator.webdriver` is true in the page, a fresh frame or the solver's frame (WebDriver, "navigator.webdriver"). Browsers set
 * it only under a driver or its switches; people who test their own pages raise it, rightly. Null is neutral.
 */
export const automationWebdriver: Detector = (evidence) => {
  const environment = knownEnvironment(evidence);
  return [environment, environment?.blank, environment?.frame].some((place) => place?.webdriver === true);
};

/**
 * A script without an address made an event or measured the widget: drivers put such scripts into the page (`page.evaluate`
 * and kin: 3 of 3 sessions; chromedriver's atoms: 10 of 10). Scripts of pages and extensions have an address. People who
 * type into the console of their browser, or use a bookmarklet, raise it: a click is asked for, no block.
 */
export const injectedStack: Detector = (evidence) => (knownBehaviour(evidence)?.callers.length ?? 0) > 0;

/** Names that chromedriver, Selenium, Playwright, Puppeteer, PhantomJS, Nightmare and Watir leave, and nobody else. */
const DRIVER_NAMES =
  /^(?:\$?cdc_[A-Za-z0-9]{16,}|\$chrome_asyncScriptInfo|__\$webdriver|__webdriver|__driver_|__fxdriver|__selenium|_selenium|_Selenium_IDE|callSelenium|calledSelenium|_WEBDRIVER_|__playwright|__pwInitScripts|__pw_|__puppeteer|callPhantom|__phantomas|__nightmare|domAutomation|__lastWatir)/;

/**
 * The page holds a name that only automation drivers leave (`cdc_...` of chromedriver: 10 of 10 sessions). Judged by
 * this list, not by what the collector thought worth sending: people have `phantom` (a wallet) and `driver` (a tour).
 */
export const driverGlobals: Detector = (evidence) =>
  knownEnvironment(evidence)?.driverGlobals.some((name) => DRIVER_NAMES.test(name)) ?? false;
