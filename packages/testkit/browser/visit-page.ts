import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { type Complaints, collectComplaints, newPage, newVisitor } from "./browser.ts";

/** A visit to a page, and what went wrong on it. */
export type PageVisit = { readonly page: Page; readonly complaints: Complaints };

/** What is special about a visit: options of its window, and */
export type VisitOptions = BrowserContextOptions & {
  /** what the test does in it before the page is opened, */
  readonly prepare?: ((page: Page) => unknown) | undefined;
  /** whether nobody may have been in it before. */
  readonly isFresh?: boolean;
};

/** The windows that nobody is in, by their browser and options. */
const freeWindows = new WeakMap<Browser, Map<string, Page[]>>();
/** The windows that a test put something into that stays: scripts for all later pages, another clock or size. */
const changedForGood = new WeakSet<Page>();

async function openWindow(browser: Browser, options: BrowserContextOptions): Promise<Page> {
  const page = await newPage(await newVisitor(browser, options));
  for (const name of ["addInitScript", "clock", "emulateMedia", "setViewportSize"] as const) {
    const real = page[name];
    Object.defineProperty(page, name, {
      get: () => {
        changedForGood.add(page);
        return real;
      },
    });
  }
  return page;
}

/** Leaves the page and takes out what the test put into the window; returns whether the next visit may have it. */
async function clear(page: Page): Promise<boolean> {
  const context = page.context();
  if (page.isClosed() || changedForGood.has(page) || context.pages().length > 1) return false;
  for (const event of ["console", "pageerror", "request", "response"]) page.removeAllListeners(event);
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await page.goto("about:blank");
  return true;
}

/**
 * Opens an address in a visitor's window while `use` runs. The next visit with the same options has the same window, if
 * nothing of this one stays in it and this one did not fail: to open one is a quarter of the cost of a visit. So it is
 * like a person's, who has been to other sites before: a page whose origin is new has a storage of its own, but not a
 * profile.
 */
export async function visitPage<Result>(
  browser: Browser,
  url: string,
  use: (visit: PageVisit) => Promise<Result>,
  { prepare, isFresh = false, ...options }: VisitOptions = {},
): Promise<Result> {
  const kinds = freeWindows.get(browser) ?? new Map<string, Page[]>();
  freeWindows.set(browser, kinds);
  const free = kinds.get(JSON.stringify(options)) ?? [];
  kinds.set(JSON.stringify(options), free);
  const page = (isFresh ? undefined : free.pop()) ?? (await openWindow(browser, options));
  let isFree = false;
  try {
    const complaints = collectComplaints(page);
    await prepare?.(page);
    await page.goto(url);
    const result = await use({ page, complaints });
    isFree = await clear(page);
    return result;
  } finally {
    if (isFree) free.push(page);
    else await page.context().close();
  }
}
