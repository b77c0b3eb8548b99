import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  devices,
  type Page,
} from "playwright-core";
import { byCarefulHands } from "../careful-input.ts";
import { signIn } from "../input-methods.ts";
import { importTool } from "../install.ts";
import { byTaps } from "../playwright-input.ts";
import { HEADFUL_USER_AGENT, hideMarks, UNMARKED } from "../stealth.ts";
import type { Tool } from "../tool.ts";
import { FINGERS, type Lies, lie, MOUSE_THERE, OTHER_SCREEN, PHONE_BY_SCRIPT, WINDOW_AROUND } from "./lies.ts";
import type { MediaPage, Reading } from "./media-page.ts";

const CHROMIUM = "/usr/bin/chromium";

/** A browser that is not what it says: how it is started, what the driver emulates, and what a script claims. */
type Guise = {
  readonly name: string;
  readonly isHeadless?: boolean;
  /** Without the mouse that Playwright gives a browser which has none. */
  readonly hasNoMouse?: boolean;
  readonly flags?: readonly string[];
  readonly context?: BrowserContextOptions;
  readonly lies?: Lies;
  readonly script?: () => void;
  readonly hands?: "mouse" | "taps";
  /** A tool that makes the context itself. */
  readonly newContext?: (browser: Browser) => Promise<BrowserContext>;
};

const OWN_WINDOW = { viewport: null } as const;
const DISGUISED = { userAgent: HEADFUL_USER_AGENT } as const;
const SIZE = { width: 1280, height: 800 } as const;
const PIXEL = devices["Pixel 7"] ?? {};
const { defaultBrowserType: _unused, ...PHONE } = PIXEL as BrowserContextOptions & { defaultBrowserType?: string };

/** A mouse by the engine's own settings, which scripts and styles both see; without a window Playwright sets it. */
const MOUSE_BY_FLAG =
  "--blink-settings=primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4";

type Injector = {
  newInjectedContext: (browser: Browser, options: Readonly<Record<string, unknown>>) => Promise<BrowserContext>;
};

/** A fingerprint of a Chrome on Linux, drawn and put in by the tool of that name, as its guide does. */
const injected = async (browser: Browser): Promise<BrowserContext> => {
  const { newInjectedContext } = await importTool<Injector>("fingerprint-injector");
  const fingerprintOptions = { browsers: ["chrome"], devices: ["desktop"], operatingSystems: ["linux"] };
  return newInjectedContext(browser, { fingerprintOptions });
};

/** All with the hands of recorded people, so that nothing but the guise can be told. */
export const GUISES: readonly Guise[] = [
  { name: "window: no lie", context: OWN_WINDOW },
  { name: "window: another screen by script", context: OWN_WINDOW, lies: OTHER_SCREEN },
  {
    name: "window: another screen by the driver",
    context: { viewport: SIZE, screen: { width: 2560, height: 1440 }, deviceScaleFactor: 1.5 },
  },
  { name: "window: fingers by script", context: OWN_WINDOW, lies: FINGERS },
  { name: "window: stealth script", context: OWN_WINDOW, script: hideMarks },
  { name: "window: fingerprint-injector", newContext: injected },
  { name: "headless: no lie but its name", isHeadless: true, context: DISGUISED },
  {
    name: "headless: a window by script",
    isHeadless: true,
    context: { ...DISGUISED, viewport: SIZE },
    lies: WINDOW_AROUND,
  },
  { name: "headless without a mouse: no lie but its name", isHeadless: true, hasNoMouse: true, context: DISGUISED },
  {
    name: "headless without a mouse: window and mouse by script",
    isHeadless: true,
    hasNoMouse: true,
    context: { ...DISGUISED, viewport: SIZE },
    lies: MOUSE_THERE,
  },
  { name: "headless: fingers by script", isHeadless: true, context: DISGUISED, lies: FINGERS },
  { name: "headless: fingers by the driver", isHeadless: true, context: { ...DISGUISED, hasTouch: true } },
  {
    name: "headless: screen by the driver",
    isHeadless: true,
    context: { ...DISGUISED, viewport: SIZE, screen: { width: 1920, height: 1080 } },
  },
  {
    name: "headless: a window by flags",
    isHeadless: true,
    flags: ["--screen-info={1920x1080}"],
    context: { ...DISGUISED, ...OWN_WINDOW },
  },
  { name: "headless: fingerprint-injector", isHeadless: true, newContext: injected },
  { name: "phone by the driver", context: PHONE, hands: "taps" },
  { name: "phone by the driver: fingers by script", context: { ...PHONE, hasTouch: false }, lies: FINGERS },
  {
    name: "phone by script",
    flags: ["--window-size=412,1000", `--user-agent=${PIXEL.userAgent}`],
    context: OWN_WINDOW,
    lies: PHONE_BY_SCRIPT,
  },
];

async function open({ isHeadless = false, hasNoMouse = false, flags = [] }: Guise, display: string): Promise<Browser> {
  return chromium.launch({
    executablePath: CHROMIUM,
    headless: isHeadless,
    args: ["--no-sandbox", ...UNMARKED, ...flags],
    ignoreDefaultArgs: ["--enable-automation", ...(hasNoMouse ? [MOUSE_BY_FLAG] : [])],
    handleSIGINT: false,
    handleSIGTERM: false,
    env: { ...process.env, DISPLAY: display },
  });
}

async function dress(browser: Browser, { newContext, context: options, lies, script }: Guise): Promise<BrowserContext> {
  const context = newContext === undefined ? await browser.newContext(options) : await newContext(browser);
  if (lies !== undefined) await context.addInitScript(lie, lies);
  if (script !== undefined) await context.addInitScript(script);
  return context;
}

async function ask(page: Page, media: MediaPage, name: string): Promise<Reading> {
  await page.goto(media.urlOf(name));
  return media.reading(name);
}

/** The guise as a tool of the red team, whose every visit first answers the page that asks; `keep` gets the answer. */
export function toTool(guise: Guise, media: MediaPage, keep: (reading: Reading) => void): Tool {
  return {
    name: guise.name,
    kind: "automation",
    programs: [CHROMIUM],
    open: async ({ display, people, random }) => {
      const browser = await open(guise, display);
      return {
        visit: async (session) => {
          const context = await dress(browser, guise);
          try {
            const page = await context.newPage();
            keep(await ask(page, media, `${guise.name} ${session.name}`));
            await page.goto(session.url);
            const input = guise.hands === "taps" ? byTaps : byCarefulHands(people().plan, random);
            await signIn(session, await input(page, session));
          } finally {
            await context.close();
          }
        },
        close: () => browser.close(),
      };
    },
  };
}
