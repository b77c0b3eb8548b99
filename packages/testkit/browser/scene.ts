import type { Role } from "@stile/protocol/roles";
import type { Page } from "playwright-core";

/** A page of the dashboard in one of its states. */
export type Scene = {
  readonly name: string;
  readonly path: string;
  /** If omitted, nobody is signed in. */
  readonly as?: Role;
  /** Brings the page into the state; resolves once it is there. */
  readonly prepare: (page: Page) => Promise<unknown>;
  /** Opens it on an account without sites and counts. */
  readonly isEmpty?: boolean;
  /** Opens it on an account that demands a second factor, as a member who has none. */
  readonly isDemanding?: boolean;
};

/** The names of the people in the scenes. */
export const NAMES: Readonly<Record<Role, string>> = {
  owner: "Ada Lindqvist",
  admin: "Bo Farkas",
  developer: "Chidi Okoro",
  viewer: "Dana Weiss",
};

/** Waits for a heading or a text. */
export const shows = (text: string) => (page: Page) =>
  page.getByText(text, { exact: true }).first().waitFor();

/** Presses a button and waits for its dialog. */
export const asks = (name: string | RegExp) => async (page: Page) => {
  await page.getByRole("button", { name }).first().click();
  await page.getByRole("dialog").waitFor();
};
