import assert from "node:assert/strict";
import { after, suite, test } from "node:test";
import { launchVisitorBrowser, tokenOf, waitForState } from "@stile/testkit/browser/browser";
import { type StrictPageOptions, serveStrictPage } from "@stile/testkit/browser/strict-page";
import { type PageVisit, visitPage } from "@stile/testkit/browser/visit-page";
import { pressByHand } from "@stile/testkit/browser/visitor-hand";
import { addEasySite, startEasyService } from "@stile/testkit/service/easy-service";
import { redeem } from "@stile/testkit/service/redeem";
import { startTroubledProxy, type TroubledProxy } from "@stile/testkit/service/troubled-proxy";
import type { Page } from "playwright-core";

const [browser, service] = await Promise.all([
  launchVisitorBrowser(),
  startEasyService({ STILE_TRUSTED_PROXIES: "127.0.0.1" }),
]);

after(async () => {
  await browser.close();
  await service.dispose();
});

type Visit = {
  readonly page: Page;
  readonly proxy: TroubledProxy;
  readonly warnings: readonly string[];
};
type VisitOptions = Partial<StrictPageOptions> & {
  readonly siteKey?: string;
  readonly prepare?: (page: Page) => unknown;
};

let networks = 0;

/**
 * Opens a shop's form whose service is behind a proxy, with the widget there. Each visitor comes
 * from a network of their own.
 */
async function visit(
  use: (visit: Visit) => Promise<void>,
  { siteKey = service.siteKey, prepare, ...options }: VisitOptions = {},
): Promise<void> {
  const network = `198.18.${++networks}.7`;
  await using proxy = await startTroubledProxy(service.baseUrl, () => network);
  const attributes = `sitekey="${siteKey}" ${options.attributes ?? ""}`;
  const shop = await serveStrictPage({ base: proxy.baseUrl, ...options, attributes });
  try {
    const begin = async ({ page, complaints }: PageVisit): Promise<void> => {
      await page.waitForFunction(() => customElements.get("stile-captcha") !== undefined);
      await page.waitForLoadState("networkidle");
      await use({ page, proxy, warnings: complaints });
    };
    await visitPage(browser, shop.urlOn("localhost"), begin, { prepare });
  } finally {
    await shop.stop();
  }
}

const statusOf = async (page: Page): Promise<string> =>
  (await page.locator("stile-captcha [role=status]").textContent()) ?? "";

/** The value that the form has for the widget. */
const carriedBy = (page: Page): Promise<unknown> =>
  page.evaluate(() =>
    new FormData(document.querySelector("form") ?? undefined).get("stile-response"),
  );

/** Waits for the form to be sent and returns its fields. */
async function sentFields(page: Page): Promise<URLSearchParams> {
  return new URL((await page.waitForRequest(/\/sent\?/, { timeout: 40_000 })).url()).searchParams;
}

/** Waits until the widget has resumed automatically, and then acts like a person. */
async function goesOn(page: Page): Promise<void> {
  await page.waitForFunction(
    () =>
      /^verif/.test(
        (document.querySelector("stile-captcha") as Element & { state?: string }).state ?? "",
      ),
    undefined,
    { polling: 50, timeout: 60_000 },
  );
  await pressByHand(page, "input");
  await waitForState(page, "verified");
}

const OUT_OF_REACH = "The check is unavailable right now. It retries automatically.";

