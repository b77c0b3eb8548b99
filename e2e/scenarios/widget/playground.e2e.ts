// The playground in a real browser: each look, each mode, and each failure through its own cause.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";
import {
  launchAutomatedBrowser,
  launchVisitorBrowser,
  NOW_AND_THEN,
  newVisitor,
  openPage,
  tokenOf,
  waitForState,
} from "@stile/testkit/browser/browser";
import { pressByHand } from "@stile/testkit/browser/visitor-hand";
import { type RunningService, startService } from "@stile/testkit/service/service";
import type { AxeResults } from "axe-core";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

let service: RunningService;
let browser: Browser;

before(async () => {
  [service, browser] = await Promise.all([startService({ STILE_LIMIT_CHALLENGE: "1000" }), launchVisitorBrowser()]);
});

after(async () => {
  await browser?.close();
  await service?.dispose();
});

type Visit = { readonly page: Page; readonly complaints: readonly string[] };

async function visit(query: string, use: (visit: Visit) => Promise<void>, options?: BrowserContextOptions) {
  const context = await newVisitor(browser, options);
  try {
    await use(await openPage(context, `${service.baseUrl}/playground?${query}`));
  } finally {
    await context.close();
  }
}

const says = (page: Page, selector: string, text: RegExp): Promise<void> =>
  page.locator(selector).filter({ hasText: text }).waitFor();

/** Touches the form and sends it, and waits for the widget. */
async function send(page: Page): Promise<void> {
  await pressByHand(page, "#name");
  await waitForState(page, "verified");
  await pressByHand(page, "#form .primary");
}

test("a form that is sent shows the events with their times, the speed, the work and what its server was told", async () => {
  await visit("", async ({ page, complaints }) => {
    await send(page);
    await says(page, "#outcome", /^Passed/);
    await says(page, "#answers", /HTTP 200.*"verified": true/s);
    const events = await page.locator("#log td:nth-child(3)").allTextContents();
    assert.deepEqual(
      events.filter((text) => text.startsWith("state")),
      ["loading", "solving", "verifying", "verified"].map((state) => `state: ${state}`),
    );
    const times = (await page.locator("#log td:first-child").allTextContents()).map((text) =>
      Number(text.replace(/,/g, "")),
    );
    assert.equal(times[0], 0);
    assert.deepEqual(
      times,
      times.toSorted((a, b) => a - b),
    );
    for (const span of ["loading", "solving", "verifying", "all"])
      await says(page, `[data-span=${span}]`, /^[\d,]+ ms$/);
    await says(page, "[data-work]", /^16 nonces, about [\d,]+ hashes$/);
    assert.doesNotMatch((await page.locator("#answers").textContent()) ?? "", /score|flags/);
    assert.deepEqual(complaints, []);
  });
});

for (const theme of ["auto", "light", "dark", "contrast"]) {
  test(`theme ${theme} is what the widget has, and what the lines to copy say`, async () => {
    await visit(`theme=${theme}&size=flexible&action=login&cdata=a%22b`, async ({ page }) => {
      await page.locator("stile-captcha button").waitFor();
      assert.equal(await page.locator("stile-captcha .box").getAttribute("data-theme"), theme);
      const widget = page.locator("stile-captcha");
      assert.deepEqual(
        [await widget.getAttribute("size"), await widget.getAttribute("action"), await widget.getAttribute("cdata")],
        ["flexible", "login", 'a"b'],
      );
      await says(page, "#page-code", new RegExp(`theme="${theme}" size="flexible" action="login" cdata="a&quot;b"`));
      assert.equal(await page.locator("#c-theme").inputValue(), theme);
    });
  });
}

test("choosing and applying loads the page with that widget, by keyboard alone", async () => {
  await visit("", async ({ page }) => {
    await page.locator("#c-language").focus();
    await page.keyboard.type("de: D");
    await page.locator("#c-execution").focus();
    await page.keyboard.press("ArrowDown");
    await page.locator("#c-more").focus();
    await page.keyboard.type("tabindex=0 onclick=alert(1)");
    await page.keyboard.press("Enter");
    await page.waitForURL(/language=de&execution=render/);
    await says(page, "#h-more", /Left out: onclick\./);
    const widget = page.locator("stile-captcha");
    assert.deepEqual([await widget.getAttribute("tabindex"), await widget.getAttribute("onclick")], ["0", null]);
    await page
      .getByText("Bestätigen Sie, dass Sie ein Mensch sind")
      .or(page.getByText("Wird geprüft"))
      .first()
      .waitFor();
    await says(page, "#log", /state: solving/);
  });
});

