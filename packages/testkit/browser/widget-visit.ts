import type { Browser, Page } from "playwright-core";
import { type PageVisit, type VisitOptions, visitPage } from "./visit-page.ts";

/** A visit to a page with a widget whose script has run. */
export type WidgetVisit = PageVisit & {
  /** Paths that the page has requested from other origins, and the answered ones among them. */
  readonly asked: readonly string[];
  readonly answered: readonly string[];
  /** The number of challenges that it has requested. */
  readonly challenges: () => number;
};

/** A page that is served for a visit. */
type Served = { readonly url: string; readonly stop: () => Promise<void> };

/** Visits a page once the widget's script has run, and stops its server after that. */
export async function visitWidget(
  browser: Browser,
  { url, stop }: Served,
  use: (visit: WidgetVisit) => Promise<void>,
  { prepare, ...options }: VisitOptions = {},
): Promise<void> {
  const asked: string[] = [];
  const answered: string[] = [];
  const note = (paths: string[], message: { url(): string }): void => {
    if (!message.url().startsWith(url)) paths.push(new URL(message.url()).pathname);
  };
  const listen = async (page: Page): Promise<void> => {
    page.on("request", (request) => note(asked, request));
    page.on("response", (response) => note(answered, response));
    await prepare?.(page);
  };
  const begin = async (visit: PageVisit): Promise<void> => {
    await visit.page.waitForFunction(() => customElements.get("stile-captcha") !== undefined);
    const challenges = (): number => asked.filter((path) => path.endsWith("/pow/challenge")).length;
    await use({ ...visit, asked, answered, challenges });
  };
  try {
    await visitPage(browser, url, begin, { ...options, prepare: listen });
  } finally {
    await stop();
  }
}
