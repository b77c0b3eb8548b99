// The playground in a real browser: each look, each mode, and each failure through its own cause.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";
import {
  launchAutomatedBrowser,
  launchPageBrowser,
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
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

let service: RunningService;
/** Visitors have this one, whose visits are judged. */
let browser: Browser;
/** Only looks at pages. */
let looking: Browser;

before(async () => {
  [service, browser, looking] = await Promise.all([
    startService({ STILE_LIMIT_CHALLENGE: "1000" }),
    launchVisitorBrowser(),
    launchPageBrowser(),
  ]);
});

after(async () => {
  await browser?.close();
  await looking?.close();
  await service?.dispose();
});

type Visit = {
  readonly page: Page;
  readonly complaints: readonly string[];
  /** Loads the playground with other choices. */
  readonly choose: (query: string) => Promise<unknown>;
};

/** Visits the playground; nothing that one set of choices did is left in the page of the next. */
async function visit(opened: Promise<BrowserContext>, use: (visit: Visit) => Promise<void>): Promise<void> {
  const context = await opened;
  try {
    const address = `${service.baseUrl}/playground`;
    const { page, complaints } = await openPage(context, address);
    await use({ page, complaints, choose: (query) => page.goto(`${address}?${query}`) });
  } finally {
    await context.close();
  }
}

const look = (use: (visit: Visit) => Promise<void>, options?: BrowserContextOptions): Promise<void> =>
  visit(newVisitor(looking, options), use);

const says = (page: Page, selector: string, text: RegExp): Promise<void> =>
  page.locator(selector).filter({ hasText: text }).waitFor();

/** Touches the form and sends it, and waits for the widget. */
async function send(page: Page): Promise<void> {
  await pressByHand(page, "#name");
  await waitForState(page, "verified");
  await pressByHand(page, "#form .primary");
}

test("forms that are sent", async (t) => {
  await visit(newVisitor(browser), async ({ page, complaints, choose }) => {
    await t.test("events with their times, the speed, the work and what its server was told are shown", async () => {
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

    await t.test("failure slow holds up challenge and verdict by two seconds each, and ends well", async () => {
      await choose("failure=slow");
      await send(page);
      await says(page, "#outcome", /^Passed/);
      for (const span of ["loading", "verifying"]) {
        const text = (await page.locator(`[data-span=${span}]`).textContent()) ?? "";
        assert.ok(Number.parseInt(text.replace(/,/g, ""), 10) > 1900, `${span}: ${text}`);
      }
    });

    await t.test("mode invisible hides the widget once it knows; failure expired passes not at all", async () => {
      await choose("mode=invisible&failure=expired");
      await pressByHand(page, "#name");
      await waitForState(page, "verified");
      assert.equal(await page.locator("stile-captcha button").isVisible(), false);
      await pressByHand(page, "#form .primary");
      await says(page, "#outcome", /^Refused: token_expired\.$/);
    });

    await t.test("mode interactive asks for a click; failure used_twice passes once", async () => {
      await choose("mode=interactive&failure=used_twice");
      await pressByHand(page, "#name");
      await waitForState(page, "interactive");
      await pressByHand(page, "stile-captcha button");
      await waitForState(page, "verified");
      await pressByHand(page, "#form .primary");
      await says(page, "#outcome", /^Passed.* Again: Refused: token_already_used\.$/);
    });
  });
});

test("failures of the widget", async (t) => {
  await visit(newVisitor(browser), async ({ page, choose }) => {
    for (const [failure, name] of [
      ["wrong_key", "sitekey_unknown"],
      ["wrong_host", "hostname_not_allowed"],
      ["rate_limited", "rate_limited"],
      ["blocked", "blocked_by_policy"],
    ] as const) {
      await t.test(`failure ${failure} ends in the error ${name}`, async () => {
        await choose(`failure=${failure}&execution=render`);
        await pressByHand(page, "#name");
        await waitForState(page, "error");
        await says(page, "#log", new RegExp(`name: ${name}`));
        assert.equal(await page.locator("stile-captcha [role=status]").isVisible(), true);
      });
    }

    await t.test("failure away is an outage: the form goes without a token and is refused by its server", async () => {
      await choose("failure=away");
      await pressByHand(page, "#name");
      await waitForState(page, "error");
      await says(page, "#log", /name: network/);
      await pressByHand(page, "#form .primary");
      await says(page, "#outcome", /^Refused: missing_token/);
    });

    await t.test("failure away with block: the form waits", async () => {
      await choose("failure=away&on-unavailable=block");
      await pressByHand(page, "#name");
      await waitForState(page, "error");
      assert.equal(await page.evaluate(() => new FormData(document.forms[0]).get("stile-response")), "pending");
    });
  });
});

test("a program that does not hide", async (t) => {
  const automated = await launchAutomatedBrowser();
  try {
    await visit(automated.newContext(), async ({ page, choose }) => {
      await t.test("gets no token, and is told so with an id (D9, next: blocked)", async () => {
        await pressByHand(page, "#name");
        await waitForState(page, "error");
        await says(page, "stile-captcha [role=status]", /could not be verified.*Request id: \S+/s);
        assert.equal(await tokenOf(page), "");
      });

      for (const mode of ["non_interactive", "invisible"]) {
        await t.test(`gets none by mode ${mode} either, which never asks, where the demo's site asks it`, async () => {
          await choose(`mode=${mode}`);
          await page.locator("#form .primary").click();
          await page.waitForFunction(
            () => {
              const widget = document.querySelector("stile-captcha") as (Element & { state?: string }) | null;
              return /^(verified|interactive|error)$/.test(widget?.state ?? "");
            },
            undefined,
            NOW_AND_THEN,
          );
          assert.equal(await tokenOf(page), "");
        });
      }
    });
  } finally {
    await automated.close();
  }
});

test("choices", async (t) => {
  await look(async ({ page, choose }) => {
    for (const theme of ["auto", "light", "dark", "contrast"]) {
      await t.test(`theme ${theme} is what the widget has, and what the lines to copy say`, async () => {
        await choose(`theme=${theme}&size=flexible&action=login&cdata=a%22b`);
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
    }

    await t.test("choosing and applying loads the page with that widget, by keyboard alone", async () => {
      await choose("");
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
});

test("without JavaScript it says so, and the form goes all the same", async () => {
  await look(
    async ({ page }) => {
      await says(page, "#form .note", /^JavaScript is off here/);
      await page.locator("#form .primary").click();
      await says(page, ".lead", /^The form came without a token/);
    },
    { javaScriptEnabled: false },
  );
});

function findViolations(page: Page): Promise<readonly string[]> {
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: { run: (options: object) => Promise<AxeResults> } };
    const { violations } = await axe.run({ resultTypes: ["violations"] });
    return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(" ")}`));
  });
}

for (const query of ["", "theme=contrast&failure=wrong_key&execution=render&more=onclick%3d1", "mode=interactive"]) {
  test(`axe finds nothing and nothing is cut off: ?${query}`, async (t) => {
    await look(
      async ({ page, choose }) => {
        await choose(query);
        await page.locator("stile-captcha button").waitFor();
        await page.evaluate(AXE);
        for (const colorScheme of ["light", "dark"] as const) {
          for (const width of [1280, 320]) {
            await t.test(`${colorScheme}, ${width} px wide`, async () => {
              await page.emulateMedia({ colorScheme });
              await page.setViewportSize({ width, height: 800 });
              assert.deepEqual(await findViolations(page), []);
              assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
            });
          }
        }
      },
      { bypassCSP: true },
    );
  });
}
