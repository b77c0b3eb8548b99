import type { Locator, Page } from "playwright-core";

type Place = Page | Locator;

/** What people look for on a page, by role and whole name. */
function byName(role: "button" | "heading" | "link" | "textbox" | "combobox" | "checkbox" | "radio" | "spinbutton") {
  return (place: Place, name: string): Locator => place.getByRole(role, { name, exact: true });
}

export const button = byName("button");
export const heading = byName("heading");
export const link = byName("link");
export const textbox = byName("textbox");
export const combobox = byName("combobox");
export const checkbox = byName("checkbox");
export const spinbutton = byName("spinbutton");

/** A radio button by the first words of its name: its help is part of it. */
export function radio(place: Place, name: string): Locator {
  return place.getByRole("radio", { name: new RegExp(`^${name}`) });
}

/** Waits until the address has that path, by a load or by the page itself. */
export async function waitForPath(page: Page, path: string): Promise<void> {
  await page.waitForURL((url) => url.pathname === path);
}

/** Waits until a page that was come to has put the focus on its heading: it would take it from the first who tabs. */
export async function waitForHeading(page: Page): Promise<void> {
  await page.waitForFunction(() => document.activeElement?.tagName === "H1");
}
