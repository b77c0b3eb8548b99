import { after } from "node:test";
import type { Browser, Page } from "playwright-core";
import { type RunningService, startService } from "../service/service.ts";
import { launchVisitorBrowser, NOW_AND_THEN } from "./browser.ts";
import { type FormPage, serveFormPage } from "./form-page.ts";
import { type VisitOptions, visitPage } from "./visit-page.ts";

/** A visit to a customer's form. */
export type FormVisit = {
  readonly page: Page;
  readonly shop: FormPage;
  readonly complaints: readonly string[];
  /** Paths that the page has requested from the service. */
  readonly asked: readonly string[];
};

/**
 * Visits a form with a name, `inside`, `#send` and `#other`, once the widget's script has run; `query` goes into the
 * script's address.
 */
type VisitForm = (inside: string, use: (visit: FormVisit) => Promise<void>, query?: string) => Promise<void>;

/** A service and a browser for the tests of a file, closed after them; each visit is made with `options`. */
export async function openForms(
  options: VisitOptions = {},
): Promise<{ readonly service: RunningService; readonly visit: VisitForm }> {
  const [service, browser] = await Promise.all([
    startService({ STILE_LIMIT_CHALLENGE: "1000" }),
    launchVisitorBrowser(),
  ]);
  after(async () => {
    await browser.close();
    await service.dispose();
  });
  return { service, visit: (inside, use, query) => visitForm(service, browser, { inside, query, ...options }, use) };
}

type Form = VisitOptions & { readonly inside: string; readonly query: string | undefined };

async function visitForm(
  service: RunningService,
  browser: Browser,
  { inside, query, ...options }: Form,
  use: (visit: FormVisit) => Promise<void>,
): Promise<void> {
  const shop = await serveFormPage(
    service.baseUrl,
    `<form action="/sent" method="post"><input id="name" name="name" value="Ada">${inside}
<button id="send">Send</button> <button id="other" type="button">Other</button></form>`,
    query,
  );
  const asked: string[] = [];
  const prepare = (page: Page): unknown =>
    page.on("request", (request) => {
      if (request.url().startsWith(service.baseUrl)) asked.push(new URL(request.url()).pathname);
    });
  try {
    await visitPage(
      browser,
      shop.url,
      async ({ page, complaints }) => {
        await page.waitForFunction(() => customElements.get("stile-captcha") !== undefined);
        await use({ page, shop, complaints, asked });
      },
      { ...options, prepare },
    );
  } finally {
    await shop.stop();
  }
}

type ScriptedWindow = { readonly got: unknown[] };

/** A script of the page, which can put its results into `got`. */
export const pageScript = (text: string): string => `<script>globalThis.got = [];${text}</script>`;

/** A script of a page on which the time for which the widget watches never ends by itself: it waits until somebody does. */
export const WATCHED_FOR_EVER = `const real = setTimeout;
globalThis.setTimeout = (work, ms) => ms > 2_000 && ms <= 3_000 ? 0 : real(work, ms);`;

/** Waits until `got` has that many results. */
export async function given(page: Page, count: number): Promise<readonly unknown[]> {
  await page.waitForFunction((least) => (window as unknown as ScriptedWindow).got.length >= least, count, NOW_AND_THEN);
  return page.evaluate(() => (window as unknown as ScriptedWindow).got);
}
