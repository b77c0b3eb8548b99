import type { Page } from "playwright-core";
import { type InputMethod, pointerInput } from "./input-methods.ts";
import type { Target } from "./page.ts";
import { jump, type Planner } from "./paths.ts";
import type { Session } from "./session.ts";

/** A way in which scripts operate a page with Playwright. */
export type PageInput = (page: Page, session: Session) => InputMethod | Promise<InputMethod>;

const selectorOf = (target: Target): string => `#${target}`;

const type = (page: Page, delay: number) => (text: string) => page.keyboard.type(text, { delay });

/** The method that the tool's documentation teaches first. */
export const byLocators: PageInput = (page) => ({
  press: (target) => page.locator(selectorOf(target)).click(),
  write: (text) => page.locator("input:focus").fill(text),
});

/** No pointer and no keys at all: calls of methods in the page. */
export const byScript: PageInput = (page) => ({
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
});

const STOPS: readonly Target[] = ["email", "password", "widget", "submit"];

/** Tab, Space, Enter and letters, each held equally long. */
export const byKeys: PageInput = (page) => {
  const delay = 50;
  let stop = -1;
  return {
    press: async (target) => {
      const wanted = STOPS.indexOf(target);
      const key = wanted > stop ? "Tab" : "Shift+Tab";
      for (; stop !== wanted; stop += Math.sign(wanted - stop))
        await page.keyboard.press(key, { delay });
      if (target === "widget") await page.keyboard.press("Space", { delay });
      if (target === "submit") await page.keyboard.press("Enter", { delay });
    },
    write: type(page, delay),
  };
};

/** Follows the planner's paths; `delay` passes between letters, in ms. */
export const byPointer =
  (plan: Planner, delay: number): PageInput =>
  (page, session) =>
    pointerInput(session, page.mouse, plan, type(page, delay));

/** Takes a screenshot of the page before every press, and presses at the given place. */
export const byScreenshots: PageInput = (page, session) => {
  const input = pointerInput(session, page.mouse, jump, type(page, 0));
  return {
    press: async (target) => {
      await page.screenshot();
      await input.press(target);
    },
    write: input.write,
  };
};

/** A finger, as well as the tool can do it. */
export const byTaps: PageInput = (page) => ({
  press: (target) => page.locator(selectorOf(target)).tap(),
  write: type(page, 40),
});

/**
 * The middle of each target, by raw debugging-protocol messages that claim to be a pen's, with
 * pressure or without.
 */
export const byPen =
  (force?: number): PageInput =>
  async (page) => {
    const protocol = await page.context().newCDPSession(page);
    return {
      press: async (target) => {
        const box = await page.locator(selectorOf(target)).boundingBox();
        if (box === null) throw new Error(`${target} is not visible`);
        const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
        const at = { x, y, pointerType: "pen", ...(force !== undefined && { force }) } as const;
        const button = { button: "left", clickCount: 1 } as const;
        await protocol.send("Input.dispatchMouseEvent", { ...at, type: "mouseMoved" });
        await protocol.send("Input.dispatchMouseEvent", {
          ...at,
          ...button,
          type: "mousePressed",
          buttons: 1,
        });
        await protocol.send("Input.dispatchMouseEvent", {
          ...at,
          ...button,
          type: "mouseReleased",
        });
      },
      write: type(page, 60),
    };
  };
