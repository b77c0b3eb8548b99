import type { Role } from "@stile/protocol/roles";
import type { Page } from "playwright-core";

/** Something to look at: a page of the dashboard in one of its states. */
export type Scene = {
  readonly name: string;
  readonly path: string;
  /** Nobody is signed in where it is left out. */
  readonly as?: Role;
  /** Brings the page into the state; resolves once it is there. */
  readonly prepare: (page: Page) => Promise<unknown>;
  /** Opens it from a place where nothing was counted, and no site exists. */
  readonly isEmpty?: boolean;
  /** Opens it from a place where a second factor is demanded of members who have none. */
  readonly isDemanding?: boolean;
};

/** What the people of the scenes are called. */
export const NAMES: Readonly<Record<Role, string>> = {
  owner: "Ada Lindqvist",
  admin: "Bo Farkas",
  developer: "Chidi Okoro",
  viewer: "Dana Weiss",
};

/** Waits for a heading or a text. */
export const shows = (text: string) => (page: Page) => page.getByText(text, { exact: true }).first().waitFor();

/** Presses a button and waits for its dialog. */
export const asks = (name: string | RegExp) => async (page: Page) => {
  await page.getByRole("button", { name }).first().click();
  await page.getByRole("dialog").waitFor();
};
