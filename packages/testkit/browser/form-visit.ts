import { after } from "node:test";
import type { Page } from "playwright-core";
import { startEasyService } from "../service/easy-service.ts";
import type { RunningService } from "../service/service.ts";
import { launchVisitorBrowser, NOW_AND_THEN } from "./browser.ts";
import { type FormPage, serveFormPage } from "./form-page.ts";
import type { VisitOptions } from "./visit-page.ts";
import { visitWidget, type WidgetVisit } from "./widget-visit.ts";

/** A visit to a customer's form. */
export type FormVisit = WidgetVisit & { readonly shop: FormPage };

/** Visits a page once the widget's script has run; `query` goes into the script's address. */
type VisitForm = (
  markup: string,
  use: (visit: FormVisit) => Promise<void>,
  query?: string,
) => Promise<void>;

/** A service and a browser for the tests of a file. */
type Forms = {
  readonly service: RunningService;
  /** Visits a form with a name, the markup, `#send` and `#other`. */
  readonly visit: VisitForm;
  /** Visits a page with that body. */
  readonly visitBody: VisitForm;
};

/**
 * Starts the service and browser for the tests of a file, and closes them afterwards; each visit
 * uses `options`.
 */
export async function openForms(options: VisitOptions = {}): Promise<Forms> {
  const [service, browser] = await Promise.all([startEasyService(), launchVisitorBrowser()]);
  after(async () => {
    await browser.close();
    await service.dispose();
  });
  const visitBody: VisitForm = async (body, use, query) => {
    const shop = await serveFormPage(service.baseUrl, body, query);
    await visitWidget(browser, shop, (visit) => use({ ...visit, shop }), options);
  };
  const visit: VisitForm = (inside, use, query) => visitBody(formAround(inside), use, query);
  return { service, visit, visitBody };
}

const formAround = (inside: string): string =>
  `<form action="/sent" method="post"><input id="name" name="name" value="Ada">${inside}
<button id="send">Send</button> <button id="other" type="button">Other</button></form>`;

type ScriptedWindow = { readonly got: unknown[] };

/** A script of the page, which can put its results into `got`. */
export const pageScript = (text: string): string => `<script>globalThis.got = [];${text}</script>`;

/**
 * A script of a page on which the widget's observation never times out: it waits for an action of
 * the visitor.
 */
export const WATCHED_WITHOUT_LIMIT = `const real = setTimeout;
globalThis.setTimeout = (work, ms) => ms > 2_000 && ms <= 3_000 ? 0 : real(work, ms);`;

/** Waits until `got` has that many results. */
export async function given(page: Page, count: number): Promise<readonly unknown[]> {
  await page.waitForFunction(
    (least) => (window as unknown as ScriptedWindow).got.length >= least,
    count,
    NOW_AND_THEN,
  );
  return page.evaluate(() => (window as unknown as ScriptedWindow).got);
}
