import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { BehaviourSignals } from "@stile/protocol/signals";
import { launchVisitorBrowser, tokenOf, waitForState } from "@stile/testkit/browser/browser";
import { type StrictPageOptions, serveStrictPage } from "@stile/testkit/browser/strict-page";
import { type PageVisit, visitPage } from "@stile/testkit/browser/visit-page";
import { pressByHand } from "@stile/testkit/browser/visitor-hand";
import { redeem } from "@stile/testkit/service/redeem";
import { type RunningService, startService } from "@stile/testkit/service/service";
import type { Browser, Page } from "playwright-core";

let service: RunningService;
let browser: Browser;

before(async () => {
  [service, browser] = await Promise.all([
    startService({ STILE_LIMIT_CHALLENGE: "1000" }),
    launchVisitorBrowser(),
  ]);
});

after(async () => {
  await browser?.close();
  await service?.dispose();
});

/** Visits a customer's strict page on another origin than the service's. */
async function visitShop(
  options: Partial<StrictPageOptions> & { readonly host?: string },
  use: (visit: PageVisit) => Promise<void>,
): Promise<void> {
  const { host = "localhost", ...rest } = options;
  const shop = await serveStrictPage({
    base: service.baseUrl,
    attributes: `sitekey="${service.siteKey}"`,
    ...rest,
  });
  try {
    await visitPage(browser, shop.urlOn(host), use);
  } finally {
    await shop.stop();
  }
}

/** The text of an element, whether or not it is visible. */
const textOf = async (page: Page, selector: string): Promise<string> =>
  (await page.locator(selector).textContent()) ?? "";

/** The announcement, once there is one: the widget first fetches the texts of rare errors. */
async function statusText(page: Page, widget: string): Promise<string> {
  const status = page.locator(widget).locator("[role=status]");
  await status.filter({ hasText: /\S/ }).waitFor({ state: "attached" });
  return (await status.textContent()) ?? "";
}

test("one origin, 320 px wide: the demo", async (t) => {
  await visitPage(
    browser,
    `${service.baseUrl}/demo`,
    async ({ page, complaints }) => {
      await t.test("light and dark follow the system, and the attribute overrides it", async () => {
        const seen: Record<string, string> = {};
        const look = async (name: string): Promise<void> => {
          for (const colorScheme of ["light", "dark"] as const) {
            await page.emulateMedia({ colorScheme });
            seen[`${colorScheme}${name}`] = await page
              .locator("stile-captcha .box")
              .evaluate((box) => getComputedStyle(box).backgroundColor);
          }
        };
        await look("");
        await page
          .locator("stile-captcha")
          .evaluate((element) => element.setAttribute("theme", "dark"));
        await look(", theme dark");
        const [light, dark] = ["rgb(255, 255, 255)", "rgb(27, 35, 32)"];
        assert.deepEqual(seen, {
          light,
          "light, theme dark": dark,
          dark,
          "dark, theme dark": dark,
        });
      });

      await t.test(
        "nothing moves when the widget starts, works and finishes, and 320 px are wide enough",
        async () => {
          const height = (): Promise<number> =>
            page.locator("stile-captcha").evaluate((one) => one.clientHeight);
          const before = await height();
          await pressByHand(page, "#email");
          await page.keyboard.type("ada@example.org");
          await waitForState(page, "verified");
          assert.equal(await height(), before);
          assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320);
        },
      );

      await t.test("the token is redeemed, and refused the second time (spec 2.5.1)", async () => {
        await pressByHand(page, "button.primary");
        await page.waitForURL("**/demo/submit");
        assert.equal(await textOf(page, "h1"), "Verified");
        assert.match(await textOf(page, "#answer"), /^HTTP 200\n.*"verified": true/s);
        await page.getByRole("button", { name: "Send the same token again" }).click();
        await page.waitForFunction(() => document.querySelector("h1")?.textContent === "Refused");
        assert.match(await textOf(page, "#answer"), /"reasonCode": "token_already_used"/);
        assert.deepEqual(complaints, []);
      });
    },
    { viewport: { width: 320, height: 800 } },
  );
});

/** The behaviour that the page reports in its next submission. */
async function nextBehaviour(page: Page): Promise<BehaviourSignals> {
  const { signals } = (await page.waitForRequest(/\/api\/v1\/verify$/)).postDataJSON();
  return JSON.parse(Buffer.from(signals.behaviour, "base64url").toString());
}

