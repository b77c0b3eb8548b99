import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from "playwright-core";
import { CHROMIUM, pageBrowser } from "./engines/chromium.ts";

/**
 * Features of Chromium that load parts that a page without a window never uses: a drop-down for the
 * address bar of each window, hundreds of modules in processes of their own, and with each page a
 * spare process for the next one.
 */
const LOADED_AHEAD = [
  "WebUIOmniboxPopup",
  "WebUIOmniboxAimPopup",
  "WebUIOmniboxFullPopup",
  "SpareRendererForSitePerProcess",
];

/**
 * Playwright's own list of disabled features; a second such list on the command line replaces the
 * first.
 */
const PLAYWRIGHTS_OWN = [
  "AvoidUnnecessaryBeforeUnloadCheckSync",
  "DestroyProfileOnBrowserClose",
  "HttpsUpgrades",
  "HttpsFirstBalancedModeAutoEnable",
  "LensOverlay",
  "MediaRouter",
  "PaintHolding",
  "ThirdPartyStoragePartitioning",
  "AvoidCorsURLLoaderRestartOnRedirect",
  "TcpPortRandomizationWin",
  "OptimizationHints",
  "NetworkTimeServiceQuerying",
  "AimEnabled",

  "PreconnectToSearch",
  "msForceBrowserSignIn",
  "msEdgeUpdateLaunchServicesPreferredVersion",
];

/** The options of every Chromium in the tests, and of the headless shell. */
export const QUIET: readonly string[] = [
  "--no-sandbox",
  "--headless",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  `--disable-features=${[...PLAYWRIGHTS_OWN, ...LOADED_AHEAD].join(",")}`,
];

/**
 * Drawing and network in the browser's own process: communication between processes for each frame
 * and request is a tenth of a page's cost. A page cannot tell the difference: visitors earn their
 * tokens in it, too.
 */
export const IN_ONE_PROCESS: readonly string[] = [
  "--in-process-gpu",
  // The last two features are Playwright's, whose own list no longer applies.
  "--enable-features=NetworkServiceInProcess2,CDPScreenshotNewSurface,SkipListAccountsWithoutGaiaCookies",
];

/**
 * Turns off the compilers that make long-running code faster: a page that closes with its test
 * spends more on compiling than it ever gains. Only for pages on which nobody is scored.
 */
const NO_LONG_RUN = "--js-flags=--no-maglev --no-opt";

/** The running browsers, by their start options, with the number of users of each. */
const running = new Map<string, { readonly browser: Promise<Browser>; users: number }>();

/**
 * Launches a browser, or shares one that another test file in this process has; it closes once
 * every user has closed it.
 */
async function share(executablePath: string, args: readonly string[]): Promise<Browser> {
  const key = [executablePath, ...args].join(" ");
  const launch = async (): Promise<Browser> => {
    const browser = await chromium.launch({ executablePath, args: [...args] });
    const close = browser.close.bind(browser);
    browser.close = async () => {
      one.users -= 1;
      if (one.users > 0) return;
      running.delete(key);
      await close();
    };
    return browser;
  };
  const one = running.get(key) ?? { browser: launch(), users: 0 };
  running.set(key, one);
  one.users += 1;
  return one.browser;
}

/** A browser to look at pages, whose visits are not scored (`pageBrowser`). */
export function launchPageBrowser(): Promise<Browser> {
  return share(pageBrowser().file, [...QUIET, ...IN_ONE_PROCESS, NO_LONG_RUN]);
}

/**
 * A Chromium as automation drives it: `navigator.webdriver` is true and the user agent says
 * headless.
 */
export function launchAutomatedBrowser(): Promise<Browser> {
  return share(CHROMIUM.file, QUIET);
}

/** A Chromium without the marks of automation, as a visitor has it; use it with `newVisitor`. */
export function launchVisitorBrowser(): Promise<Browser> {
  return share(CHROMIUM.file, [
    ...QUIET,
    ...IN_ONE_PROCESS,
    "--disable-blink-features=AutomationControlled",
  ]);
}

/**
 * The browser of a visitor without WebAssembly, for example in a lockdown mode: V8 without its
 * compilers.
 */
export function launchLockedDownBrowser(): Promise<Browser> {
  return share(CHROMIUM.file, [
    ...QUIET,
    "--disable-blink-features=AutomationControlled",
    "--js-flags=--jitless",
  ]);
}

/**
 * A visitor with a fresh profile and the user agent of the same Chromium with a window. They prefer
 * reduced motion: a spinner redraws the page sixty times a second, a seventh of the cost of a
 * visit.
 */
export function newVisitor(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<BrowserContext> {
  const major = browser.version().split(".")[0];
  const userAgent = `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${major}.0.0.0 Safari/537.36`;
  return browser.newContext({ userAgent, reducedMotion: "reduce", ...options });
}

/**
 * The faults of a page: console errors and warnings, exceptions, and violations of its policies.
 */
export type Complaints = readonly string[];

/**
 * A browser on a busy machine may not load the widget's frame in 5 s. The widget then solves in the
 * page, in JavaScript if the page's policy refuses WebAssembly, and the visitor notices nothing.
 * Tests of the frame look for the script that was loaded.
 */
const SOLVED_IN_PAGE = /^policy script-src wasm-eval .*\/solver-fallback\.js$/;

/** Collects a page's complaints from now on. */
export function collectComplaints(page: Page): string[] {
  const complaints: string[] = [];
  page.on("console", (message) => {
    const isComplaint = message.type() === "error" || message.type() === "warning";
    if (isComplaint && !SOLVED_IN_PAGE.test(message.text())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  return complaints;
}

/**
 * Opens a page that logs to the console everything that its policies refuse, from the first line of
 * script on.
 */
export async function newPage(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  // Through the console, since a function injected into the page would leave a name that the
  // service knows.
  await page.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", (event) => {
      console.error("policy", event.effectiveDirective, event.blockedURI, event.sourceFile);
    });
  });
  return page;
}

/** Opens an address in a new page and collects its complaints. */
export async function openPage(
  context: BrowserContext,
  url: string,
): Promise<{ page: Page; complaints: Complaints }> {
  const page = await newPage(context);
  const complaints = collectComplaints(page);
  await page.goto(url);
  return { page, complaints };
}

/**
 * Polling for waits of seconds. By default Playwright looks at every frame, which makes the page
 * draw one each time.
 */
export const NOW_AND_THEN = { polling: 50 } as const;

/** Waits until the page's first widget is in the state, `patienceMs` at most. */
export async function waitForState(page: Page, state: string, patienceMs = 60_000): Promise<void> {
  await page.waitForFunction(
    (wanted) =>
      (document.querySelector("stile-captcha") as (Element & { state?: string }) | null)?.state ===
      wanted,
    state,
    { ...NOW_AND_THEN, timeout: patienceMs },
  );
}

/** The token the widget holds, or an empty string. */
export function tokenOf(page: Page): Promise<string> {
  return page.evaluate(
    () => (document.querySelector("stile-captcha") as Element & { value: string }).value,
  );
}
