import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { DEFAULT_THRESHOLDS } from "@stile/protocol/limits";
import { NOW_AND_THEN, waitForState } from "@stile/testkit/browser/browser";
import {
  type FormVisit,
  given,
  openForms,
  pageScript,
  WATCHED_WITHOUT_LIMIT,
} from "@stile/testkit/browser/form-visit";
import { moveByHand, pressByHand, wanderByHand } from "@stile/testkit/browser/visitor-hand";
import { changeSite } from "@stile/testkit/service/operator-site";
import type { Page } from "playwright-core";

// Pages that enable their button with the token: a visitor who has filled in the form waits for the
// rest, and sees that.

const { service, visit } = await openForms();

const WAITING = `document.querySelector("#send").disabled = true;
document.querySelector("stile-captcha").addEventListener("stile:verified", () => { document.querySelector("#send").disabled = false; got.push(1); });`;

function visitWaiting(
  style: string,
  use: (visit: FormVisit) => Promise<void>,
  button = "",
): Promise<void> {
  const inside = `${pageScript(WATCHED_WITHOUT_LIMIT)}<style>${style}</style><stile-captcha sitekey="${service.siteKey}"></stile-captcha>
<script>addEventListener("DOMContentLoaded", () => { ${button}${WAITING} });</script>`;
  return visit(inside, use);
}

/** Presses into the field, types, and does `aim`; then the button must become enabled. */
async function enabledBy(
  typed: string,
  { page }: FormVisit,
  aim: (page: Page) => Promise<unknown>,
): Promise<void> {
  await pressByHand(page, "#name");
  await page.keyboard.type(typed, { delay: 90 });
  const startedMs = performance.now();
  await aim(page);
  await given(page, 1);
  console.log(
    `${typed.length} keys, enabled after ${((performance.now() - startedMs) / 1000).toFixed(2)} s`,
  );
}

const THROUGH = "#send:disabled { pointer-events: none }";

for (const [what, style, typed] of [
  ["can be pointed at", "", ""],
  ["lets the pointer through", THROUGH, "Lovelace"],
] as const) {
  test(`a waiting button that ${what} is enabled for a visitor who comes to it, before the observation time is over`, () =>
    visitWaiting(style, (visit) => enabledBy(typed, visit, (page) => moveByHand(page, "#send"))));
}

test("a waiting <input type=submit> outside the form is also enabled for a visitor who comes to it", () => {
  const button = `document.forms[0].id = "odd"; send.outerHTML = '<input type="submit" id="send" value="Send" form="odd">';
    document.body.append(send);`;
  return visitWaiting(
    THROUGH,
    (visit) => enabledBy("Lovelace", visit, (page) => moveByHand(page, "#send")),
    button,
  );
});

test("a visitor who presses Enter in a field is not observed for longer, though the page's button cannot send yet", () =>
  visitWaiting("", (visit) =>
    enabledBy("Lovelace", visit, (page) => page.keyboard.press("Enter")),
  ));

/** A finger does not move over the button before it presses. */
async function tap(page: Page, selector: string): Promise<void> {
  const box = await page.locator(selector).boundingBox();
  const touchPoints = [{ x: Math.round((box?.x ?? 0) + 21), y: Math.round((box?.y ?? 0) + 9) }];
  const session = await page.context().newCDPSession(page);
  await session.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints });
  await session.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
}

test("a waiting button that lets everything through is enabled for a finger that presses it", async () => {
  // A desktop browser that reports touch is asked for a press (scripted_touch), which is not what
  // this test is about.
  await changeSite(service, { thresholds: { challenge: 0.99, block: 1 } });
  await sleep(1_100);
  await visitWaiting(THROUGH, (visit) =>
    enabledBy("Lovelace", visit, (page) => tap(page, "#send")),
  );
  await changeSite(service, { thresholds: DEFAULT_THRESHOLDS });
  await sleep(1_100);
});

/** Waits until the widget's button has that text, and says after how many ms of the page's life. */
async function labelled(page: Page, text: string): Promise<number> {
  const read = (wanted: string): number | false => {
    const root = document.querySelector("stile-captcha")?.shadowRoot;
    return root?.querySelector(".label")?.textContent === wanted && performance.now();
  };
  const found = await page.waitForFunction(read, text, { ...NOW_AND_THEN, timeout: 20_000 });
  return Number(await found.jsonValue());
}

const BY_ITSELF = `<stile-captcha sitekey="${service.siteKey}" execution="render"></stile-captcha>`;

test("a visitor who gives no sign sees within five seconds that a press is expected, and the press ends the wait", () =>
  visit(BY_ITSELF, async ({ page }) => {
    const startedMs = await labelled(page, "Checking…");
    const askedMs = (await labelled(page, "Verify you are human")) - startedMs;
    assert.ok(askedMs < 5_000, `${askedMs} ms`);
    const button = page.locator("stile-captcha button");
    assert.equal(await button.getAttribute("aria-disabled"), "false");
    const status = page.locator("stile-captcha .status");
    assert.equal(await status.textContent(), "Please press “Verify you are human”.");
    await pressByHand(page, "stile-captcha button");
    await waitForState(page, "verified");
  }));

test("a visitor who gives no sign ends the wait by a key on the widget, too", () =>
  visit(BY_ITSELF, async ({ page }) => {
    await labelled(page, "Verify you are human");
    await page.locator("stile-captcha button").focus();
    await page.keyboard.press("Space", { delay: 80 });
    await waitForState(page, "verified");
  }));

test("a visitor who moves the mouse is not asked to press", () =>
  visit(BY_ITSELF, async ({ page }) => {
    await labelled(page, "Checking…");
    // The widget notices a mouse that is moved for half a second, and one way is shorter.
    for (let ways = 0; ways < 4; ways++) {
      await wanderByHand(page);
      await page.waitForTimeout(250);
    }
    await waitForState(page, "verified");
    assert.equal(await page.locator("stile-captcha .status").textContent(), "Verified");
  }));
