import { type Browser, chromium, devices, type Page } from "playwright-core";
import { type Hand, pointerHand, signIn } from "./hands.ts";
import type { Target } from "./page.ts";
import { bezier, jump, type Planner, straight } from "./paths.ts";
import type { Session } from "./session.ts";
import { HEADFUL_USER_AGENT, hideMarks, UNMARKED } from "./stealth.ts";
import type { OpenTool, Surroundings, Tool } from "./tool.ts";

const CHROMIUM = "/usr/bin/chromium";

const selectorOf = (target: Target): string => `#${target}`;

const type = (page: Page, delay: number) => (text: string) => page.keyboard.type(text, { delay });

/** What the documentation of the tool teaches first. */
function byLocators(page: Page): Hand {
  return {
    press: (target) => page.locator(selectorOf(target)).click(),
    write: (text) => page.locator("input:focus").fill(text),
  };
}

/** No pointer and no keys at all: calls of methods in the page. */
function byScript(page: Page): Hand {
  return {
    press: (target) =>
      page.evaluate((id) => {
        const element = document.getElementById(id) as HTMLElement;
        element.focus();
        (element.shadowRoot?.querySelector("button") ?? element).click();
      }, target),
    write: (text) =>
      page.evaluate((value) => {
        (document.activeElement as HTMLInputElement).value = value;
      }, text),
  };
}

const STOPS: readonly Target[] = ["email", "password", "widget", "submit"];

/** Tab, Space, Enter and letters. */
function byKeys(page: Page, delay: number): Hand {
  let stop = -1;
  return {
    press: async (target) => {
      const wanted = STOPS.indexOf(target);
      const key = wanted > stop ? "Tab" : "Shift+Tab";
      for (; stop !== wanted; stop += Math.sign(wanted - stop)) await page.keyboard.press(key, { delay });
      if (target === "widget") await page.keyboard.press("Space", { delay });
      if (target === "submit") await page.keyboard.press("Enter", { delay });
    },
    write: async (text) => void (await type(page, delay)(text)),
  };
}

/** Looks at a picture of the page before every press, and presses where it was told. */
function byScreenshots(page: Page, session: Session): Hand {
  const hand = byPointer(jump, 0)(page, session);
  return {
    press: async (target) => {
      await page.screenshot();
      await hand.press(target);
    },
    write: hand.write,
  };
}

function byTaps(page: Page): Hand {
  return { press: (target) => page.locator(selectorOf(target)).tap(), write: type(page, 40) };
}

const byPointer = (plan: Planner, delay: number) => (page: Page, session: Session) =>
  pointerHand(session, page.mouse, plan, type(page, delay));

type Options = {
  readonly isHeadful?: boolean;
  readonly isUnmarked?: boolean;
  /** Also puts right what the browser says of itself, as stealth plugins do. */
  readonly isStealthy?: boolean;
  readonly isPhone?: boolean;
};

function launch({ display }: Surroundings, { isHeadful = false, isUnmarked = false }: Options): Promise<Browser> {
  return chromium.launch({
    executablePath: CHROMIUM,
    headless: !isHeadful,
    args: ["--no-sandbox", ...(isUnmarked ? UNMARKED : [])],
    ignoreDefaultArgs: isUnmarked ? ["--enable-automation"] : false,
    handleSIGINT: false,
    handleSIGTERM: false,
    env: { ...process.env, DISPLAY: display },
  });
}

function contextOptions(options: Options) {
  if (options.isPhone === true) return devices["Pixel 7"] ?? {};
  const isDisguised = options.isStealthy === true && options.isHeadful !== true;
  return isDisguised ? { userAgent: HEADFUL_USER_AGENT } : {};
}

function playwright(
  name: string,
  options: Options,
  handOf: (surroundings: Surroundings) => (page: Page, session: Session) => Hand,
): Tool {
  return {
    name: `playwright-${name}`,
    kind: "automation",
    programs: [CHROMIUM],
    open: async (surroundings): Promise<OpenTool> => {
      const browser = await launch(surroundings, options);
      const hand = handOf(surroundings);
      return {
        visit: async (session) => {
          const context = await browser.newContext(contextOptions(options));
          const page = await context.newPage();
          if (options.isStealthy === true) await page.addInitScript(hideMarks);
          await page.goto(session.url);
          await signIn(session, hand(page, session));
          await context.close();
        },
        close: () => browser.close(),
      };
    },
  };
}

const HEADFUL = { isHeadful: true } as const;
const UNMARKED_HEADFUL = { isHeadful: true, isUnmarked: true } as const;
const STEALTHY_HEADFUL = { ...UNMARKED_HEADFUL, isStealthy: true } as const;
const STEALTHY_HEADLESS = { isUnmarked: true, isStealthy: true } as const;

/** Playwright, as it comes and disguised. */
export const PLAYWRIGHT_TOOLS: readonly Tool[] = [
  playwright("headless-click", {}, () => byLocators),
  playwright("headful-click", HEADFUL, () => byLocators),
  playwright("headful-steps", HEADFUL, ({ random }) => byPointer(straight(25, random), 30)),
  playwright("headful-bezier", HEADFUL, ({ random }) => byPointer(bezier(random), 80)),
  playwright("headful-keyboard", HEADFUL, () => (page) => byKeys(page, 50)),
  playwright("headful-script", HEADFUL, () => byScript),
  playwright("unmarked-click", UNMARKED_HEADFUL, () => byLocators),
  playwright("unmarked-steps", UNMARKED_HEADFUL, ({ random }) => byPointer(straight(25, random), 30)),
  playwright("unmarked-bezier", UNMARKED_HEADFUL, ({ random }) => byPointer(bezier(random), 80)),
  playwright("unmarked-keyboard", UNMARKED_HEADFUL, () => (page) => byKeys(page, 50)),
  playwright("unmarked-script", UNMARKED_HEADFUL, () => byScript),
  playwright("unmarked-phone-tap", { ...UNMARKED_HEADFUL, isPhone: true }, () => byTaps),
  playwright("stealth-headful-bezier", STEALTHY_HEADFUL, ({ random }) => byPointer(bezier(random), 80)),
  playwright("stealth-headless-click", STEALTHY_HEADLESS, () => byLocators),
  playwright("stealth-headless-bezier", STEALTHY_HEADLESS, ({ random }) => byPointer(bezier(random), 80)),
  playwright("screenshot-agent", UNMARKED_HEADFUL, () => byScreenshots),
];
