import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { DEFAULT_THRESHOLDS } from "@stile/protocol/limits";
import type { BrowserEngine, EnginePage } from "@stile/testkit/browser/engines/engine";
import {
  KEYS,
  pressByMouse,
  pressKeys,
  readWhole,
  tokenOf,
  waitForState,
  waitForWords,
} from "@stile/testkit/browser/engines/engine-hand";
import {
  serveWatchedShop,
  type WatchedShop,
  type WatchedShopOptions,
} from "@stile/testkit/browser/engines/watched-shop";
import { OWNER } from "@stile/testkit/releases/owner";
import { changeSite } from "@stile/testkit/service/operator-site";
import { redeem } from "@stile/testkit/service/redeem";
import { runStile } from "@stile/testkit/service/run-command";
import { type RunningService, startService } from "@stile/testkit/service/service";

/**
 * A driver sets `navigator.webdriver`, and that alone would block the visit. These thresholds let
 * it pass. Everything else is as served.
 */
const LENIENT = { challenge: 0.99, block: 1 } as const;

type Visit = { readonly page: EnginePage; readonly shop: WatchedShop };

/** Tests a visitor's core journeys in an engine, with the input of its driver. */
export function testCoreJourneys(start: () => Promise<BrowserEngine>): void {
  let service: RunningService;
  let engine: BrowserEngine;
  let page: EnginePage;

  before(async () => {
    // One after the other: if the engine does not start, `service` is already set and can be
    // stopped.
    service = await startService({ STILE_LIMIT_CHALLENGE: "1000" });
    engine = await start();
    page = await engine.openPage();
    await changeSite(service, { thresholds: LENIENT });
  });

  after(async () => {
    await engine?.[Symbol.asyncDispose]();
    await service?.dispose();
  });

  /**
   * Visits a form on an origin of its own, in the one window. Fails if the page reported an error.
   */
  async function visit(
    options: Partial<WatchedShopOptions>,
    use: (visit: Visit) => Promise<void>,
  ): Promise<void> {
    await using shop = await serveWatchedShop({
      base: service.baseUrl,
      siteKey: service.siteKey,
      ...options,
    });
    const complained = page.complaints().length;
    await page.goto(shop.url);
    await use({ page, shop });
    assert.deepEqual([page.complaints().slice(complained), shop.reports], [[], []]);
  }

  /**
   * Sends the form with `send` and lets the service verify its token. Fails if the page reported an
   * error.
   */
  async function verifySent({ page, shop }: Visit, send: () => Promise<void>): Promise<unknown> {
    const { complaints, isFramed } = await page.evaluate(() => ({
      complaints: (window as unknown as { readonly complaints: readonly string[] }).complaints,
      isFramed: performance
        .getEntriesByType("resource")
        .every(({ name }) => !name.includes("solver-fallback")),
    }));
    assert.deepEqual(
      [complaints, isFramed],
      [[], true],
      "no complaints, and the work done in the frame",
    );
    const sent = shop.nextSent();
    await send();
    const fields = await sent;
    const { body } = await redeem(service, fields.get("stile-response") ?? "");
    return { verified: body.data.verified, reason: body.reasonCode, name: fields.get("name") };
  }

  const isDefined = ({ page }: Visit): Promise<boolean> =>
    page.evaluate(() => customElements.whenDefined("stile-captcha").then(() => true));

  async function earnByKeys(here: Visit): Promise<void> {
    const { page } = here;
    await isDefined(here);
    await pressKeys(page, KEYS.tab, ..."Ada", KEYS.tab);
    const focused = await page.evaluate(
      () => document.activeElement?.shadowRoot?.activeElement?.tagName,
    );
    assert.equal(focused, "BUTTON");
    await pressKeys(page, KEYS.space);
    await waitForState(page, "verified");
  }

  const sendByKeys = (here: Visit): Promise<unknown> =>
    verifySent(here, () => pressKeys(here.page, KEYS.tab, KEYS.enter));

  test("the keyboard alone earns a token and sends the form, under the strictest policy (WCAG 2.1.1)", async () => {
    await visit({ isStrict: true }, async (here) => {
      await earnByKeys(here);
      assert.deepEqual(await sendByKeys(here), { verified: true, reason: undefined, name: "Ada" });
    });
  });

  test("the keyboard earns a token and sends the form on an Arabic page, with the widget from right to left", async () => {
    await visit({ language: "ar" }, async (here) => {
      await earnByKeys(here);
      const { direction, said, isFromTheRight } = await here.page.evaluate(() => {
        const button = document.querySelector("stile-captcha")?.shadowRoot?.querySelector("button");
        const mark = button?.querySelector("svg")?.getBoundingClientRect();
        const box = button?.getBoundingClientRect();
        return {
          direction: button && getComputedStyle(button).direction,
          said: button?.textContent ?? "",
          isFromTheRight: mark && box && mark.left > box.left + box.width / 2,
        };
      });
      assert.deepEqual([direction, isFromTheRight], ["rtl", true]);
      assert.match(said, /^\p{Script=Arabic}/u);
      assert.deepEqual(await sendByKeys(here), { verified: true, reason: undefined, name: "Ada" });
    });
  });

  test("a form sent before the script loads is refused with missing_token; later the widget holds it and sends it (D2, redemption)", async () => {
    await visit({ keepsScriptBack: true }, async (here) => {
      const { page, shop } = here;
      const early = await verifySent(here, () => pressByMouse(page, "#send"));
      assert.deepEqual(early, { verified: false, reason: "missing_token", name: "" });
      await page.goto(shop.url);
      await page.evaluate(() =>
        (window as unknown as { letScriptCome: () => void }).letScriptCome(),
      );
      await isDefined(here);
      const verification = await verifySent(here, () => pressByMouse(page, "#send"));
      assert.deepEqual(verification, { verified: true, reason: undefined, name: "" });
    });
  });

  test("a held form is sent even if its widget moves meanwhile, under the strictest policy", async () => {
    await visit({ isStrict: true }, async (here) => {
      const { page } = here;
      await isDefined(here);
      const verification = await verifySent(here, async () => {
        await pressByMouse(page, "#send");
        await page.evaluate(() => {
          const widget = document.querySelector("stile-captcha") as Element & {
            readonly form: HTMLFormElement | null;
          };
          widget.form?.prepend(widget);
        });
      });
      assert.deepEqual(verification, { verified: true, reason: undefined, name: "" });
    });
  });

  test("a blocked visitor sees the error with the request id", async () => {
    await changeSite(service, { thresholds: DEFAULT_THRESHOLDS });
    await visit({ isStrict: true }, async (here) => {
      await isDefined(here);
      await pressByMouse(here.page, "stile-captcha");
      await waitForState(here.page, "error");
      const words = await waitForWords(here.page, /Request ID: [\w-]+/);
      assert.match(words, /^This visit could not be verified\..*Request ID: [\w-]+$/);
    });
    await changeSite(service, { thresholds: LENIENT });
  });

  test("a visitor who is asked for a press", async (t) => {
    await changeSite(service, { mode: "interactive" });
    await visit({ isStrict: true }, async (here) => {
      const { page } = here;
      await isDefined(here);

      await t.test("earns a token with a mouse press (D9, submission)", async () => {
        await pressByMouse(page, "input");
        await waitForState(page, "interactive");
        await pressByMouse(page, "stile-captcha");
        await waitForState(page, "verified");
      });

      await t.test(
        "loses the token with a reset, and earns another with the next press",
        async () => {
          const first = await tokenOf(page);
          await page.evaluate(() => document.querySelector("form")?.reset());
          assert.equal(await tokenOf(page), "");
          await pressByMouse(page, "stile-captcha");
          await waitForState(page, "verified");
          assert.notEqual(await tokenOf(page), first);
        },
      );

      await t.test("sends the form with the token", async () => {
        await pressByMouse(page, "input");
        await pressKeys(page, ..."Ada");
        const verification = await verifySent(here, () => pressByMouse(page, "#send"));
        assert.deepEqual(verification, { verified: true, reason: undefined, name: "Ada" });
      });
    });
  });

  test("the set-up link signs its user in as the owner, over http on this machine (D16, operator)", async () => {
    const { stdout } = await runStile(["init", "--json"], {
      STILE_DATA_DIR: service.dataDirectory,
    });
    const { setup_url: url } = JSON.parse(stdout) as { readonly setup_url: string };
    await page.goto(`${service.baseUrl}/dashboard/link${new URL(url).hash}`);
    const said = await readWhole(page, "input[type=password]");
    assert.doesNotMatch(said, /can't sign in here/);
    const status = await page.evaluate(
      async (body) => {
        const headers = { "Content-Type": "application/json" };
        return (await fetch("/dashboard/api/link/accept", { method: "POST", headers, body }))
          .status;
      },
      JSON.stringify({ token: new URL(url).hash.slice(1), ...OWNER, name: "Ada" }),
    );
    assert.equal(status, 200);
    await page.goto(`${service.baseUrl}/dashboard/members`);
    assert.match(await readWhole(page, "table"), new RegExp(OWNER.email));
  });
}
