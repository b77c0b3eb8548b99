import type { Browser, Page } from "playwright-core";
import type { RunningService } from "../service/service.ts";
import { newVisitor, openPage } from "./browser.ts";
import { type FormPage, serveFormPage } from "./form-page.ts";

/** A visit to a customer's form. */
export type FormVisit = {
  readonly page: Page;
  readonly shop: FormPage;
  readonly complaints: readonly string[];
  /** Paths that the page has asked the service for. */
  readonly asked: readonly string[];
};

type Form = {
  readonly service: RunningService;
  readonly browser: Browser;
  /** Markup in the form, ahead of its buttons. */
  readonly inside: string;
  /** What follows the address of the widget's script. */
  readonly query: string | undefined;
};

/** Visits a form with a name, `#send` and `#other`, once the widget's script has run. */
export async function visitForm(form: Form, use: (visit: FormVisit) => Promise<void>): Promise<void> {
  const { service, browser, inside, query } = form;
  const shop = await serveFormPage(
    service.baseUrl,
    `<form action="/sent" method="post"><input id="name" name="name" value="Ada">${inside}
<button id="send">Send</button> <button id="other" type="button">Other</button></form>`,
    query,
  );
  const context = await newVisitor(browser);
  try {
    const asked: string[] = [];
    context.on("request", (request) => {
      if (request.url().startsWith(service.baseUrl)) asked.push(new URL(request.url()).pathname);
    });
    const { page, complaints } = await openPage(context, shop.url);
    await page.waitForFunction(() => customElements.get("stile-captcha") !== undefined);
    await use({ page, shop, complaints, asked });
  } finally {
    await context.close();
    await shop.stop();
  }
}

type ScriptedWindow = { readonly got: unknown[] };

/** A script of the page, which may put its answers into `got`. */
export const pageScript = (text: string): string => `<script>globalThis.got = [];${text}</script>`;

/** Waits until the page was given that many answers. */
export async function given(page: Page, count: number): Promise<readonly unknown[]> {
  await page.waitForFunction((least) => (window as unknown as ScriptedWindow).got.length >= least, count);
  return page.evaluate(() => (window as unknown as ScriptedWindow).got);
}
