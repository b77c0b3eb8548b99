// Widgets that come and go in a page that stays leave nothing behind, and one that nobody touches
// does nothing.
import assert from "node:assert/strict";
import { test } from "node:test";
import { NOW_AND_THEN } from "@stile/testkit/browser/browser";
import { openForms } from "@stile/testkit/browser/form-visit";
import { pressByHand } from "@stile/testkit/browser/visitor-hand";
import { addEasySite } from "@stile/testkit/service/easy-service";
import type { CDPSession, Page } from "playwright-core";

// What former visits left in a window might be forgotten during these.
const { service, visit } = await openForms({ isFresh: true });

type Widget = HTMLElement & { readonly state: string };
/**
 * What the page keeps for this test: widgets that could be collected otherwise, and the timers it
 * was asked for.
 */
type PageWindow = {
  readonly gone: WeakRef<Widget>[];
  readonly asked: string[];
  readonly frame: typeof requestAnimationFrame;
};

/** How many of the removed widgets are still in memory after a garbage collection. */
async function countKept(page: Page, protocol: CDPSession): Promise<number> {
  await protocol.send("HeapProfiler.collectGarbage");
  return page.evaluate(
    () => (window as unknown as PageWindow).gone.filter((one) => one.deref()).length,
  );
}

/** What the page has in memory after a garbage collection. */
async function measure(protocol: CDPSession) {
  await protocol.send("HeapProfiler.collectGarbage");
  const { usedSize } = await protocol.send("Runtime.getHeapUsage");
  return { heap: usedSize, ...(await protocol.send("Memory.getDOMCounters")) };
}

/** Adds forms with a widget to the page and removes them, as a single-page app does. */
const comeAndGo = (page: Page, count: number): Promise<void> =>
  page.evaluate(
    ([sitekey, times]) => {
      for (let nth = 0; nth < times; nth++) {
        const form = document.createElement("form");
        form.innerHTML = `<input><stile-captcha sitekey="${sitekey}" callback="done"></stile-captcha><button>Send</button>`;
        document.body.append(form);
        (window as unknown as PageWindow).gone.push(
          new WeakRef(form.querySelector("stile-captcha") as Widget),
        );
        form.remove();
      }
    },
    [service.siteKey, count] as const,
  );

test("500 widgets that come and go leave nothing in the page: no element, no listener, no memory", async () => {
  await visit("<script>globalThis.gone = []</script>", async ({ page, complaints }) => {
    const protocol = await page.context().newCDPSession(page);
    const forget = (): Promise<void> =>
      page.evaluate(() => {
        (window as unknown as PageWindow).gone.length = 0;
      });
    // The first ones leave things that stay: compiled code, fetched scripts.
    await comeAndGo(page, 50);
    await page.waitForLoadState("networkidle");
    await countKept(page, protocol);
    await forget();
    const before = await measure(protocol);
    await comeAndGo(page, 500);
    assert.equal(await countKept(page, protocol), 0);
    await forget();
    const after = await measure(protocol);
    assert.deepEqual(
      [after.nodes - before.nodes, after.jsEventListeners - before.jsEventListeners, complaints],
      [0, 0, []],
    );
    const grown = (after.heap - before.heap) / 500;
    assert.ok(grown < 400, `${grown} bytes for each`);
  });
});

