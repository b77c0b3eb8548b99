import type { EnginePage, InputAction } from "./engine.ts";

/** Keys that write no text, as WebDriver spells them. */
export const KEYS = { tab: "\uE004", enter: "\uE007", space: " " } as const;

/** How long a hand holds a button or a key, ms. */
const HOLD_MS = 70;

/**
 * Moves the mouse into the first match, or the button of a widget, and presses as a hand does that
 * was already near.
 */
export async function pressByMouse(page: EnginePage, selector: string): Promise<void> {
  const { x, y } = await page.evaluate((wanted) => {
    const found = document.querySelector(wanted);
    const box = (found?.shadowRoot?.querySelector("button") ?? found)?.getBoundingClientRect();
    if (box === undefined || box.width === 0) throw new Error(`${wanted} is not visible`);
    return { x: Math.round(box.x + box.width * 0.31), y: Math.round(box.y + box.height * 0.39) };
  }, selector);
  const move = (toX: number, toY: number): InputAction => ({
    type: "pointerMove",
    x: toX,
    y: toY,
    duration: 0,
  });
  await page.perform("mouse", [
    move(x + 27, y + 19),
    move(x, y),
    { type: "pointerDown", button: 0 },
    { type: "pause", duration: HOLD_MS },
    { type: "pointerUp", button: 0 },
  ]);
}

/** Presses one key after the other: letters, or `KEYS`. */
export async function pressKeys(page: EnginePage, ...keys: readonly string[]): Promise<void> {
  await page.perform(
    "keyboard",
    keys.flatMap((value) => [
      { type: "keyDown", value },
      { type: "pause", duration: HOLD_MS },
      { type: "keyUp", value },
    ]),
  );
}

/** How long a widget may take to reach a state, ms. */
const PATIENCE_MS = 60_000;

/** The words of the whole page, once it contains a match. */
export function readWhole(page: EnginePage, selector: string): Promise<string> {
  return page.evaluate(
    (wanted, patienceMs) =>
      new Promise<string>((resolve, reject) => {
        const startedMs = performance.now();
        const look = (): void => {
          const words = document.body.innerText;
          if (document.querySelector(wanted) !== null) resolve(words);
          else if (performance.now() - startedMs > patienceMs)
            reject(new Error(`no ${wanted}, but: ${words}`));
          else setTimeout(look, 50);
        };
        look();
      }),
    selector,
    PATIENCE_MS,
  );
}

/** Waits until the page's widget is in that state. */
export function waitForState(page: EnginePage, state: string): Promise<void> {
  return page.evaluate(
    (wanted, patienceMs) =>
      new Promise<void>((resolve, reject) => {
        const startedMs = performance.now();
        const look = (): void => {
          const found = document.querySelector<Element & { state?: string }>(
            "stile-captcha",
          )?.state;
          if (found === wanted) resolve();
          else if (performance.now() - startedMs > patienceMs)
            reject(new Error(`the widget is ${found}, not ${wanted}`));
          else setTimeout(look, 50);
        };
        look();
      }),
    state,
    PATIENCE_MS,
  );
}

/** Waits until the page's widget says something that matches, and returns all its words. */
export function waitForWords(page: EnginePage, pattern: RegExp): Promise<string> {
  return page.evaluate(
    (source, patienceMs) =>
      new Promise<string>((resolve, reject) => {
        const startedMs = performance.now();
        const look = (): void => {
          const status = document
            .querySelector("stile-captcha")
            ?.shadowRoot?.querySelector("[part=status]");
          const words = status?.textContent ?? "";
          if (new RegExp(source).test(words)) resolve(words);
          else if (performance.now() - startedMs > patienceMs)
            reject(new Error(`it says "${words}"`));
          else setTimeout(look, 50);
        };
        look();
      }),
    pattern.source,
    PATIENCE_MS,
  );
}

/** The token the widget holds, or an empty string. */
export function tokenOf(page: EnginePage): Promise<string> {
  return page.evaluate(
    () => document.querySelector<Element & { value: string }>("stile-captcha")?.value ?? "",
  );
}
