import type { Locator, Page } from "playwright-core";

type PageOrLocator = Page | Locator;

/** Finds elements by role and whole name, as people do. */
function byName(
  role:
    | "button"
    | "heading"
    | "link"
    | "textbox"
    | "combobox"
    | "checkbox"
    | "radio"
    | "spinbutton",
) {
  return (place: PageOrLocator, name: string): Locator =>
    place.getByRole(role, { name, exact: true });
}

/** A button by its name. */
export const button = byName("button");
/** A heading by its text. */
export const heading = byName("heading");
/** A link by its text. */
export const link = byName("link");
/** A text field by its label. */
export const textbox = byName("textbox");
/** A select by its label. */
export const combobox = byName("combobox");
/** A checkbox by its label. */
export const checkbox = byName("checkbox");
/** A number field by its label. */
export const spinbutton = byName("spinbutton");

/** A radio button by the first words of its name, since its help is part of it. */
export function radio(place: PageOrLocator, name: string): Locator {
  return place.getByRole("radio", { name: new RegExp(`^${name}`) });
}

/** Waits until the address has that path, through a page load or by the page itself. */
export async function waitForPath(page: Page, path: string): Promise<void> {
  await page.waitForURL((url) => url.pathname === path);
}

/**
 * Waits until a new page has put the focus on its heading: otherwise it would take the focus from a
 * test that tabs at once.
 */
export async function waitForHeading(page: Page): Promise<void> {
  await page.waitForFunction(() => document.activeElement?.tagName === "H1");
}

/**
 * Goes to another page of the dashboard without a page load, as its own links do, and waits for its
 * heading.
 */
export function goWithin(page: Page, path: string): Promise<void> {
  return page.evaluate(goInPage, path);
}

/**
 * Runs in the page. Waits until the last page's heading is gone, so that its words do not count as
 * this page's.
 */
async function goInPage(path: string): Promise<void> {
  const drawn = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const heading = document.querySelector("main h1");
  history.pushState(null, "", path);
  dispatchEvent(new PopStateEvent("popstate"));
  const deadline = performance.now() + 5000;
  while (heading?.isConnected || document.querySelector("main h1") === null) {
    if (performance.now() > deadline) throw new Error(`${path} was never drawn`);
    await drawn();
  }
}
