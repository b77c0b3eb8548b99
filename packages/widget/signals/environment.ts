// Inspects the browser once, before solving. Loaded when the visitor begins to use the form.
import { type EnvironmentSignals, SIGNALS_VERSION } from "@stile/protocol/signals";
import { clip, fieldsOf, numberOr } from "../untrusted.ts";
import { factsOf } from "./browser-facts.ts";
import type { FrameProbe } from "./frame-probe.ts";
import { lookThroughFreshFrame } from "./natives.ts";

/** Properties of newer or other engines, which the common types lack. */
type WiderNavigator = Navigator & {
  readonly deviceMemory?: number;
  readonly userAgentData?: {
    readonly brands?: readonly { readonly brand?: unknown; readonly version?: unknown }[];
    readonly mobile?: boolean;
    readonly platform?: unknown;
  };
};
type WiderElement = Element & { readonly currentCSSZoom?: number };

/** Input abilities; preferences such as colours or motion are not collected. */
const ABILITIES = [
  "hover: hover",
  "hover: none",
  "pointer: fine",
  "pointer: coarse",
  "pointer: none",
];
/** A tab: no full screen, no kiosk, no installed app. */
const IN_TAB = "(display-mode: browser)";
const MEDIA_QUERIES = [
  ...ABILITIES.flatMap((ability) => [`(${ability})`, `(any-${ability})`]),
  IN_TAB,
];

/**
 * Global names that WebDriver servers, Selenium, PhantomJS, Nightmare, Playwright, Puppeteer and
 * similar leave.
 */
const DRIVER_GLOBAL =
  /^(\$?cdc_|\$chrome_async|__?((.?web|fx)?driver|selenium|nightmare|phantom|playwright|puppeteer|pw|lastWatir)|call(ed)?(phantom|selenium)|domAutomation)/i;
const MAX_DRIVER_GLOBALS = 16;
/** How long to wait for the browser's answer about a permission, ms. */
const PERMISSION_MS = 300;

/** Those of `names` that drivers leave: at most 16, of at most 64 characters. */
export function driverGlobalsOf(names: readonly string[]): string[] {
  return names
    .filter((name) => DRIVER_GLOBAL.test(name))
    .slice(0, MAX_DRIVER_GLOBALS)
    .map((name) => clip(name, 64));
}

const pixels = (value: unknown): number => numberOr(value, -1e6, 1e6) ?? 0;

function clientHints(navigator: WiderNavigator): EnvironmentSignals["clientHints"] {
  const data = navigator.userAgentData;
  if (data === undefined) return null;
  const brands = (data.brands ?? [])
    .slice(0, 8)
    .map(({ brand, version }) => [clip(brand, 64), clip(version, 32)] as const);
  return { brands, mobile: data.mobile === true, platform: clip(data.platform, 64) };
}

function chromeNames(): EnvironmentSignals["chrome"] {
  const { chrome } = fieldsOf(window);
  if (typeof chrome !== "object" || chrome === null) return null;
  return Object.getOwnPropertyNames(chrome)
    .slice(0, 12)
    .map((name) => clip(name, 32));
}

/** The visitor is not asked: this only reads earlier answers. */
async function permissionOf(): Promise<EnvironmentSignals["permission"]> {
  if (typeof Notification === "undefined" || navigator.permissions === undefined) return null;
  const asked = navigator.permissions.query({ name: "notifications" });
  const silence = new Promise<undefined>((resolve) =>
    setTimeout(resolve, PERMISSION_MS, undefined),
  );
  const answer = await Promise.race([asked, silence]).catch(() => undefined);
  return answer === undefined ? null : [clip(Notification.permission, 16), clip(answer.state, 16)];
}

function pageScale(): number | null {
  const { currentCSSZoom = 1 }: WiderElement = document.documentElement;
  return numberOr((visualViewport?.scale ?? 1) * currentCSSZoom, 0, 1000);
}

function graphicsOf(found: unknown): EnvironmentSignals["graphics"] {
  return Array.isArray(found) ? [clip(found[0], 128), clip(found[1], 128)] : null;
}

/**
 * Everything the page can observe about its browser; the puzzle commits to it. `probe` is null
 * without a frame.
 */
export async function collectEnvironment(probe: FrameProbe | null): Promise<EnvironmentSignals> {
  const wider: WiderNavigator = navigator;
  const { width, height, availWidth, availHeight, colorDepth } = screen;
  const fresh = lookThroughFreshFrame();
  return {
    v: SIGNALS_VERSION,
    ...factsOf(wider, 1024),
    vendor: clip(wider.vendor, 128),
    memory: numberOr(wider.deviceMemory, 0, 4096),
    touchPoints:
      numberOr(Number.isInteger(wider.maxTouchPoints) && wider.maxTouchPoints, 0, 256) ?? 0,
    screen: [
      pixels(width),
      pixels(height),
      pixels(availWidth),
      pixels(availHeight),
      pixels(colorDepth),
    ],
    viewport: [pixels(innerWidth), pixels(innerHeight), pixels(outerWidth), pixels(outerHeight)],
    pixelRatio: numberOr(devicePixelRatio, 0, 64) ?? 1,
    pageScale: pageScale(),
    isFramed: self !== top,
    isSecure: isSecureContext,
    timezoneOffset: numberOr(new Date().getTimezoneOffset(), -1440, 1440) ?? 0,
    timezone: clip(Intl.DateTimeFormat().resolvedOptions().timeZone, 64) || null,
    media: MEDIA_QUERIES.filter((query) => matchMedia(query).matches),
    clientHints: clientHints(wider),
    driverGlobals: driverGlobalsOf([
      ...Object.getOwnPropertyNames(window),
      ...Object.getOwnPropertyNames(document),
    ]),
    chrome: chromeNames(),
    permission: await permissionOf(),
    natives: fresh?.natives ?? [],
    blank: fresh && factsOf(fresh.facts),
    frame: probe && factsOf(probe.navigator),
    worker: probe?.worker ? factsOf(probe.worker) : null,
    graphics: graphicsOf(probe?.graphics),
  };
}
