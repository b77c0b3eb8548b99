import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { type BehaviourSignals, POINTER_KINDS, POINTER_TYPES } from "@stile/protocol/signals";
import {
  launchVisitorBrowser,
  NOW_AND_THEN,
  tokenOf,
  waitForState,
} from "@stile/testkit/browser/browser";
import { type StrictPage, serveStrictPage } from "@stile/testkit/browser/strict-page";
import { type PageVisit, visitPage } from "@stile/testkit/browser/visit-page";
import { pressByHand, wanderByHand } from "@stile/testkit/browser/visitor-hand";
import { startEasyService } from "@stile/testkit/service/easy-service";
import { redeem } from "@stile/testkit/service/redeem";
import type { RunningService } from "@stile/testkit/service/service";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";

// The input comes through the browser's own protocol. Its mouse events have revealing times
// (event_time_phase), but those count only together with a program-like path, and no journey here
// puts the mouse between pixels. The tests show that nothing else in these ways to use a page
// lowers a visitor's score.

let service: RunningService;
let browser: Browser;
let shop: StrictPage;

before(async () => {
  [service, browser] = await Promise.all([startEasyService(), launchVisitorBrowser()]);
  shop = await serveStrictPage({
    base: service.baseUrl,
    attributes: `sitekey="${service.siteKey}"`,
  });
});

after(async () => {
  await browser?.close();
  await shop?.stop();
  await service?.dispose();
});

/**
 * Does `work` on the form, waits for the token, and returns its score. If the widget asks for a
 * click, `work` gives it.
 */
function scoreOf(
  work: (page: Page) => Promise<void>,
  options: BrowserContextOptions = {},
): Promise<number> {
  const use = async ({ page, complaints }: PageVisit): Promise<number> => {
    await work(page);
    await waitForState(page, "verified");
    const { status, body } = await redeem(service, await tokenOf(page));
    assert.deepEqual([status, body.data.verified, complaints], [200, true, []]);
    return Number(body.data.score);
  };
  return visitPage(browser, shop.urlOn("localhost"), use, options);
}

const isPerson = (score: number): void => assert.ok(score > 0 && score < 0.3, `score ${score}`);

/** The behaviour that the page reports in its next submission. */
async function nextBehaviour(page: Page): Promise<BehaviourSignals> {
  const { signals } = (await page.waitForRequest(/\/api\/v1\/verify$/)).postDataJSON();
  return JSON.parse(Buffer.from(signals.behaviour, "base64url").toString());
}

/** Prevents the longer wait for a pointer from ending, however slow this machine is. */
const stopTheLongerWait = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const later = window.setTimeout.bind(window);
    window.setTimeout = ((work: () => void, ms = 0) =>
      ms > 3000 ? 0 : later(work, ms)) as typeof setTimeout;
  });

