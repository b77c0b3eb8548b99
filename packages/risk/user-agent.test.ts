import assert from "node:assert/strict";
import { test } from "node:test";
import { HONEST_VISITORS } from "@stile/testkit/visits/honest-visitors";
import { areDifferentBrowsers, type ClaimedBrowser, parseUserAgent } from "./user-agent.ts";

const BLINK = "AppleWebKit/537.36 (KHTML, like Gecko)";
const CASES: readonly (readonly [string, string, ClaimedBrowser])[] = [
  [
    "Edge on Windows is Chromium on a desktop",
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${BLINK} Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0`,
    { engine: "chromium", major: 140, platform: "Windows", isMobile: false, isDesktop: true },
  ],
  [
    "headless Chromium keeps its engine and version",
    `Mozilla/5.0 (X11; Linux x86_64) ${BLINK} HeadlessChrome/156.0.8078.79 Safari/537.36`,
    { engine: "chromium", major: 156, platform: "Linux", isMobile: false, isDesktop: true },
  ],
  [
    "the old Edge is no Chromium, whatever it says",
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${BLINK} Chrome/64.0.3282.140 Safari/537.36 Edge/18.17763`,
    { engine: "unknown", major: null, platform: "Windows", isMobile: false, isDesktop: true },
  ],
  [
    "Firefox on Android is a phone",
    "Mozilla/5.0 (Android 15; Mobile; rv:143.0) Gecko/143.0 Firefox/143.0",
    { engine: "firefox", major: 143, platform: "Android", isMobile: true, isDesktop: false },
  ],
  [
    "Chrome on an iPhone is WebKit",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/140.0.7339.39 Mobile/15E148 Safari/604.1",
    { engine: "webkit", major: null, platform: "iOS", isMobile: true, isDesktop: false },
  ],
  [
    "an Android tablet is neither phone nor desktop",
    `Mozilla/5.0 (Linux; Android 10; K) ${BLINK} Chrome/140.0.0.0 Safari/537.36`,
    { engine: "chromium", major: 140, platform: "Android", isMobile: false, isDesktop: false },
  ],
  [
    "a Chromebook is a desktop",
    `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${BLINK} Chrome/140.0.0.0 Safari/537.36`,
    { engine: "chromium", major: 140, platform: "Chrome OS", isMobile: false, isDesktop: true },
  ],
  [
    "a television is no desktop",
    `Mozilla/5.0 (Web0S; Linux/SmartTV) ${BLINK} Chrome/120.0.6099.270 Safari/537.36 WebAppManager`,
    { engine: "chromium", major: 120, platform: "unknown", isMobile: false, isDesktop: false },
  ],
  [
    "a console is no desktop",
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64; Xbox; Xbox One) ${BLINK} Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0`,
    { engine: "chromium", major: 140, platform: "Windows", isMobile: false, isDesktop: false },
  ],
  [
    "a headset is neither phone nor desktop",
    `Mozilla/5.0 (X11; Linux x86_64; Quest 3) ${BLINK} OculusBrowser/39.0 Chrome/136.0.0.0 Mobile VR Safari/537.36`,
    { engine: "chromium", major: 136, platform: "Linux", isMobile: false, isDesktop: false },
  ],
  [
    "an empty text claims nothing",
    "",
    { engine: "unknown", major: null, platform: "unknown", isMobile: false, isDesktop: false },
  ],
];

for (const [guarantee, userAgent, claim] of CASES) {
  test(`user agent: ${guarantee}`, () => assert.deepEqual(parseUserAgent(userAgent), claim));
}

test("text beyond the published length is not read (limits, userAgent)", () => {
  assert.equal(parseUserAgent(`${" ".repeat(1024)}Firefox/143.0`).engine, "unknown");
  assert.equal(parseUserAgent(`${" ".repeat(1000)}Firefox/143.0`).engine, "firefox");
});

test("every honest browser is recognised", () => {
  for (const { name, evidence } of HONEST_VISITORS) {
    assert.notEqual(parseUserAgent(evidence.userAgent).engine, "unknown", name);
    assert.notEqual(parseUserAgent(evidence.userAgent).platform, "unknown", name);
  }
});

const chrome = (system: string, major: number, suffix = "") =>
  `Mozilla/5.0 (${system}) ${BLINK} Chrome/${major}.0.0.0 Safari/537.36${suffix}`;
const FIREFOX_WINDOWS = "Mozilla/5.0 (Windows NT 10.0; rv:143.0) Gecko/20100101 Firefox/143.0";
const FIREFOX_LINUX = "Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0";

test("another engine, version or system makes another browser", () => {
  const here = chrome("Windows NT 10.0; Win64; x64", 140);
  assert.ok(areDifferentBrowsers(here, FIREFOX_WINDOWS));
  assert.ok(areDifferentBrowsers(here, chrome("Windows NT 10.0; Win64; x64", 139)));
  assert.ok(areDifferentBrowsers(here, chrome("X11; Linux x86_64", 140)));
  assert.ok(areDifferentBrowsers(FIREFOX_WINDOWS, FIREFOX_WINDOWS.replaceAll("143", "142")));
});

test("suffixes, unknown browsers and Firefox's disguised system make no other browser", () => {
  const here = chrome("Windows NT 10.0; Win64; x64", 140);
  assert.ok(!areDifferentBrowsers(here, chrome("Windows NT 10.0; Win64; x64", 140, " [FBAN/FB4A]")));
  assert.ok(!areDifferentBrowsers(here, "MyShop/3.1 (in-app)"));
  assert.ok(!areDifferentBrowsers(FIREFOX_WINDOWS, FIREFOX_LINUX));
});