test("two origins: a page under the strict policy and Trusted Types", async (t) => {
  const attributes = `sitekey="${service.siteKey}" action="login" cdata="order-7"`;
  await visitShop({ attributes }, async ({ page, complaints }) => {
    await t.test(
      "the work is submitted automatically once the visitor has been observed for three seconds",
      async () => {
        const behaviour = nextBehaviour(page);
        await pressByHand(page, "input");
        const { durationMs, solveMs } = await behaviour;
        assert.ok(
          durationMs >= 3000 && solveMs !== null && solveMs < durationMs,
          `${solveMs} of ${durationMs} ms`,
        );
        await waitForState(page, "verified");
      },
    );

    await t.test(
      "the page has a token with its own report of itself, and no policy report at all (D8, challenge; D9, submission)",
      async () => {
        const { status, body } = await redeem(service, await tokenOf(page));
        assert.equal(status, 200);
        const { verified, hostname, action, cdata } = body.data;
        assert.deepEqual(
          { verified, hostname, action, cdata },
          {
            verified: true,
            hostname: "localhost",
            action: "login",
            cdata: "order-7",
          },
        );
        assert.equal(
          (await redeem(service, await tokenOf(page))).body.reasonCode,
          "token_already_used",
        );
        assert.deepEqual(complaints, []);
      },
    );

    await t.test(
      "stile.collect() gives an envelope of three parts for POST /score (D7, score request)",
      async () => {
        await page.mouse.move(50, 60, { steps: 5 });
        const envelope = await page.evaluate(() =>
          (
            window as unknown as { readonly stile: { collect: () => Promise<string> } }
          ).stile.collect(),
        );
        const parts = envelope.split(".");
        assert.equal(parts.length, 3);
        const [environment, behaviour] = parts
          .slice(1)
          .map((part) => JSON.parse(Buffer.from(part, "base64url").toString()));
        assert.equal(environment.v, 2);
        for (const place of ["blank", "frame", "worker"]) {
          assert.equal(environment[place]?.userAgent, environment.userAgent, `${place} has spoken`);
        }
        assert.deepEqual(
          [environment.natives, behaviour.callers],
          [[], []],
          "the collectors find nothing of their own",
        );
        assert.ok(behaviour.pointer.length >= 1);
        assert.deepEqual(complaints, []);
      },
    );
  });
});

test("a form sent before the widget has begun waits for the token and is then sent automatically", async () => {
  await visitShop({}, async ({ page }) => {
    await page.locator("input").evaluate((input: HTMLInputElement) => {
      input.value = "Ada";
    });
    const sent = page.waitForRequest(/\/sent\?/);
    await pressByHand(page, "#send");
    const fields = new URL((await sent).url()).searchParams;
    assert.equal(fields.get("name"), "Ada");
    assert.equal(
      (await redeem(service, fields.get("stile-response") ?? "")).body.data.verified,
      true,
    );
  });
});

test("a form that lacks more than the token", async (t) => {
  await visitShop({}, async ({ page }) => {
    await t.test("is not sent without the visitor's knowledge", async () => {
      let isSent = false;
      page.on("request", (request) => {
        isSent ||= request.url().includes("/sent");
      });
      await pressByHand(page, "#send");
      await waitForState(page, "verified");
      assert.equal(
        await page.evaluate(() => document.querySelector("form")?.checkValidity()),
        false,
      );
      assert.equal(isSent, false);
    });

    await t.test("loses its token with a reset, and the next touch earns another", async () => {
      const first = await tokenOf(page);
      await page.evaluate(() => document.querySelector("form")?.reset());
      assert.equal(await tokenOf(page), "");
      await page.keyboard.type("a");
      await waitForState(page, "verified");
      assert.notEqual(await tokenOf(page), first);
    });
  });
});

for (const [way, aim] of [
  ["pointer", (page: Page) => page.hover("#send")],
  ["focus", (page: Page) => page.focus("#send")],
] as const) {
  test(`finished work waits, and is submitted as soon as the ${way} comes to the submit button`, async () => {
    await visitShop({}, async ({ page }) => {
      // So that no wait of seconds ends, however slow this machine is: only aiming at the button
      // can.
      await page.evaluate(() => {
        const later = window.setTimeout.bind(window);
        window.setTimeout = ((work: () => void, ms = 0) =>
          ms > 1000 ? 0 : later(work, ms)) as typeof setTimeout;
      });
      const behaviour = nextBehaviour(page);
      await page.focus("input");
      await waitForState(page, "verifying");
      await page.keyboard.type("Ada");
      await aim(page);
      const { keys } = await behaviour;
      assert.equal(
        keys.filter(([, isDown]) => isDown === 1).length,
        3,
        "input after the work is reported, too",
      );
    });
  });
}

test("mistakes of a page are explained in words", async (t) => {
  // Chromium resolves every name below localhost; "[::1]" is another name of this machine;
  // "0.0.0.0" is on no list.
  const wrong = { host: "0.0.0.0", attributes: 'sitekey="pk_0000000000000000000000"' };
  const below = `<stile-captcha id="elsewhere" sitekey="${service.siteKey}"></stile-captcha>`;
  await visitShop({ ...wrong, below }, async ({ page }) => {
    await page.focus("input");

    await t.test(
      "an unknown site key shows the request's id and does not promise that a retry helps (spec 7.1)",
      async () => {
        await waitForState(page, "error");
        const text = await statusText(page, "stile-captcha >> nth=0");
        assert.match(text, /This site key does not exist\./);
        assert.match(text, /Request ID: \S+/);
        assert.equal(
          await page.getByRole("button", { name: "Not verified" }).first().isEnabled(),
          true,
        );
      },
    );

    await t.test("a host that the site does not list is named (D8, challenge)", async () => {
      assert.match(await statusText(page, "#elsewhere"), /not allowed on 0\.0\.0\.0\./);
    });
  });
});