// Each spends most of its time waiting.
suite("a widget in trouble", { concurrency: 4 }, () => {
  test("a renewal that fails keeps the valid token silently until it really expires", async () => {
    const { siteKey } = await addEasySite(service, { name: "short", tokenLifeSeconds: 30 });
    await visit(
      async ({ page, proxy }) => {
        await listen(page);
        await pressByHand(page, "input");
        await waitForState(page, "verified");
        const token = await tokenOf(page);
        proxy.set("breaks");
        await waitForState(page, "error", 60_000);
        const seen = await page.evaluate(() => {
          const { value, shadowRoot } = document.querySelector("stile-captcha") as HTMLElement & {
            value: string;
          };
          return [value, shadowRoot?.querySelector("button")?.textContent];
        });
        assert.deepEqual(
          [...seen, await carriedBy(page), await saidOn(page)],
          [token, "Verified", token, ["Verified"]],
        );
        await page.waitForFunction(
          () =>
            new FormData(document.querySelector("form") ?? undefined).get("stile-response") ===
            "unavailable",
          undefined,
          { polling: 50, timeout: 30_000 },
        );
        assert.equal(await statusOf(page), OUT_OF_REACH);
      },
      { siteKey },
    );
  });

  test("a reset at a failed renewal drops the token that is still valid, and the error stays", async () => {
    const { siteKey } = await addEasySite(service, { name: "reset", tokenLifeSeconds: 30 });
    await visit(
      async ({ page, proxy }) => {
        await pressByHand(page, "input");
        await waitForState(page, "verified");
        proxy.set("breaks");
        await page.evaluate(() =>
          document.addEventListener("stile:error", ({ target }) =>
            (target as Element & { reset: () => void }).reset(),
          ),
        );
        await waitForState(page, "error", 60_000);
        assert.deepEqual([await tokenOf(page), await carriedBy(page)], ["", "unavailable"]);
        assert.equal(await statusOf(page), OUT_OF_REACH);
      },
      { siteKey },
    );
  });

  for (const trouble of ["breaks", "bad_gateway", "hangs"] as const) {
    test(`in an outage the form is sent without a token, and no error blames the visitor: the service ${trouble} (D15, outage)`, async (context) => {
      await visit(async ({ page, proxy }) => {
        proxy.set(trouble);
        await page.locator("input").fill("Ada");
        await waitForState(page, "error");
        assert.equal(await statusOf(page), OUT_OF_REACH);
        assert.equal(await carriedBy(page), "unavailable");
        const fields = sentFields(page);
        await pressByHand(page, "#send");
        const marker = (await fields).get("stile-response") ?? "";
        const { data } = (await redeem(service, marker)).body;
        assert.deepEqual(
          [data.verified, data.reasonCode, data.response],
          [false, "missing_token", "unavailable"],
        );
        if (trouble !== "breaks") return;
        await context.test(
          "the widget recovers automatically with the service, without a touch",
          async () => {
            proxy.set("none");
            await goesOn(page);
          },
        );
      });
    });
  }

  test("a hanging service is detected within 10 s, and a form that waits for it is sent automatically", async () => {
    await visit(async ({ page, proxy }) => {
      proxy.set("hangs");
      await page.locator("input").evaluate((input: HTMLInputElement) => {
        input.value = "Ada";
      });
      const startedMs = await page.evaluate(() => performance.now());
      const fields = sentFields(page);
      // Measured by the page's own clock: this machine may be busy.
      const noticed = page.evaluate(
        () =>
          new Promise<number>((resolve) => {
            document.addEventListener("stile:error", () => resolve(performance.now()));
          }),
      );
      await pressByHand(page, "#send");
      const tookMs = (await noticed.catch(() => startedMs)) - startedMs;
      assert.ok(tookMs < 12_000, `${tookMs} ms`);
      assert.equal((await fields).get("stile-response"), "unavailable");
    });
  });

  test("a failed preflight does not blame the visitor's connection", async () => {
    await visit(async ({ page, proxy }) => {
      proxy.set("no_preflight");
      await pressByHand(page, "input");
      await waitForState(page, "error", 40_000);
      assert.equal(await statusOf(page), OUT_OF_REACH);
    });
  });

  test("an offline visitor sees that, and the form waits; back online the widget resumes automatically", async () => {
    await visit(async ({ page }) => {
      await page.context().setOffline(true);
      await page.locator("input").fill("Ada");
      await waitForState(page, "error", 40_000);
      assert.match(await statusOf(page), /^You are offline\./);
      assert.equal(await carriedBy(page), "pending");
      await page.context().setOffline(false);
      await goesOn(page);
    });
  });

  test("on-unavailable=block holds the form, and sends it once the service is back", async () => {
    await visit(
      async ({ page, proxy }) => {
        proxy.set("breaks");
        await page.locator("input").fill("Ada");
        await waitForState(page, "error");
        assert.equal(await carriedBy(page), "pending");
        const fields = sentFields(page);
        let isSent = false;
        void fields.then(() => {
          isSent = true;
        });
        await pressByHand(page, "#send");
        await waitForState(page, "error", 40_000);
        assert.equal(isSent, false);
        proxy.set("none");
        await goesOn(page);
        await pressByHand(page, "#send");
        assert.ok(((await fields).get("stile-response") ?? "").length > 100);
      },
      { attributes: 'on-unavailable="block"' },
    );
  });

  test("an error disappears while the visitor types", async () => {
    // Long timers never fire, so that nothing retries.
    const prepare = (page: Page): unknown =>
      page.addInitScript(() => {
        const later = window.setTimeout.bind(window);
        window.setTimeout = ((work: () => void, ms = 0) =>
          ms > 4500 && ms !== 9000 ? 0 : later(work, ms)) as typeof setTimeout;
      });
    const use = async ({ page, proxy }: Visit): Promise<void> => {
      proxy.set("breaks", /\/api\//);
      await page.locator("input").focus();
      await waitForState(page, "error", 40_000);
      proxy.set("none");
      for (
        let i = 0;
        i < 40 &&
        (await page.evaluate(() => document.querySelector("stile-captcha")?.getAttribute("x"))) ===
          null;
        i++
      ) {
        await page.keyboard.type("a");
        const state = await page.evaluate(
          () => (document.querySelector("stile-captcha") as Element & { state?: string }).state,
        );
        if (state !== "error") return;
        await page.waitForTimeout(200);
      }
      assert.fail("still in error");
    };
    await visit(use, { prepare });
  });

  /** Records each text that appears in the live region, each time it does. */
  const listen = (page: Page): Promise<void> =>
    page.evaluate(() => {
      const said: string[] = [];
      Object.assign(window, { said });
      const region = document
        .querySelector("stile-captcha")
        ?.shadowRoot?.querySelector("[role=status]");
      new MutationObserver(() => {
        const text = region?.textContent ?? "";
        if (text !== "") said.push(text);
      }).observe(region as Node, { childList: true, characterData: true, subtree: true });
    });
  const saidOn = (page: Page): Promise<readonly string[]> =>
    page.evaluate(() => (window as unknown as { readonly said: readonly string[] }).said);

  test("a requested press has two announcements: the request and the token", async () => {
    await visit(async ({ page }) => {
      await listen(page);
      await page.focus("input");
      await page.evaluate(() => {
        for (const input of document.querySelectorAll("input")) input.value = "Ada";
        document.querySelector("form")?.requestSubmit();
      });
      await waitForState(page, "interactive", 40_000);
      await page.waitForFunction(() => document.activeElement?.localName === "stile-captcha");
      await page.keyboard.press("Space", { delay: 60 });
      await waitForState(page, "verified", 40_000);
      assert.deepEqual(await saidOn(page), ["Please press “Verify you are human”.", "Verified"]);
    });
  });

  test("a frame that the page's policy refuses is named with its directive, and costs no wait", async () => {
    // So that the wait for the frame never ends, however slow this machine is.
    const prepare = (page: Page): unknown =>
      page.addInitScript(() => {
        const later = window.setTimeout.bind(window);
        window.setTimeout = ((work: () => void, ms = 0) =>
          ms === 5000 ? 0 : later(work, ms)) as typeof setTimeout;
      });
    const use = async ({ page, warnings }: Visit): Promise<void> => {
      await pressByHand(page, "input");
      await waitForState(page, "verified", 60_000);
      assert.match(warnings.join("\n"), /stile: .*frame-src/);
    };
    await visit(use, { framePolicy: "'none'", prepare });
  });

  test("restored from the back/forward cache, the widget shows that it has no token, and the next touch earns one (decision 0037)", async () => {
    await visit(async ({ page }) => {
      await listen(page);
      await pressByHand(page, "input");
      await waitForState(page, "verified", 40_000);
      assert.deepEqual(
        await saidOn(page),
        ["Verified"],
        "one announcement from the first touch to the token",
      );
      // Chromium has no back/forward cache under a driver; this is the event that a page gets from
      // it.
      await page.evaluate(() =>
        dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true })),
      );
      const button = await page.locator("stile-captcha button").textContent();
      assert.deepEqual(
        [button, await statusOf(page), await carriedBy(page)],
        ["Verify you are human", "", "pending"],
      );
      await pressByHand(page, "input");
      await page.keyboard.press("a");
      await waitForState(page, "verified", 40_000);
      assert.equal(await carriedBy(page), await tokenOf(page));
    });
  });
});
