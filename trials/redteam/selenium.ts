import { type InputMethod, signIn } from "./input-methods.ts";
import { importTool } from "./install.ts";
import { UNMARKED } from "./stealth.ts";
import type { Tool } from "./tool.ts";

const CHROMIUM = "/usr/bin/chromium";
const CHROMEDRIVER = "/usr/bin/chromedriver";

type WebElement = { click(): Promise<void>; sendKeys(text: string): Promise<void> };
type Actions = {
  move(to: { origin: WebElement; duration?: number }): Actions;
  pause(ms: number): Actions;
  click(): Actions;
  sendKeys(text: string): Actions;
  perform(): Promise<void>;
};
type Driver = {
  get(url: string): Promise<void>;
  findElement(locator: { css: string }): Promise<WebElement>;
  actions(): Actions;
  quit(): Promise<void>;
};
type Builder = {
  forBrowser(name: string): Builder;
  setChromeOptions(options: ChromeOptions): Builder;
  setChromeService(service: object): Builder;
  build(): Promise<Driver>;
};
type ChromeOptions = {
  setChromeBinaryPath(path: string): void;
  addArguments(...all: string[]): void;
  excludeSwitches(...all: string[]): void;
};
type Selenium = { readonly default: { readonly Builder: new () => Builder } };
type Chrome = {
  readonly default: {
    readonly Options: new () => ChromeOptions;
    readonly ServiceBuilder: new (
      path: string,
    ) => { setEnvironment(env: NodeJS.ProcessEnv): object };
  };
};

function byElements(driver: Driver): InputMethod {
  return {
    press: async (target) => (await driver.findElement({ css: `#${target}` })).click(),
    write: async (text) => (await driver.findElement({ css: "input:focus" })).sendKeys(text),
  };
}

/** WebDriver's actions: the pointer glides to the middle, then clicks. */
function byActions(driver: Driver): InputMethod {
  return {
    press: async (target) => {
      const origin = await driver.findElement({ css: `#${target}` });
      await driver.actions().move({ origin, duration: 300 }).pause(60).click().perform();
    },
    write: (text) => driver.actions().sendKeys(text).perform(),
  };
}

type Options = { readonly isHeadful?: boolean; readonly isUnmarked?: boolean };

function selenium(
  name: string,
  { isHeadful, isUnmarked }: Options,
  handOf: (driver: Driver) => InputMethod,
): Tool {
  return {
    name: `selenium-${name}`,
    kind: "automation",
    programs: [CHROMIUM, CHROMEDRIVER],
    open: async ({ display }) => {
      const { Builder } = (await importTool<Selenium>("selenium-webdriver")).default;
      const { Options, ServiceBuilder } = (await importTool<Chrome>("selenium-webdriver/chrome.js"))
        .default;
      const options = new Options();
      options.setChromeBinaryPath(CHROMIUM);
      options.addArguments("--no-sandbox", ...(isHeadful === true ? [] : ["--headless=new"]));
      if (isUnmarked === true) {
        options.addArguments(...UNMARKED);
        options.excludeSwitches("enable-automation");
      }
      const service = new ServiceBuilder(CHROMEDRIVER).setEnvironment({
        ...process.env,
        DISPLAY: display,
      });
      const build = () =>
        new Builder()
          .forBrowser("chrome")
          .setChromeOptions(options)
          .setChromeService(service)
          .build();
      const driver = await build();
      return {
        visit: async (session) => {
          await driver.get(session.url);
          await signIn(session, handOf(driver));
        },
        close: () => driver.quit(),
      };
    },
  };
}

/** Selenium with Debian's chromedriver. */
export const SELENIUM_TOOLS: readonly Tool[] = [
  selenium("headless-click", {}, byElements),
  selenium("headful-click", { isHeadful: true }, byElements),
  selenium("headful-actions", { isHeadful: true }, byActions),
  selenium("unmarked-click", { isHeadful: true, isUnmarked: true }, byElements),
  selenium("unmarked-actions", { isHeadful: true, isUnmarked: true }, byActions),
];
