// The playground in a real browser: each look, each mode, and each failure through its own cause.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, before, suite, test } from "node:test";
import {
  launchAutomatedBrowser,
  launchPageBrowser,
  launchVisitorBrowser,
  NOW_AND_THEN,
  openPage,
  tokenOf,
  waitForState,
} from "@stile/testkit/browser/browser";
import { type PageVisit, type VisitOptions, visitPage } from "@stile/testkit/browser/visit-page";
import { pressByHand } from "@stile/testkit/browser/visitor-hand";
import { startEasyService } from "@stile/testkit/service/easy-service";
import type { RunningService } from "@stile/testkit/service/service";
import type { AxeResults } from "axe-core";
import type { Browser, Page } from "playwright-core";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

let service: RunningService;
/** The browser of visitors whose visits are scored. */
let browser: Browser;
/** Only looks at pages. */
let looking: Browser;

before(async () => {
  [service, browser, looking] = await Promise.all([
    startEasyService(),
    launchVisitorBrowser(),
    launchPageBrowser(),
  ]);
});

after(async () => {
  await browser?.close();
  await looking?.close();
  await service?.dispose();
});

/** Visits the playground. */
const visit = (
  visitors: Browser,
  use: (visit: PageVisit) => Promise<void>,
  options?: VisitOptions,
): Promise<void> => visitPage(visitors, `${service.baseUrl}/playground`, use, options);

/** Loads the playground with other choices; nothing of the former page remains. */
const choose = (page: Page, query: string): Promise<unknown> =>
  page.goto(`${service.baseUrl}/playground?${query}`);

const says = (page: Page, selector: string, text: RegExp): Promise<void> =>
  page.locator(selector).filter({ hasText: text }).waitFor();

/** Touches the form and sends it, and waits for the widget. */
async function send(page: Page): Promise<void> {
  await pressByHand(page, "#name");
  await waitForState(page, "verified");
  await pressByHand(page, "#form .primary");
}

function findViolations(page: Page): Promise<readonly string[]> {
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: { run: (options: object) => Promise<AxeResults> };
    };
    const { violations } = await axe.run({ resultTypes: ["violations"] });
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target }) => `${id}: ${target.join(" ")}`),
    );
  });
}

/**
 * Each choice in each theme and at each width; no style of the page or the widget is for both a
 * theme and a width.
 */
const LOOKS = [
  { query: "", light: 1280, dark: 320 },
  {
    query: "theme=contrast&failure=wrong_key&execution=render&more=onclick%3d1",
    light: 320,
    dark: 1280,
  },
  { query: "mode=interactive", light: 1280, dark: 320 },
] as const;

