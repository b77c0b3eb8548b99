import type { CDPSession, Page } from "playwright-core";
import { type InputMethod, pause, pointerInput } from "./input-methods.ts";
import type { Box } from "./page.ts";
import type { Place, Planner } from "./paths.ts";
import type { Session } from "./session.ts";

// Input without any mark of a tool: raw messages of the debugging protocol, with the pressure of a
// mouse, whole pixels, and presses and letters as long as people's. Only the path can give it away.

type Random = () => number;

const between = (random: Random, least: number, most: number): number =>
  least + (most - least) * random();

/** A mouse by raw messages, with the pressure of a real one. */
function rawMouse(cdp: CDPSession) {
  let at: Place = { x: 0, y: 0 };
  const send = (type: "mouseMoved" | "mousePressed" | "mouseReleased", isHeld: boolean) =>
    cdp.send("Input.dispatchMouseEvent", {
      ...{ type, ...at, clickCount: type === "mouseMoved" ? 0 : 1, pointerType: "mouse" },
      ...{
        button: type === "mouseMoved" ? "none" : "left",
        buttons: isHeld ? 1 : 0,
        force: isHeld ? 0.5 : 0,
      },
    });
  return {
    move: (x: number, y: number) => {
      at = { x: Math.round(x), y: Math.round(y) };
      return send("mouseMoved", false);
    },
    down: () => send("mousePressed", true),
    up: () => send("mouseReleased", false),
  };
}

/** Types as people do: each letter is held for 60 to 140 ms, and some pauses are long. */
async function typeByHand(page: Page, random: Random, text: string): Promise<void> {
  for (const letter of text) {
    await pause(between(random, 40, 160) + (random() < 0.1 ? between(random, 200, 700) : 0));
    await page.keyboard.down(letter);
    await pause(between(random, 60, 140));
    await page.keyboard.up(letter);
  }
}

/** Follows the planner's paths with input that has no mark of a tool. */
export const byCarefulHands =
  (plan: Planner, random: Random) =>
  async (page: Page, session: Session): Promise<InputMethod> => {
    const cdp = await page.context().newCDPSession(page);
    return pointerInput(session, rawMouse(cdp), plan, (text) => typeByHand(page, random, text));
  };

/**
 * Works like an agent led by a model: a look, two or three hops, a press of human length, the text
 * at once.
 */
export const byHops =
  (random: Random) =>
  async (page: Page, session: Session): Promise<InputMethod> => {
    const cdp = await page.context().newCDPSession(page);
    const plan: Planner = (from, box) => {
      const to = {
        x: box.x + box.width * between(random, 0.3, 0.7),
        y: box.y + box.height * between(random, 0.3, 0.7),
      };
      const half = {
        x: (from.x + to.x) / 2 + between(random, -30, 30),
        y: (from.y + to.y) / 2 + between(random, -30, 30),
      };
      const steps = [
        half,
        { x: to.x + between(random, -6, 6), y: to.y + between(random, -3, 3) },
        to,
      ];
      return {
        steps: steps.map((step) => ({ ...step, afterMs: between(random, 40, 120) })),
        restMs: between(random, 100, 300),
        pressMs: between(random, 60, 120),
      };
    };
    const hands = pointerInput(session, rawMouse(cdp), plan, (text) =>
      page.keyboard.insertText(text),
    );
    const press: InputMethod["press"] = async (target) => {
      await page.screenshot();
      await pause(between(random, 600, 1500));
      await hands.press(target);
    };
    return { ...hands, press };
  };

/** Letters as messages that insert text, without any key going down. */
const insertLetters = (cdp: CDPSession) => async (text: string) => {
  for (const letter of text)
    await cdp.send("Input.dispatchKeyEvent", { type: "char", text: letter });
};

const middleOf = ({ x, y, width, height }: Box): Place => ({ x: x + width / 2, y: y + height / 2 });

/** The click of nodriver: press and release in the middle of the target, and no move. */
export const byBarePresses = async (page: Page, session: Session): Promise<InputMethod> => {
  const cdp = await page.context().newCDPSession(page);
  return {
    press: async (target) => {
      const at = middleOf((await session.layout())[target]);
      const press = { ...at, button: "left", buttons: 1, clickCount: 1 } as const;
      await cdp.send("Input.dispatchMouseEvent", { type: "mousePressed", ...press });
      await cdp.send("Input.dispatchMouseEvent", { type: "mouseReleased", ...press });
    },
    write: insertLetters(cdp),
  };
};

/** Emulated fingers on a computer: taps of human length, somewhere in the target. */
export const byFingers =
  (random: Random) =>
  async (page: Page, session: Session): Promise<InputMethod> => {
    const cdp = await page.context().newCDPSession(page);
    await cdp.send("Emulation.setTouchEmulationEnabled", { enabled: true });
    return {
      press: async (target) => {
        const { x, y, width, height } = (await session.layout())[target];
        const at = {
          x: Math.round(x + width * between(random, 0.3, 0.7)),
          y: Math.round(y + height * between(random, 0.3, 0.7)),
        };
        await cdp.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [at] });
        await pause(between(random, 60, 120));
        await cdp.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
      },
      write: (text) => typeByHand(page, random, text),
    };
  };
