import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { type Complaints, collectComplaints, newPage, newVisitor } from "./browser.ts";

/** A visit to a page, and the faults on it. */
export type PageVisit = { readonly page: Page; readonly complaints: Complaints };

/** The special options of a visit. */
export type VisitOptions = BrowserContextOptions & {
  /** The test's own step before the page is opened. */
  readonly prepare?: ((page: Page) => unknown) | undefined;
  /** Whether the window must be unused. */
  readonly isFresh?: boolean;
};

type Script = Awaited<ReturnType<Page["addInitScript"]>>;
type VisitWindow = {
  readonly page: Page;
  /** The scripts that the test put before those of each page. */
  readonly scripts: Script[];
  /** Whether the test changed it permanently: another clock or size. */
  isChanged: boolean;
};

/** The free windows, by their browser and options. */
const freeWindows = new WeakMap<Browser, Map<string, VisitWindow[]>>();

async function openWindow(browser: Browser, options: BrowserContextOptions): Promise<VisitWindow> {
  const page = await newPage(await newVisitor(browser, options));
  const window: VisitWindow = { page, scripts: [], isChanged: false };
  const add = page.addInitScript.bind(page);
  page.addInitScript = async (...given: Parameters<typeof add>) => {
    const script = await add(...given);
    window.scripts.push(script);
    return script;
  };
  for (const name of ["clock", "emulateMedia", "setViewportSize"] as const) {
    const real = page[name];
    const get = (): typeof real => {
      window.isChanged = true;
      return real;
    };
    Object.defineProperty(page, name, { get });
  }
  return window;
}

/**
 * Leaves the page and removes the test's scripts from the window; returns whether the next visit
 * may use it.
 */
async function clear({ page, scripts, isChanged }: VisitWindow): Promise<boolean> {
  if (page.isClosed() || isChanged || page.context().pages().length > 1) return false;
  for (const event of ["console", "pageerror", "request", "response"])
    page.removeAllListeners(event);
  await page.unrouteAll({ behavior: "ignoreErrors" });
  for (const script of scripts.splice(0)) await script.dispose();
  await page.goto("about:blank");
  return true;
}

/**
 * Opens an address in a visitor's window while `use` runs. The next visit with the same options
 * reuses the window, if nothing of this one stays in it and this one did not fail: opening one is a
 * quarter of the cost of a visit. So the visitor is like a person who has been to other sites
 * before: a page with a new origin has a storage of its own, but not a profile.
 */
export async function visitPage<Result>(
  browser: Browser,
  url: string,
  use: (visit: PageVisit) => Promise<Result>,
  { prepare, isFresh = false, ...options }: VisitOptions = {},
): Promise<Result> {
  const kind = JSON.stringify(options);
  const kinds = freeWindows.get(browser) ?? new Map<string, VisitWindow[]>();
  freeWindows.set(browser, kinds);
  const free = kinds.get(kind) ?? [];
  kinds.set(kind, free);
  const window = (isFresh ? undefined : free.pop()) ?? (await openWindow(browser, options));
  const { page } = window;
  let isFree = false;
  try {
    const complaints = collectComplaints(page);
    await prepare?.(page);
    await page.goto(url);
    const result = await use({ page, complaints });
    isFree = await clear(window);
    return result;
  } finally {
    if (isFree) free.push(window);
    else await page.context().close();
  }
}