// Most of each visit is a wait, so other visits run meanwhile.
suite("playground", { concurrency: 3 }, () => {
  test("shows what became of a submitted form", async (t) => {
    await visit(browser, async ({ page, complaints }) => {
      await t.test(
        "events with their times, the speed, the work and the server's answer are shown",
        async () => {
          await send(page);
          await says(page, "#outcome", /^Verified/);
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
        },
      );

      await t.test(
        "failure slow delays challenge and verdict by two seconds each, and ends well",
        async () => {
          await choose(page, "failure=slow");
          await send(page);
          await says(page, "#outcome", /^Verified/);
          for (const span of ["loading", "verifying"]) {
            const text = (await page.locator(`[data-span=${span}]`).textContent()) ?? "";
            assert.ok(Number.parseInt(text.replace(/,/g, ""), 10) > 1900, `${span}: ${text}`);
          }
        },
      );

      await t.test(
        "mode invisible hides the widget after the challenge; failure expired never passes",
        async () => {
          await choose(page, "mode=invisible&failure=expired");
          await pressByHand(page, "#name");
          await waitForState(page, "verified");
          assert.equal(await page.locator("stile-captcha button").isVisible(), false);
          await pressByHand(page, "#form .primary");
          await says(page, "#outcome", /^Refused: token_expired\.$/);
        },
      );

      await t.test(
        "mode interactive asks for a click; failure used_twice passes once",
        async () => {
          await choose(page, "mode=interactive&failure=used_twice");
          await pressByHand(page, "#name");
          await waitForState(page, "interactive");
          await pressByHand(page, "stile-captcha button");
          await waitForState(page, "verified");
          await pressByHand(page, "#form .primary");
          await says(page, "#outcome", /^Verified.* Again: Refused: token_already_used\.$/);
        },
      );
    });
  });

  test("the widget shows the failure that the visitor chooses", async (t) => {
    await visit(browser, async ({ page }) => {
      for (const [failure, name] of [
        ["wrong_key", "sitekey_unknown"],
        ["wrong_host", "hostname_not_allowed"],
        ["rate_limited", "rate_limited"],
        ["blocked", "blocked_by_policy"],
      ] as const) {
        await t.test(`failure ${failure} ends in the error ${name}`, async () => {
          await choose(page, `failure=${failure}&execution=render`);
          await pressByHand(page, "#name");
          await waitForState(page, "error");
          await says(page, "#log", new RegExp(`name: ${name}`));
          assert.equal(await page.locator("stile-captcha [role=status]").isVisible(), true);
        });
      }

      await t.test(
        "failure away is an outage: the form is sent without a token and its server refuses it",
        async () => {
          await choose(page, "failure=away");
          await pressByHand(page, "#name");
          await waitForState(page, "error");
          await says(page, "#log", /name: network/);
          await pressByHand(page, "#form .primary");
          await says(page, "#outcome", /^Refused: missing_token/);
        },
      );

      await t.test("failure away with block: the form waits", async () => {
        await choose(page, "failure=away&on-unavailable=block");
        await pressByHand(page, "#name");
        await waitForState(page, "error");
        assert.equal(
          await page.evaluate(() => new FormData(document.forms[0]).get("stile-response")),
          "pending",
        );
      });
    });
  });

  test("a program that does not hide", async (t) => {
    const automated = await launchAutomatedBrowser();
    try {
      const { page } = await openPage(
        await automated.newContext(),
        `${service.baseUrl}/playground`,
      );
      await t.test("gets no token, and sees an error with an id (D9, next: blocked)", async () => {
        await pressByHand(page, "#name");
        await waitForState(page, "error");
        await says(page, "stile-captcha [role=status]", /could not be verified.*Request ID: \S+/s);
        assert.equal(await tokenOf(page), "");
      });

      for (const mode of ["non_interactive", "invisible"]) {
        await t.test(
          `gets no token in mode ${mode} either, which never asks, unlike the demo's site`,
          async () => {
            await choose(page, `mode=${mode}`);
            await page.locator("#form .primary").click();
            await page.waitForFunction(
              () => {
                const widget = document.querySelector("stile-captcha") as
                  | (Element & { state?: string })
                  | null;
                return /^(verified|interactive|error)$/.test(widget?.state ?? "");
              },
              undefined,
              NOW_AND_THEN,
            );
            assert.equal(await tokenOf(page), "");
          },
        );
      }
    } finally {
      await automated.close();
    }
  });

  test("applies the visitor's choices to the widget and the lines to copy", async (t) => {
    await visit(looking, async ({ page }) => {
      for (const theme of ["auto", "light", "dark", "contrast"]) {
        await t.test(`theme ${theme} is set on the widget and in the lines to copy`, async () => {
          await choose(page, `theme=${theme}&size=flexible&action=login&cdata=a%22b`);
          await page.locator("stile-captcha button").waitFor();
          assert.equal(await page.locator("stile-captcha .box").getAttribute("data-theme"), theme);
          const widget = page.locator("stile-captcha");
          assert.deepEqual(
            [
              await widget.getAttribute("size"),
              await widget.getAttribute("action"),
              await widget.getAttribute("cdata"),
            ],
            ["flexible", "login", 'a"b'],
          );
          await says(
            page,
            "#page-code",
            new RegExp(`theme="${theme}" size="flexible" action="login" cdata="a&quot;b"`),
          );
          assert.equal(await page.locator("#c-theme").inputValue(), theme);
        });
      }

      await t.test(
        "the keyboard alone chooses and applies, and the page loads with that widget",
        async () => {
          await choose(page, "");
          await page.locator("#c-language").focus();
          await page.keyboard.type("de: D");
          await page.locator("#c-execution").focus();
          await page.keyboard.press("ArrowDown");
          await page.locator("#c-more").focus();
          await page.keyboard.type("tabindex=0 onclick=alert(1)");
          await page.keyboard.press("Enter");
          await page.waitForURL(/language=de&execution=render/);
          await says(page, "#h-more", /Ignored: onclick\./);
          const widget = page.locator("stile-captcha");
          assert.deepEqual(
            [await widget.getAttribute("tabindex"), await widget.getAttribute("onclick")],
            ["0", null],
          );
          await page
            .getByText("Bestätigen Sie, dass Sie ein Mensch sind")
            .or(page.getByText("Wird geprüft"))
            .first()
            .waitFor();
          await says(page, "#log", /state: solving/);
        },
      );
    });
  });

  test("without JavaScript the page says so, and still sends the form", async () => {
    await visit(
      looking,
      async ({ page }) => {
        await says(page, "#form .note", /^JavaScript is off, so/);
        await page.locator("#form .primary").click();
        await says(page, ".lead", /^The form came without a token/);
      },
      { javaScriptEnabled: false },
    );
  });

  test("axe finds nothing and nothing is cut off", async (t) => {
    await visit(
      looking,
      async ({ page }) => {
        for (const { query, ...widths } of LOOKS) {
          await choose(page, query);
          await page.locator("stile-captcha button").waitFor();
          await page.evaluate(AXE);
          for (const colorScheme of ["light", "dark"] as const) {
            const width = widths[colorScheme];
            await t.test(`?${query}: ${colorScheme}, ${width} px wide`, async () => {
              await page.emulateMedia({ colorScheme });
              await page.setViewportSize({ width, height: 800 });
              assert.deepEqual(await findViolations(page), []);
              assert.ok(
                await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth),
              );
            });
          }
        }
      },
      { bypassCSP: true },
    );
  });
});
