import {
  type BehaviourSignals,
  type EnvironmentSignals,
  type PointerSample,
  SIGNALS_VERSION,
  type ToggleSample,
} from "@stile/protocol/signals";
import type { RiskEvidence } from "@stile/risk/evidence";
import { ANDROID_TABLET, DESKTOP, type HonestDevice, MAC_SAFARI, PHONE } from "./honest-devices.ts";
import { FINGERS_AS_MOUSE } from "./pointer-paths.ts";

/**
 * A person with a real browser, as the service sees them when they submit a solution (D9,
 * submission).
 */
export type HonestVisitor = {
  readonly name: string;
  readonly evidence: Omit<RiskEvidence, keyof FullEvidence> & FullEvidence;
};

type FullEvidence = {
  readonly headers: Readonly<Record<string, string>>;
  readonly userAgent: string;
  readonly environment: EnvironmentSignals;
  readonly behaviour: BehaviourSignals;
};

const MOUSE_CLICK: readonly PointerSample[] = [
  [812.3, 410, 320, 0, 0, 0, 1, -9, 8, 2],
  [829.1, 402, 327, 0, 0, 0, 1, -8, 7, 2],
  [845.8, 371, 341, 0, 0, 0, 1, -31, 14, 2],
  [862.4, 344, 352, 0, 0, 0, 1, -27, 11, 2],
  [879.2, 338, 355, 0, 0, 0, 1, -6, 3, 1],
  [1041.7, 338, 355, 1, 0, 0.5, 1, -2.5, 4],
  [1129.9, 338, 355, 2, 0, 0, 1],
  [1130.4, 338, 355, 4, 0, 0, 1],
];
/** A pointer between pixels, by that share of one. */
const shifted = (share: number): readonly PointerSample[] =>
  MOUSE_CLICK.map(([t, x, y, ...rest]) => [t, x + share, y + share, ...rest] as const);
const WEBKIT_CLICK = MOUSE_CLICK.map(
  ([t, x, y, kind, type, , trusted]) => [t, x, y, kind, type, 0, trusted] as const,
);
const PEN_CLICK = shifted(0.3714).map(
  ([t, x, y, kind, , ...rest]) => [t, x, y, kind, 2, ...rest] as const,
);
const TAP: readonly PointerSample[] = [
  [1403.2, 101.5, 240.25, 1, 1, 0.8, 1],
  [1489.6, 101.5, 240.75, 2, 1, 0, 1],
  [1491.1, 101.5, 240.75, 4, 1, 0, 1],
];
/** X11 counts whole milliseconds; Chromium under Wayland does not. */
const underX11 = (samples: readonly PointerSample[]): readonly PointerSample[] =>
  samples.map(([t, ...rest]) => [Math.floor(t) + 0.3, ...rest] as const);
/**
 * Enter on the focused widget: a trusted click of unknown type, without position; so far from its
 * middle.
 */
const KEYBOARD_CLICK: readonly PointerSample[] = [[2210.4, 0, 0, 4, 3, 0, 1, -470, -362.5]];
/** NVDA and JAWS in Chrome: press and click of type mouse without pressure and without a path. */
const NVDA_CLICK: readonly PointerSample[] = [
  [3301.2, 340, 356, 1, 0, 0, 1],
  [3301.9, 340, 356, 2, 0, 0, 1],
  [3302.3, 340, 356, 4, 0, 0, 1],
];
const KEYS: readonly ToggleSample[] = [
  [1512, 1],
  [1604, 0],
  [2204, 1],
  [2290, 0],
];

function behave(
  pointer: readonly PointerSample[],
  keys: readonly ToggleSample[] = [],
): BehaviourSignals {
  const box = [320, 330, 300, 65] as const;
  const focus = keys.length > 0 ? [[1600, 1] as const] : [];
  const seen = { visibility: [[0, 1]], scroll: [[410, 1]] } as const;
  return {
    v: SIGNALS_VERSION,
    durationMs: 4_200,
    solveMs: 310,
    pointer,
    keys,
    focus,
    ...seen,
    box,
    callers: [],
  };
}

/** They asked for their challenge soon after the page had loaded, before any input. */
const SOLVE = {
  elapsedMs: 4_000,
  difficulty: 2 ** 20,
  algorithm: 2,
  isFallback: false,
  interaction: "none",
  witness: { atMs: 200, pointer: [], keys: [] },
} as const;

type Description = {
  readonly name: string;
  readonly userAgent: string;
  readonly device: HonestDevice;
  /** Brands of a Chromium browser as [name, version]; null for other browsers. */
  readonly brands: readonly (readonly [string, string])[] | null;
  readonly behaviour: BehaviourSignals;
  readonly isPlainHttp?: boolean;
  /** The page's own user agent, where it honestly differs from the header. */
  readonly pageUserAgent?: string;
};

