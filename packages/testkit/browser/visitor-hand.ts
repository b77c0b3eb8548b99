import assert from "node:assert/strict";
import type { Page } from "playwright-core";

/** How long the hand holds a button, ms. */
const HOLD_MS = 70;

/**
 * Moves the mouse to a place inside the target and presses as a hand does that was near already: by whole pixels, in more than one
 * step, beside the middle, and not for no time at all. Playwright's own `click` and `move` are what the service takes for a
 * program's, and so are longer paths than these without a hand behind them.
 */
export async function pressByHand(page: Page, selector: string): Promise<void> {
  const box = await page.locator(selector).boundingBox();
  assert.ok(box !== null, `${selector} is not to be seen`);
  const [x, y] = [Math.round(box.x + box.width * 0.31), Math.round(box.y + box.height * 0.39)];
  await page.mouse.move(x + 27, y + 19);
  await page.mouse.move(x, y);
  await page.mouse.click(x, y, { delay: HOLD_MS });
}
