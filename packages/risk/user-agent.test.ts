import assert from "node:assert/strict";
import { test } from "node:test";
import { HONEST_VISITORS } from "@stile/testkit/visits/honest-visitors";
import { getParser } from "bowser";
import fc from "fast-check";
import topUserAgents from "top-user-agents";
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
    "the old Edge is no Chromium, whatever it claims",
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
    "Safari on a Mac names its version first",
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Safari/605.1.15",
    { engine: "webkit", major: null, platform: "macOS", isMobile: false, isDesktop: true },
  ],
  [
    "a browser that names its version last is no Safari",
    `Mozilla/5.0 (Macintosh) Safari/605.1.15 ${"Version/18.6 ".repeat(60)}`,
    { engine: "unknown", major: null, platform: "macOS", isMobile: false, isDesktop: true },
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

test("does not read text beyond the published length (limits, userAgent)", () => {
  assert.equal(parseUserAgent(`${" ".repeat(1024)}Firefox/143.0`).engine, "unknown");
  assert.equal(parseUserAgent(`${" ".repeat(1000)}Firefox/143.0`).engine, "firefox");
});

test("recognises every honest browser", () => {
  for (const { name, evidence } of HONEST_VISITORS) {
    assert.notEqual(parseUserAgent(evidence.userAgent).engine, "unknown", name);
    assert.notEqual(parseUserAgent(evidence.userAgent).platform, "unknown", name);
  }
});

const chrome = (system: string, major: number, suffix = "") =>
  `Mozilla/5.0 (${system}) ${BLINK} Chrome/${major}.0.0.0 Safari/537.36${suffix}`;
const FIREFOX_WINDOWS = "Mozilla/5.0 (Windows NT 10.0; rv:143.0) Gecko/20100101 Firefox/143.0";
const FIREFOX_LINUX = "Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0";

test("takes another engine, version or system for another browser", () => {
  const here = chrome("Windows NT 10.0; Win64; x64", 140);
  assert.ok(areDifferentBrowsers(here, FIREFOX_WINDOWS));
  assert.ok(areDifferentBrowsers(here, chrome("Windows NT 10.0; Win64; x64", 139)));
  assert.ok(areDifferentBrowsers(here, chrome("X11; Linux x86_64", 140)));
  assert.ok(areDifferentBrowsers(FIREFOX_WINDOWS, FIREFOX_WINDOWS.replaceAll("143", "142")));
});

test("takes suffixes, unknown browsers and Firefox's disguised system for no other browser", () => {
  const here = chrome("Windows NT 10.0; Win64; x64", 140);
  assert.ok(
    !areDifferentBrowsers(here, chrome("Windows NT 10.0; Win64; x64", 140, " [FBAN/FB4A]")),
  );
  assert.ok(!areDifferentBrowsers(here, "MyShop/3.1 (in-app)"));
  assert.ok(!areDifferentBrowsers(FIREFOX_WINDOWS, FIREFOX_LINUX));
});

const SYSTEMS = [
  "Windows NT 10.0; Win64; x64",
  "Windows NT 6.1; WOW64",
  "Macintosh; Intel Mac OS X 10_15_7",
  "X11; Linux x86_64",
  "X11; Ubuntu; Linux x86_64",
  "X11; CrOS x86_64 14541.0.0",
  "Linux; Android 10; K",
  "Linux; Android 14; SM-S921B",
];
/** How browsers of each engine write their user agent, by system and major version. */
const FORMS: readonly ((system: string, major: number) => string)[] = [
  (system, major) => `Mozilla/5.0 (${system}) ${BLINK} Chrome/${major}.0.0.0 Safari/537.36`,
  (system, major) => `Mozilla/5.0 (${system}) ${BLINK} Chrome/${major}.0.0.0 Mobile Safari/537.36`,
  (system, major) =>
    `Mozilla/5.0 (${system}) ${BLINK} Chrome/${major}.0.0.0 Safari/537.36 Edg/${major}.0.0.0`,
  (system, major) =>
    `Mozilla/5.0 (${system}) ${BLINK} Chrome/${major}.0.0.0 Safari/537.36 OPR/${major - 16}.0.0.0`,
  (system, major) =>
    `Mozilla/5.0 (${system}) ${BLINK} SamsungBrowser/25.0 Chrome/${major}.0.0.0 Mobile Safari/537.36`,
  (system, major) => `Mozilla/5.0 (${system}; rv:${major}.0) Gecko/20100101 Firefox/${major}.0`,
  (_, major) =>
    `Mozilla/5.0 (Android 14; Mobile; rv:${major}.0) Gecko/${major}.0 Firefox/${major}.0`,
  (_, major) =>
    `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/${major % 30}.1 Safari/605.1.15`,
  (_, major) =>
    `Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/${major}.0.0.0 Mobile/15E148 Safari/604.1`,
  (_, major) =>
    `Mozilla/5.0 (iPad; CPU OS 16_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) FxiOS/${major}.0 Mobile/15E148 Safari/605.1.15`,
];
const ENGINES: Readonly<Record<string, string>> = {
  Blink: "chromium",
  Gecko: "firefox",
  WebKit: "webkit",
};

/**
 * Without the browser's name bowser guesses it by the engine. Here it is unknown, except on iOS
 * with its one engine.
 */
const NAMES_ENGINE = /Chrome\/|Firefox\/|Safari\/|iPhone|iPad/;

/**
 * Bowser's reading of a user agent, in our words. If it names no engine but names Chrome, the
 * engine is Chrome's.
 */
function toldByBowser(agent: string) {
  const { os, engine, browser } = getParser(agent).getResult();
  const name = engine.name ?? (browser.name === "Chrome" ? "Blink" : "");
  const isOwn = engine.name === "Gecko" || browser.name === "Chrome";
  const major = isOwn && name !== "WebKit" ? Number.parseInt(browser.version ?? "", 10) : undefined;
  return { platform: os.name, engine: ENGINES[name] ?? "unknown", major };
}

function agreesWithBowser(agent: string): void {
  const { platform, engine, major } = parseUserAgent(agent);
  const told = toldByBowser(agent);
  assert.equal(platform, told.platform, agent);
  assert.equal(engine, NAMES_ENGINE.test(agent) ? told.engine : "unknown", agent);
  if (told.major !== undefined && engine !== "webkit") assert.equal(major, told.major, agent);
}

test("reads today's user agents as bowser does", () => {
  assert.ok(topUserAgents.length >= 100);
  for (const agent of topUserAgents) agreesWithBowser(agent);
});

test("reads browsers of each engine, on each system and of any version, as bowser does", () => {
  const version = fc.integer({ min: 60, max: 999 });
  const agents = fc
    .tuple(fc.constantFrom(...FORMS), fc.constantFrom(...SYSTEMS), version)
    .map(([form, system, major]) => form(system, major));
  fc.assert(fc.property(agents, agreesWithBowser), { numRuns: 2000 });
});