function toHeaders(
  it: Description,
  hints: EnvironmentSignals["clientHints"],
): Record<string, string> {
  const headers = {
    accept: "*/*",
    "accept-encoding": it.isPlainHttp ? "gzip, deflate" : "gzip, deflate, br, zstd",
    "accept-language": "en-GB,en;q=0.9,fr;q=0.8",
    "user-agent": it.userAgent,
  };
  if (it.isPlainHttp) return headers;
  const fetched = {
    ...headers,
    "sec-fetch-dest": "empty",
    "sec-fetch-mode": "cors",
    "sec-fetch-site": "cross-site",
  };
  if (hints === null) return fetched;
  const brands = hints.brands.map(([name, version]) => `"${name}";v="${version}"`).join(", ");
  const [mobile, platform] = [hints.mobile ? "?1" : "?0", `"${hints.platform}"`];
  return {
    ...fetched,
    "sec-ch-ua": brands,
    "sec-ch-ua-mobile": mobile,
    "sec-ch-ua-platform": platform,
  };
}

function toVisitor(it: Description): HonestVisitor {
  const mobile = it.device.clientHints?.mobile ?? false;
  const platform = it.device.clientHints?.platform ?? "";
  const clientHints =
    it.brands === null || it.isPlainHttp ? null : { brands: it.brands, mobile, platform };
  const userAgent = it.pageUserAgent ?? it.userAgent;
  const { platform: system, languages, webdriver, cores } = it.device;
  const place = { userAgent, platform: system, languages, webdriver, cores };
  const own = { blank: place, frame: place, worker: { ...place, webdriver: null } };
  const environment = { ...it.device, userAgent, clientHints, ...own };
  const headers = toHeaders(it, clientHints);
  const velocity = { perMinute: 2, siteRatio: 1.1 };
  const { name, userAgent: sent, behaviour } = it;
  return {
    name,
    evidence: {
      headers,
      userAgent: sent,
      environment,
      behaviour,
      solve: SOLVE,
      velocity,
      history: {},
    },
  };
}

const WINDOWS = "Mozilla/5.0 (Windows NT 10.0; Win64; x64)";
const MAC = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)";
const BLINK = "AppleWebKit/537.36 (KHTML, like Gecko)";
const CHROME_140 = `${BLINK} Chrome/140.0.0.0 Safari/537.36`;
const FIREFOX_143 = "rv:143.0) Gecko/20100101 Firefox/143.0";
const chromium = (major: string, ...own: readonly [string, string][]) =>
  [["Chromium", major], ["Not=A?Brand", "24"], ...own] as const;
const CHROME = chromium("140", ["Google Chrome", "140"]);

/**
 * People who must never be mistaken for programs: browsers, forks, in-app views, touch, keyboard
 * and screen readers.
 */