test("a widget that is taken out of the page is forgotten, with a token or in the midst of its work", async () => {
  const { siteKey } = await addEasySite(service, { name: "unasked", mode: "non_interactive" });
  await visit("<script>globalThis.gone = []</script>", async ({ page }) => {
    const protocol = await page.context().newCDPSession(page);
    /**
     * Adds that many widgets which begin at once, and removes all when each has reached the state.
     */
    const takeOutAt = (count: number, state: string): Promise<void> =>
      page.evaluate(
        async ([sitekey, times, wanted]) => {
          for (let nth = 0; nth < times; nth++) {
            const form = document.createElement("form");
            form.innerHTML = `<stile-captcha sitekey="${sitekey}" execution="render"></stile-captcha>`;
            const widget = form.firstElementChild as Widget;
            (window as unknown as PageWindow).gone.push(new WeakRef(widget));
            document.body.append(form);
          }
          await new Promise<void>((resolve) => {
            document.addEventListener("stile:statechange", () => {
              const all = [...document.querySelectorAll<Widget>("form > stile-captcha")];
              if (all.every((one) => one.state === wanted)) resolve();
            });
          });
          for (const widget of document.querySelectorAll("form > stile-captcha"))
            widget.parentElement?.remove();
        },
        [siteKey, count, state] as const,
      );
    const verified = takeOutAt(2, "verified");
    await pressByHand(page, "#name");
    await verified;
    await takeOutAt(2, "verifying");
    // What they load from the service is done in 9 s, but the end of a token's life and the wait
    // for a visitor are not.
    let kept = await countKept(page, protocol);
    for (let tries = 0; kept > 0 && tries < 80; tries++) {
      await page.waitForTimeout(200);
      kept = await countKept(page, protocol);
    }
    assert.equal(kept, 0);
  });
});

test("a widget that nobody touches does nothing: it asks for no time, no frame of animation, no worker and no request", async () => {
  await visit("", async ({ page, asked }) => {
    await page.addInitScript(() => {
      const noted: string[] = [];
      Object.assign(window, { asked: noted, frame: requestAnimationFrame.bind(window) });
      for (const name of [
        "setTimeout",
        "setInterval",
        "requestAnimationFrame",
        "requestIdleCallback",
      ] as const) {
        const real = window[name].bind(window) as (...given: unknown[]) => number;
        Object.assign(window, {
          [name]: (...given: unknown[]) => [noted.push(name), real(...given)][1],
        });
      }
    });
    await page.reload();
    await page.waitForFunction(
      () => customElements.get("stile-captcha") !== undefined,
      undefined,
      NOW_AND_THEN,
    );
    const before = asked.length;
    const seen = await page.evaluate(async (sitekey) => {
      const { asked: noted, frame } = window as unknown as PageWindow;
      noted.length = 0;
      const widget = document.createElement("stile-captcha");
      widget.setAttribute("sitekey", sitekey);
      document.querySelector("form")?.append(widget);
      for (let nth = 0; nth < 20; nth++) await new Promise((resolve) => frame(resolve));
      const moving = widget.shadowRoot?.getAnimations().length;
      return [noted, moving, widget.shadowRoot?.querySelectorAll("iframe").length];
    }, service.siteKey);
    assert.deepEqual([...seen, asked.length - before], [[], 0, 0, 0]);
  });
});

test("a small scroller that has a coordinate system of its own (transform) gets no scroll bar while its widget works", async () => {
  const style = "transform:translateX(0);overflow:auto;inline-size:200px;block-size:120px";
  const small = `<stile-captcha sitekey="${service.siteKey}" size="flexible"></stile-captcha>`;
  const scrollers = ["ltr", "rtl"].map(
    (dir) => `<div class="small" dir="${dir}" style="${style}">${small}</div>`,
  );
  await visit(scrollers.join(""), async ({ page }) => {
    await pressByHand(page, "#name");
    const seen = await page.evaluate(async () => {
      const widgets = [...document.querySelectorAll(".small stile-captcha")];
      const frameOf = (one: Element): Element | null | undefined =>
        one.shadowRoot?.querySelector("iframe");
      while (!widgets.every(frameOf)) await new Promise((resolve) => setTimeout(resolve, 20));
      const small = [...document.querySelectorAll(".small")];
      return small.map((one) => [
        one.scrollWidth - one.clientWidth,
        one.scrollHeight - one.clientHeight,
      ]);
    });
    assert.deepEqual(seen, [
      [0, 0],
      [0, 0],
    ]);
  });
});
