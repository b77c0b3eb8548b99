import assert from "node:assert/strict";
import type { Page } from "playwright-core";

/** How long the hand holds a button, ms. */
const HOLD_MS = 70;

/**
 * Moves the mouse into the target as a hand does that was already near: by whole pixels, in more
 * than one step, and not to the exact middle. The service recognises Playwright's own `move` as a
 * program's, and also longer paths than these without a real hand.
 */
export async function moveByHand(
  page: Page,
  selector: string,
): Promise<readonly [x: number, y: number]> {
  const box = await page.locator(selector).boundingBox();
  assert.ok(box !== null, `${selector} is not to be seen`);
  const [x, y] = [Math.round(box.x + box.width * 0.31), Math.round(box.y + box.height * 0.39)];
  await page.mouse.move(x + 27, y + 19);
  await page.mouse.move(x, y);
  return [x, y];
}

/** Moves the mouse into the target and presses it there, holding the button for a moment. */
export async function pressByHand(page: Page, selector: string): Promise<void> {
  const [x, y] = await moveByHand(page, selector);
  await page.mouse.click(x, y, { delay: HOLD_MS });
}

/** Places that a hand passes on its way through a page, CSS pixels. */
const WAY = [
  [61, 48],
  [63, 50],
  [69, 55],
  [80, 61],
  [97, 71],
  [117, 80],
  [134, 90],
  [146, 95],
  [153, 97],
  [156, 99],
  [157, 99],
  [158, 100],
] as const;

/** Moves the mouse by hand near the page's upper left corner, and presses nothing. */
export async function wanderByHand(page: Page): Promise<void> {
  for (const [x, y] of WAY) await page.mouse.move(x, y);
}