export const HONEST_VISITORS: readonly HonestVisitor[] = (
  [
    {
      name: "Chrome on Windows, mouse",
      userAgent: `${WINDOWS} ${CHROME_140}`,
      device: DESKTOP.windows,
      brands: CHROME,
      behaviour: behave(MOUSE_CLICK),
    },
    {
      name: "Chrome on Windows over plain http",
      userAgent: `${WINDOWS} ${CHROME_140}`,
      device: DESKTOP.windows,
      brands: CHROME,
      behaviour: behave(MOUSE_CLICK),
      isPlainHttp: true,
    },
    {
      name: "Chrome on Windows, zoomed to 110%",
      userAgent: `${WINDOWS} ${CHROME_140}`,
      device: { ...DESKTOP.windows, pixelRatio: 1.1 },
      brands: CHROME,
      behaviour: behave(shifted(0.3636)),
    },
    {
      name: "Chrome on Windows, in a frame that the page around it scales",
      userAgent: `${WINDOWS} ${CHROME_140}`,
      device: {
        ...DESKTOP.windows,
        pixelRatio: 1,
        isFramed: true,
        permission: ["denied", "prompt"],
      },
      brands: CHROME,
      behaviour: behave(shifted(0.4571)),
    },
    {
      name: "Chrome on Windows with a pen",
      userAgent: `${WINDOWS} ${CHROME_140}`,
      device: { ...DESKTOP.windows, pixelRatio: 1, touchPoints: 10 },
      brands: CHROME,
      behaviour: behave(PEN_CLICK),
    },
    {
      name: "Chrome on a Mac whose pointer stands between pixels",
      userAgent: `${MAC} ${CHROME_140}`,
      device: { ...DESKTOP.mac, pixelRatio: 1 },
      brands: CHROME,
      behaviour: behave(shifted(0.6182)),
    },
    {
      name: "Chromium on Wayland, whose pointer stands at 1/256 of pixels",
      userAgent: `Mozilla/5.0 (X11; Linux x86_64) ${CHROME_140}`,
      device: { ...DESKTOP.linux, pixelRatio: 1, viewport: [1920, 940, 1920, 1053] },
      brands: chromium("140"),
      behaviour: behave(shifted(0.66796875)),
    },
    {
      name: "Edge on Windows",
      userAgent: `${WINDOWS} ${CHROME_140} Edg/140.0.0.0`,
      device: DESKTOP.windows,
      brands: chromium("140", ["Microsoft Edge", "140"]),
      behaviour: behave(MOUSE_CLICK),
    },
    {
      name: "Opera on Windows",
      userAgent: `${WINDOWS} ${CHROME_140} OPR/124.0.0.0`,
      device: DESKTOP.windows,
      brands: chromium("140", ["Opera", "124"]),
      behaviour: behave(MOUSE_CLICK),
    },
    {
      name: "Chrome on Windows with NVDA",
      userAgent: `${WINDOWS} ${CHROME_140}`,
      device: DESKTOP.windows,
      brands: CHROME,
      behaviour: behave(NVDA_CLICK),
    },
    {
      name: "Brave on a Mac",
      userAgent: `${MAC} ${CHROME_140}`,
      device: DESKTOP.mac,
      brands: chromium("140", ["Brave", "140"]),
      behaviour: behave(MOUSE_CLICK),
    },
    {
      name: "Chromium of Debian",
      userAgent: `Mozilla/5.0 (X11; Linux x86_64) ${CHROME_140}`,
      device: DESKTOP.linux,
      brands: chromium("140"),
      behaviour: behave(underX11(MOUSE_CLICK)),
    },
    {
      name: "Firefox on Linux, keyboard only",
      userAgent: `Mozilla/5.0 (X11; Linux x86_64; ${FIREFOX_143}`,
      device: { ...DESKTOP.linux, vendor: "", memory: null, clientHints: null },
      brands: null,
      behaviour: behave(KEYBOARD_CLICK, KEYS),
    },
    {
      name: "Tor Browser on Linux, whose header says Windows",
      userAgent: `Mozilla/5.0 (Windows NT 10.0; ${FIREFOX_143}`,
      pageUserAgent: `Mozilla/5.0 (X11; Linux x86_64; ${FIREFOX_143}`,
      device: {
        ...DESKTOP.linux,
        vendor: "",
        memory: null,
        cores: 2,
        timezone: "UTC",
        clientHints: null,
      },
      brands: null,
      behaviour: behave(MOUSE_CLICK),
    },
    {
      name: "Safari on a Mac, whose mouse reports no pressure",
      userAgent: `${MAC} AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Safari/605.1.15`,
      device: MAC_SAFARI,
      brands: null,
      behaviour: behave(WEBKIT_CLICK),
    },
    {
      name: "iPhone",
      userAgent:
        "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1",
      device: PHONE.iphone,
      brands: null,
      behaviour: behave(TAP),
    },
    {
      name: "iPad, which claims a Mac",
      userAgent: `${MAC} AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Safari/605.1.15`,
      device: { ...PHONE.iphone, platform: "MacIntel" },
      brands: null,
      behaviour: behave(TAP),
    },
    {
      name: "Chrome on Android",
      userAgent: `Mozilla/5.0 (Linux; Android 10; K) ${BLINK} Chrome/140.0.0.0 Mobile Safari/537.36`,
      device: PHONE.android,
      brands: CHROME,
      behaviour: behave(TAP),
    },
    {
      name: "Firefox on Android that resists fingerprinting: it hides touch, and calls fingers a mouse",
      userAgent: "Mozilla/5.0 (Android 14; Mobile; rv:143.0) Gecko/143.0 Firefox/143.0",
      device: {
        ...PHONE.android,
        touchPoints: 0,
        vendor: "",
        memory: null,
        timezone: "UTC",
        clientHints: null,
      },
      brands: null,
      behaviour: behave(FINGERS_AS_MOUSE),
    },
    {
      name: "Chrome on Android with TalkBack",
      userAgent: `Mozilla/5.0 (Linux; Android 10; K) ${BLINK} Chrome/140.0.0.0 Mobile Safari/537.36`,
      device: PHONE.android,
      brands: CHROME,
      behaviour: behave([[3300.9, 340, 356, 0, 0, 0, 1], ...NVDA_CLICK]),
    },
    {
      name: "Samsung Internet",
      userAgent: `Mozilla/5.0 (Linux; Android 10; K) ${BLINK} SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36`,
      device: PHONE.android,
      brands: chromium("130", ["Samsung Internet", "28.0"]),
      behaviour: behave(TAP),
    },
    {
      name: "Android view inside an app, on a Cubot phone, without client hints",
      userAgent: `Mozilla/5.0 (Linux; Android 11; CUBOT NOTE 20 Build/RP1A; wv) ${BLINK} Version/4.0 Chrome/108.0.5359.128 Mobile Safari/537.36`,
      device: { ...PHONE.android, clientHints: null },
      brands: null,
      behaviour: behave(TAP),
    },
    {
      name: "Android tablet in desktop-site mode",
      userAgent: `Mozilla/5.0 (X11; Linux x86_64) ${CHROME_140}`,
      device: ANDROID_TABLET,
      brands: CHROME,
      behaviour: behave(TAP),
    },
  ] satisfies readonly Description[]
).map(toVisitor);
