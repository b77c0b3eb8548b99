import {
  launchVisitorBrowser,
  newVisitor,
  openPage,
  waitForState,
} from "@stile/testkit/browser/browser";
import {
  documentWith,
  FOREIGN_MARK,
  INJECTIONS,
  serveForeignCode,
  serveNoncePage,
} from "@stile/testkit/browser/foreign-code";
import { startService } from "@stile/testkit/service/service";
import type { Trial } from "@stile/testkit/trials/trial";
import type { Browser } from "playwright-core";

/**
 * How long foreign code may take to arrive before it counts as kept out, ms; if it runs, that takes
 * well under 1 s.
 */
const PATIENCE_MS = 3000;

/** Whether foreign code ran in the document. */
async function doesForeignCodeRun(
  browser: Browser,
  base: string,
  document: string,
): Promise<boolean> {
  const shop = await serveNoncePage(base, document);
  const context = await newVisitor(browser);
  try {
    const { page } = await openPage(context, shop.url);
    const mark = page.locator(`html[${FOREIGN_MARK}]`);
    return await mark.waitFor({ state: "attached", timeout: PATIENCE_MS }).then(
      () => true,
      () => false,
    );
  } finally {
    await context.close();
    await shop.stop();
  }
}

/**
 * Whether a visitor of an untouched page is verified, since a widget that does nothing would keep
 * everybody out.
 */
async function isHonestVisitorVerified(
  browser: Browser,
  base: string,
  siteKey: string,
): Promise<boolean> {
  const script = `<script NONCE src="${base}/stile.js" async></script>`;
  const after = `<stile-captcha sitekey="${siteKey}" execution="render"></stile-captcha>`;
  const shop = await serveNoncePage(base, documentWith({ script, after }));
  const context = await newVisitor(browser);
  try {
    const { page } = await openPage(context, shop.url);
    await page.mouse.move(90, 70);
    await waitForState(page, "verified");
    return true;
  } catch {
    return false;
  } finally {
    await context.close();
    await shop.stop();
  }
}

/**
 * Markup alone, under a nonce policy with Trusted Types, makes the widget load code of another
 * host.
 */
export const foreignEndpoint: Trial = {
  name: "foreign-endpoint",
  tries:
    "puts markup into customers' pages that makes the widget run code of another host, past the pages' policy",
  run: async (say) => {
    const [service, browser, foreign] = await Promise.all([
      startService(),
      launchVisitorBrowser(),
      serveForeignCode(),
    ]);
    try {
      const { baseUrl: base, siteKey } = service;
      let ran = 0;
      for (const { name, document } of INJECTIONS) {
        say(name);
        if (
          await doesForeignCodeRun(
            browser,
            base,
            document({ base, siteKey, foreign: foreign.origin }),
          )
        )
          ran += 1;
      }
      const isServed = await isHonestVisitorVerified(browser, base, siteKey);
      return [
        { name: "ways that were tried", value: INJECTIONS.length, unit: "" },
        {
          name: "ways that ran foreign code",
          value: ran,
          unit: "",
          bound: { kind: "at_most", value: 0 },
        },
        {
          name: "requests to the foreign host",
          value: foreign.asked.length,
          unit: "",
          bound: { kind: "at_most", value: 0 },
        },
        {
          name: "honest visitors verified",
          value: isServed ? 100 : 0,
          unit: "%",
          bound: { kind: "at_least", value: 100 },
        },
      ];
    } finally {
      await browser.close();
      await foreign.stop();
      await service.dispose();
    }
  },
};
