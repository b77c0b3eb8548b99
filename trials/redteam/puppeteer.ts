import { type InputMethod, pointerInput, signIn } from "./input-methods.ts";
import { importTool } from "./install.ts";
import type { Target } from "./page.ts";
import { bezier, straight } from "./paths.ts";
import type { Session } from "./session.ts";
import { hideMarks, UNMARKED } from "./stealth.ts";
import type { Surroundings, Tool } from "./tool.ts";

const CHROMIUM = "/usr/bin/chromium";
const FIREFOX = "/usr/bin/firefox-esr";

/** The parts of a puppeteer-core page that are used. */
export type PuppeteerPage = {
  readonly mouse: {
    move: (x: number, y: number) => Promise<void>;
    down: () => Promise<void>;
    up: () => Promise<void>;
  };
  readonly keyboard: { type: (text: string, options: { delay: number }) => Promise<void> };
  click(selector: string): Promise<void>;
  type(selector: string, text: string): Promise<void>;
  goto(url: string): Promise<unknown>;
  evaluateOnNewDocument(script: () => void): Promise<unknown>;
  close(): Promise<void>;
};
type PuppeteerContext = { newPage(): Promise<PuppeteerPage>; close(): Promise<void> };
type PuppeteerBrowser = {
  createBrowserContext(): Promise<PuppeteerContext>;
  close(): Promise<void>;
};
type Puppeteer = { launch(options: Readonly<Record<string, unknown>>): Promise<PuppeteerBrowser> };
type GhostCursor = {
  createCursor(page: PuppeteerPage): { click(selector: string): Promise<void> };
};

type HandMaker = (page: PuppeteerPage, session: Session) => Promise<InputMethod>;

const type = (page: PuppeteerPage, delay: number) => (text: string) =>
  page.keyboard.type(text, { delay });

async function bySelectors(page: PuppeteerPage): Promise<InputMethod> {
  return {
    press: (target: Target) => page.click(`#${target}`),
    write: (text) => page.type("input:focus", text),
  };
}

/** ghost-cursor moves and clicks; Puppeteer itself types. */
async function byGhost(page: PuppeteerPage): Promise<InputMethod> {
  const { createCursor } = await importTool<GhostCursor>("ghost-cursor");
  const cursor = createCursor(page);
  return { press: (target) => cursor.click(`#${target}`), write: type(page, 70) };
}

type Options = {
  readonly browser: "chrome" | "firefox";
  readonly isHeadful?: boolean;
  readonly isUnmarked?: boolean;
};

function launchOptions(
  { display }: Surroundings,
  { browser, isHeadful = false, isUnmarked = false }: Options,
) {
  const isChromium = browser === "chrome";
  return {
    browser,
    executablePath: isChromium ? CHROMIUM : FIREFOX,
    headless: !isHeadful,
    args: isChromium ? ["--no-sandbox", ...(isUnmarked ? UNMARKED : [])] : [],
    ...(isUnmarked && isChromium && { ignoreDefaultArgs: ["--enable-automation"] }),
    // A window of a size that people use, instead of the tool's 800 x 600.
    defaultViewport: isUnmarked ? null : undefined,
    handleSIGINT: false,
    handleSIGTERM: false,
    env: { ...process.env, DISPLAY: display },
  };
}

function puppeteer(
  name: string,
  options: Options,
  handOf: (surroundings: Surroundings) => HandMaker,
): Tool {
  return {
    name,
    kind: "automation",
    programs: [options.browser === "chrome" ? CHROMIUM : FIREFOX],
    open: async (surroundings) => {
      const { launch } = await importTool<Puppeteer>("puppeteer-core");
      const browser = await launch(launchOptions(surroundings, options));
      const input = handOf(surroundings);
      return {
        visit: async (session) => {
          const context = await browser.createBrowserContext();
          const page = await context.newPage();
          if (options.isUnmarked === true) await page.evaluateOnNewDocument(hideMarks);
          await page.goto(session.url);
          await signIn(session, await input(page, session));
          await context.close();
        },
        close: () => browser.close(),
      };
    },
  };
}

const byBezier =
  ({ random }: Surroundings): HandMaker =>
  async (page, session) =>
    pointerInput(session, page.mouse, bezier(random), type(page, 80));

const bySteps =
  ({ random }: Surroundings): HandMaker =>
  async (page, session) =>
    pointerInput(session, page.mouse, straight(random), type(page, 30));

/** Puppeteer with Chromium, with ghost-cursor, and with Firefox over WebDriver BiDi. */
export const PUPPETEER_TOOLS: readonly Tool[] = [
  puppeteer("puppeteer-headless-click", { browser: "chrome" }, () => bySelectors),
  puppeteer("puppeteer-headful-click", { browser: "chrome", isHeadful: true }, () => bySelectors),
  puppeteer("puppeteer-headful-ghost", { browser: "chrome", isHeadful: true }, () => byGhost),
  puppeteer(
    "puppeteer-stealth-ghost",
    { browser: "chrome", isHeadful: true, isUnmarked: true },
    () => byGhost,
  ),
  puppeteer(
    "puppeteer-stealth-bezier",
    { browser: "chrome", isHeadful: true, isUnmarked: true },
    byBezier,
  ),
  puppeteer("firefox-bidi-headless-click", { browser: "firefox" }, () => bySelectors),
  puppeteer("firefox-bidi-headful-steps", { browser: "firefox", isHeadful: true }, bySteps),
  puppeteer("firefox-bidi-headful-bezier", { browser: "firefox", isHeadful: true }, byBezier),
];
