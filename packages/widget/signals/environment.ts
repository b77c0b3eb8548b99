import { type EnvironmentSignals, SIGNALS_VERSION } from "@stile/protocol/signals";
import { clip, numberOr } from "../untrusted.ts";

/** What the solver frame says about itself. */
export type FrameFacts = NonNullable<EnvironmentSignals["frame"]>;

/** The properties of a navigator that page and frame are compared by, not checked yet. */
export type NavigatorFacts = { readonly [K in "userAgent" | "webdriver" | "hardwareConcurrency"]?: unknown };

/** What newer or other engines have on `navigator` beyond the common types. */
type WiderNavigator = Navigator & {
  readonly deviceMemory?: number;
  readonly userAgentData?: {
    readonly brands?: readonly { readonly brand?: unknown; readonly version?: unknown }[];
    readonly mobile?: boolean;
    readonly platform?: unknown;
  };
};

/** Input abilities; tastes such as colours or motion are nobody's business here. */
const MEDIA_QUERIES = [
  "(hover: hover)",
  "(hover: none)",
  "(any-hover: hover)",
  "(any-hover: none)",
  "(pointer: fine)",
  "(pointer: coarse)",
  "(pointer: none)",
  "(any-pointer: fine)",
  "(any-pointer: coarse)",
  "(any-pointer: none)",
];

/** Names that WebDriver servers, Selenium, PhantomJS, Nightmare, Playwright, Puppeteer and kin are known to leave on globals. */
const DRIVER_GLOBAL =
  /^(\$?cdc_|\$chrome_async|__?(.?webdriver|driver|selenium|fxdriver|nightmare|phantom|playwright|puppeteer|pw|lastWatir)|call(ed)?(Phantom|Selenium)|domAutomation)/i;
const MAX_DRIVER_GLOBALS = 16;

/** Those of `names` that drivers leave, at most 16 of at most 64 characters. */
export function driverGlobalsOf(names: readonly string[]): string[] {
  return names
    .filter((name) => DRIVER_GLOBAL.test(name))
    .slice(0, MAX_DRIVER_GLOBALS)
    .map((name) => clip(name, 64));
}

const pixels = (value: unknown): number => numberOr(value, -1e6, 1e6) ?? 0;

/** Of a navigator, or of what a frame said about its own: anything else than the expected becomes null or empty. */
export function factsOf({ userAgent, webdriver, hardwareConcurrency }: NavigatorFacts): FrameFacts {
  return {
    userAgent: clip(userAgent, 1024),
    webdriver: typeof webdriver === "boolean" ? webdriver : null,
    cores: numberOr(hardwareConcurrency, 1, 4096),
  };
}

function clientHints(navigator: WiderNavigator): EnvironmentSignals["clientHints"] {
  const data = navigator.userAgentData;
  if (data === undefined) return null;
  const brands = (data.brands ?? [])
    .slice(0, 8)
    .map(({ brand, version }) => [clip(brand, 64), clip(version, 32)] as const);
  return { brands, mobile: data.mobile === true, platform: clip(data.platform, 64) };
}

/** Looks at the browser once, before solving: the puzzle commits to these bytes. `frame` is null where the frame did not load. */
export function collectEnvironment(frame: FrameFacts | null): EnvironmentSignals {
  const wider: WiderNavigator = navigator;
  const { width, height, availWidth, availHeight, colorDepth } = screen;
  return {
    v: SIGNALS_VERSION,
    ...factsOf(wider),
    platform: clip(wider.platform, 128),
    vendor: clip(wider.vendor, 128),
    languages: (wider.languages ?? []).slice(0, 16).map((language) => clip(language, 32)),
    memory: numberOr(wider.deviceMemory, 0, 4096),
    touchPoints: numberOr(wider.maxTouchPoints, 0, 256) ?? 0,
    screen: [pixels(width), pixels(height), pixels(availWidth), pixels(availHeight), pixels(colorDepth)],
    viewport: [pixels(innerWidth), pixels(innerHeight), pixels(outerWidth), pixels(outerHeight)],
    pixelRatio: numberOr(devicePixelRatio, 0, 64) ?? 1,
    timezoneOffset: numberOr(new Date().getTimezoneOffset(), -1440, 1440) ?? 0,
    timezone: clip(Intl.DateTimeFormat().resolvedOptions().timeZone, 64) || null,
    media: MEDIA_QUERIES.filter((query) => matchMedia(query).matches),
    clientHints: clientHints(wider),
    driverGlobals: driverGlobalsOf([...Object.getOwnPropertyNames(window), ...Object.getOwnPropertyNames(document)]),
    frame,
  };
}