test("mode invisible hides the widget once it knows, and mode interactive asks for a click", async () => {
  await visit("mode=invisible", async ({ page }) => {
    await pressByHand(page, "#name");
    await waitForState(page, "verified");
    assert.equal(await page.locator("stile-captcha button").isVisible(), false);
  });
  await visit("mode=interactive", async ({ page }) => {
    await pressByHand(page, "#name");
    await waitForState(page, "interactive");
    await pressByHand(page, "stile-captcha button");
    await waitForState(page, "verified");
    await pressByHand(page, "#form .primary");
    await says(page, "#outcome", /^Passed/);
  });
});

test("a program gets no token by a mode that never asks, where the demo's site asks it", async () => {
  const automated = await launchAutomatedBrowser();
  try {
    for (const mode of ["", "non_interactive", "invisible"]) {
      const context = await automated.newContext();
      const { page } = await openPage(context, `${service.baseUrl}/playground?mode=${mode}`);
      await page.locator("#form .primary").click();
      await page.waitForFunction(
        () => {
          const widget = document.querySelector("stile-captcha") as (Element & { state?: string }) | null;
          return /^(verified|interactive|error)$/.test(widget?.state ?? "");
        },
        undefined,
        NOW_AND_THEN,
      );
      assert.equal(await tokenOf(page), "", mode);
      await context.close();
    }
  } finally {
    await automated.close();
  }
});

for (const [failure, name] of [
  ["wrong_key", "sitekey_unknown"],
  ["wrong_host", "hostname_not_allowed"],
  ["rate_limited", "rate_limited"],
  ["blocked", "blocked_by_policy"],
] as const) {
  test(`failure ${failure} ends in the error ${name}`, async () => {
    await visit(`failure=${failure}&execution=render`, async ({ page }) => {
      await pressByHand(page, "#name");
      await waitForState(page, "error");
      await says(page, "#log", new RegExp(`name: ${name}`));
      assert.equal(await page.locator("stile-captcha [role=status]").isVisible(), true);
    });
  });
}

test("failure away is an outage: the form goes without a token and is refused by its server; with block it waits", async () => {
  await visit("failure=away", async ({ page }) => {
    await pressByHand(page, "#name");
    await waitForState(page, "error");
    await says(page, "#log", /name: network/);
    await pressByHand(page, "#form .primary");
    await says(page, "#outcome", /^Refused: missing_token/);
  });
  await visit("failure=away&on-unavailable=block", async ({ page }) => {
    await pressByHand(page, "#name");
    await waitForState(page, "error");
    assert.equal(await page.evaluate(() => new FormData(document.forms[0]).get("stile-response")), "pending");
  });
});

test("failure slow holds up challenge and verdict by two seconds each, and ends well", async () => {
  await visit("failure=slow", async ({ page }) => {
    await send(page);
    await says(page, "#outcome", /^Passed/);
    for (const span of ["loading", "verifying"]) {
      const text = (await page.locator(`[data-span=${span}]`).textContent()) ?? "";
      assert.ok(Number.parseInt(text.replace(/,/g, ""), 10) > 1900, `${span}: ${text}`);
    }
  });
});

test("failure used_twice passes once, failure expired not at all", async () => {
  await visit("failure=used_twice", async ({ page }) => {
    await send(page);
    await says(page, "#outcome", /^Passed.* Again: Refused: token_already_used\.$/);
  });
  await visit("failure=expired", async ({ page }) => {
    await send(page);
    await says(page, "#outcome", /^Refused: token_expired\.$/);
  });
});

test("without JavaScript it says so, and the form goes all the same", async () => {
  await visit(
    "",
    async ({ page }) => {
      await says(page, "#form .note", /^JavaScript is off here/);
      await page.locator("#form .primary").click();
      await says(page, ".lead", /^The form came without a token/);
    },
    { javaScriptEnabled: false },
  );
});

for (const colorScheme of ["light", "dark"] as const) {
  for (const width of [1280, 320]) {
    test(`axe finds nothing and nothing is cut off, ${colorScheme}, ${width} px wide`, async () => {
      for (const query of [
        "",
        "theme=contrast&failure=wrong_key&execution=render&more=onclick%3d1",
        "mode=interactive",
      ]) {
        const options = { colorScheme, viewport: { width, height: 800 }, bypassCSP: true };
        await visit(
          query,
          async ({ page }) => {
            await page.locator("stile-captcha button").waitFor();
            await page.addScriptTag({ content: AXE });
            const found = await page.evaluate(async () => {
              const { axe } = globalThis as unknown as { axe: { run: (options: object) => Promise<AxeResults> } };
              const { violations } = await axe.run({ resultTypes: ["violations"] });
              return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(" ")}`));
            });
            assert.deepEqual(found, []);
            assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
          },
          options,
        );
      }
    });
  }
}
