// Removed widgets leave nothing behind in a page that stays, and an untouched widget does nothing.
import assert from "node:assert/strict";
import { test } from "node:test";
import { NOW_AND_THEN } from "@stile/testkit/browser/browser";
import { openForms } from "@stile/testkit/browser/form-visit";
import { pressByHand } from "@stile/testkit/browser/visitor-hand";
import { addEasySite } from "@stile/testkit/service/easy-service";
import type { CDPSession, Page } from "playwright-core";

// A fresh window, since the garbage of former visits might be collected during these.
const { service, visit } = await openForms({ isFresh: true });

type Widget = HTMLElement & { readonly state: string };
/**
 * State that the page keeps for this test: references to the removed widgets, and the timers that
 * it started.
 */
type PageWindow = {
  readonly gone: WeakRef<Widget>[];
  readonly asked: string[];
  readonly frame: typeof requestAnimationFrame;
};

/** Counts the removed widgets that are still in memory after a garbage collection. */
async function countKept(page: Page, protocol: CDPSession): Promise<number> {
  await protocol.send("HeapProfiler.collectGarbage");
  return page.evaluate(
    () => (window as unknown as PageWindow).gone.filter((one) => one.deref()).length,
  );
}

/** Measures the memory of the page after a garbage collection. */
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

test("500 added and removed widgets leave nothing in the page: no element, no listener, no memory", async () => {
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

test("a widget removed from the page is collected, with a token or in the middle of its work", async () => {
  const { siteKey } = await addEasySite(service, { name: "unasked", mode: "non_interactive" });
  await visit("<script>globalThis.gone = []</script>", async ({ page }) => {
    const protocol = await page.context().newCDPSession(page);
    /**
     * Adds that many widgets that begin at once, and removes all when each has reached the state.
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
    // Requests to the service end within 9 s, but the wait for a visitor or for the end of a token
    // may be longer.
    let kept = await countKept(page, protocol);
    for (let tries = 0; kept > 0 && tries < 80; tries++) {
      await page.waitForTimeout(200);
      kept = await countKept(page, protocol);
    }
    assert.equal(kept, 0);
  });
});

test("an untouched widget does nothing: no timer, no animation frame, no worker and no request", async () => {
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

test("a small scroller with its own coordinate system (transform) gets no scroll bar while its widget works", async () => {
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