// Most of a visit is a pause of its visitor, so other visits run meanwhile.
suite("recorded users", { concurrency: 2 }, () => {
  test("a visitor who uses the keyboard alone", async (t) => {
    const score = await scoreOf(async (page) => {
      await page.keyboard.press("Tab");
      await page.keyboard.type("Ada Lovelace", { delay: 35 });
      const behaviour = nextBehaviour(page);
      await t.test(
        "reaches the widget, presses it, and hears of the success (WCAG 2.1.1)",
        async () => {
          await page.keyboard.press("Tab");
          const focused = await page.evaluate(
            () => document.activeElement?.shadowRoot?.activeElement?.tagName,
          );
          assert.equal(focused, "BUTTON");
          await page.keyboard.press("Space", { delay: 60 });
          await waitForState(page, "verified");
          const name = await page
            .getByRole("button", { name: "Verified" })
            .getAttribute("aria-disabled");
          assert.equal(name, "true");
          assert.equal(await page.locator("stile-captcha [role=status]").textContent(), "Verified");
        },
      );

      await t.test(
        "reports how far the click of the press lies from the middle of the widget",
        async () => {
          const { pointer, box } = await behaviour;
          const click =
            pointer.find(([, , , kind]) => POINTER_KINDS[kind] === "click") ??
            assert.fail("no click");
          const [, x, y, , type, , , dx = 0, dy = 0] = click;
          const [left, top, width, height] = box ?? assert.fail("no box");
          assert.equal(POINTER_TYPES[type], "unknown");
          assert.ok(
            x - dx > left && x - dx < left + width && y - dy > top && y - dy < top + height,
            `${click} in ${box}`,
          );
        },
      );
    });
    await t.test("passes as a person", () => isPerson(score));
  });

  // Visitors who have used only keys pay work when they send, instead of pressing (D9, submission).

  /** The score of a visitor who works by key alone and must not be asked for a press. */
  function scoreUnasked(work: (page: Page) => Promise<void>): Promise<number> {
    return scoreOf(async (page) => {
      await page.evaluate(() => {
        Object.assign(globalThis, { asked: 0 });
        document.addEventListener("stile:statechange", (event) => {
          const isAsked = (event as CustomEvent<{ state: string }>).detail.state === "interactive";
          if (isAsked) (globalThis as unknown as { asked: number }).asked++;
        });
      });
      await work(page);
      // A busy machine takes long for so much work.
      await waitForState(page, "verified", 90_000);
      assert.equal(
        await page.evaluate(() => (globalThis as unknown as { asked: number }).asked),
        0,
      );
    });
  }
  const hasPaid = (score: number): void => assert.equal(score, 0.3);

  test("a visitor who only presses Enter in the field pays work and is not asked for a press", async () => {
    const score = await scoreUnasked(async (page) => {
      await page.focus("input");
      await page.keyboard.type("Ada");
      await page.keyboard.press("Enter");
    });
    hasPaid(score);
  });

  test("a visitor who tabs past the widget and sends by key pays work and is not asked for a press", async () => {
    const score = await scoreUnasked(async (page) => {
      await page.keyboard.press("Tab");
      await page.keyboard.type("Ada Lovelace", { delay: 45 });
      await page.keyboard.press("Tab");
      await page.keyboard.press("Tab");
      await page.keyboard.press("Enter");
    });
    hasPaid(score);
  });

  /** Fills in the form as a browser does: it sets the value without a key. */
  const autofill = (page: Page): Promise<void> =>
    page.locator("input").evaluate((input: HTMLInputElement) => {
      input.value = "Ada";
      input.dispatchEvent(new Event("input", { bubbles: true }));
    });

  test("a visitor with an autofilled form who sends by Enter pays work and is not asked for a press", async () => {
    const score = await scoreUnasked(async (page) => {
      await page.focus("input");
      await autofill(page);
      await page.keyboard.press("Enter");
    });
    hasPaid(score);
  });

  test("a visitor whose password manager types faster than fingers pays work and is not asked for a press", async () => {
    const score = await scoreUnasked(async (page) => {
      await page.focus("input");
      await page.keyboard.type("correct horse battery staple");
      await page.keyboard.press("Enter");
    });
    assert.ok(score >= 0.3 && score < 0.6, `score ${score}`);
  });

  test("a switch user, whose device moves the focus and presses after a while, passes as a person", async () => {
    const score = await scoreOf(async (page) => {
      for (let stop = 0; stop < 2; stop++) await page.keyboard.press("Tab", { delay: 120 });
      await page.keyboard.press("Space", { delay: 400 });
    });
    isPerson(score);
  });

  test("a visitor who comes with the mouse after three seconds of typing is not asked for a press", async () => {
    const score = await scoreOf(async (page) => {
      await stopTheLongerWait(page);
      await page.focus("input");
      await page.keyboard.type("Ada Lovelace", { delay: 300 });
      await pressByHand(page, "input");
    });
    isPerson(score);
  });

  test("a visitor without a pointer is waited for longer, and pays work on reaching the submit button", async () => {
    const score = await scoreUnasked(async (page) => {
      await stopTheLongerWait(page);
      const behaviour = nextBehaviour(page);
      await page.focus("input");
      await page.keyboard.type("Ada");
      await waitForState(page, "verifying");
      await page.waitForFunction(() => performance.now() > 5_000, undefined, NOW_AND_THEN);
      await page.focus("#send");
      assert.deepEqual((await behaviour).pointer, []);
      await page.keyboard.press("Enter");
    });
    hasPaid(score);
  });

  test("the widget waits for a visitor who has only twitched the mouse, and does not ask before their press", async () => {
    const score = await scoreOf(async (page) => {
      const behaviour = nextBehaviour(page);
      await page.focus("input");
      await waitForState(page, "verifying");
      await page.waitForFunction(() => performance.now() > 5_000, undefined, NOW_AND_THEN);
      await page.mouse.move(90, 70);
      let isSeen = false;
      const seen = behaviour.finally(() => {
        isSeen = true;
      });
      while (!isSeen) await wanderByHand(page);
      const { pointer, keys } = await seen;
      // The twitch and a way; a busy machine sees few samples of it.
      assert.ok(pointer.length > 2 && keys.length === 0, `${pointer.length} samples`);
      assert.ok((pointer.at(-1)?.[0] ?? 0) - (pointer[0]?.[0] ?? 0) >= 500);
    });
    isPerson(score);
  });

  test("a visitor with a filled form who reaches the submit button in two moves is not scored before the press", async () => {
    const score = await scoreOf(async (page) => {
      // So that the press comes in time, however slow this machine is.
      await page.evaluate(() => {
        const later = window.setTimeout.bind(window);
        window.setTimeout = ((work: () => void, ms = 0) =>
          later(work, ms === 500 ? 5_000 : ms)) as typeof setTimeout;
      });
      const behaviour = nextBehaviour(page);
      await page.focus("input");
      await autofill(page);
      await waitForState(page, "verifying");
      await page.waitForFunction(() => performance.now() > 5_000, undefined, NOW_AND_THEN);
      const { x, y } = (await page.locator("#send").boundingBox()) ?? assert.fail("no button");
      await page.mouse.move(x + 12, y - 8);
      await page.mouse.move(x + 15, y + 9);
      // A pause as people make it before a press.
      await page.waitForTimeout(300);
      await page.mouse.down();
      await page.mouse.up();
      const { pointer } = await behaviour;
      assert.deepEqual(
        pointer.slice(0, 3).map(([, , , kind]) => POINTER_KINDS[kind]),
        ["move", "move", "down"],
      );
    });
    isPerson(score);
  });

  test("a visitor who only types pays work in the end, since the page's button may wait for the token", async () => {
    const score = await scoreUnasked(async (page) => {
      await page.focus("input");
      await page.keyboard.type("Ada Lovelace", { delay: 60 });
    });
    hasPaid(score);
  });

  /** The user agent of this Chromium's phone version. */
  const phoneUserAgent = (): string =>
    `Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${browser.version().split(".")[0]}.0.0.0 Mobile Safari/537.36`;

  test("a visitor who taps on a phone passes as a person", async () => {
    const tap = async (page: Page, selector: string): Promise<void> => {
      const box = await page.locator(selector).boundingBox();
      assert.ok(box !== null);
      await page.touchscreen.tap(box.x + box.width * 0.37, box.y + box.height * 0.61);
    };
    const score = await scoreOf(
      async (page) => {
        await tap(page, "input");
        await page.keyboard.type("Ada");
        await tap(page, "stile-captcha button");
      },
      {
        userAgent: phoneUserAgent(),
        hasTouch: true,
        isMobile: true,
        viewport: { width: 412, height: 915 },
        deviceScaleFactor: 2.625,
      },
    );
    isPerson(score);
  });

  test("a screen reader that sets the focus and presses a button passes as a person", async () => {
    // A press by an assistive technology reaches the page as a trusted click without pointer
    // events, as Space does.
    const score = await scoreOf(async (page) => {
      await page.locator("stile-captcha button").focus();
      await page.keyboard.press("Space");
    });
    isPerson(score);
  });

  test("a screen reader that presses the mouse without moving it and without force gets a token on Linux, where no aid presses so", async () => {
    const score = await scoreOf(async (page) => {
      const box = await page.locator("stile-captcha button").boundingBox();
      assert.ok(box !== null);
      const input = await page.context().newCDPSession(page);
      const place = {
        x: box.x + 31,
        y: box.y + 17,
        button: "left",
        clickCount: 1,
        force: 0,
      } as const;
      await input.send("Input.dispatchMouseEvent", { type: "mousePressed", ...place });
      await input.send("Input.dispatchMouseEvent", { type: "mouseReleased", ...place });
      await input.detach();
    });
    // Systems with such aids excuse it; here it may cost work and is never refused.
    assert.ok(score < 0.6, `score ${score}`);
  });

  test("a visitor who clicks once, quickly and with little movement, passes as a person", async () => {
    isPerson(await scoreOf((page) => pressByHand(page, "input")));
  });
});
