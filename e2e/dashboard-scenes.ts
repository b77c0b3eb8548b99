import type { Role } from "@stile/protocol/roles";
import type { Page } from "playwright-core";
import { button, combobox, heading, link, radio, textbox } from "./on-page.ts";

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
};

/** A site with visits and a replaced key, one that nobody visited, and one whose server never verified. */
export type SiteKeys = { readonly busy: string; readonly empty: string; readonly silent: string };

/** Paths of an invitation and of a reset link that nobody took up. */
export type Links = Readonly<Record<"invite" | "reset", string>>;

/** What the people of the scenes are called. */
export const NAMES: Readonly<Record<Role, string>> = {
  owner: "Ada Lindqvist",
  admin: "Bo Farkas",
  developer: "Chidi Okoro",
  viewer: "Dana Weiss",
};

/** Waits for a heading or a text. */
const shows = (text: string) => (page: Page) => page.getByText(text, { exact: true }).first().waitFor();

/** Presses a button and waits for its dialog. */
const asks = (name: string | RegExp) => async (page: Page) => {
  await page.getByRole("button", { name }).first().click();
  await page.getByRole("dialog").waitFor();
};

function entryScenes(links: Links): Scene[] {
  return [
    { name: "sign in", path: "/dashboard/sign-in", prepare: shows("Locked out?") },
    {
      name: "sign in, refused",
      path: "/dashboard/sign-in",
      prepare: async (page) => {
        await page.getByText("Locked out?").click();
        await textbox(page, "Email").fill("nobody@example.org");
        await textbox(page, "Password").fill("wrong");
        await button(page, "Sign in").click();
        await page.getByRole("alert").waitFor();
      },
    },
    {
      name: "invitation, with problems",
      path: links.invite,
      prepare: async (page) => {
        await textbox(page, "Email").fill("new@example.org");
        await textbox(page, "Your name").fill("New");
        await textbox(page, "Password").fill("password12");
        await button(page, "Join").click();
        await page.getByRole("alert").waitFor();
      },
    },
    { name: "reset", path: links.reset, prepare: shows("Choose a new password") },
    { name: "dead link", path: "/dashboard/link#gone", prepare: shows("This link does not work any more") },
    { name: "incomplete link", path: "/dashboard/link", prepare: shows("This link is not complete") },
  ];
}

function siteScenes(keys: SiteKeys): Scene[] {
  const site = `/dashboard/sites/${keys.busy}`;
  const empty = `/dashboard/sites/${keys.empty}`;
  return [
    { name: "sites", path: "/dashboard/sites", as: "owner", prepare: shows("Deleted sites") },
    {
      name: "restore dialog",
      path: "/dashboard/sites",
      as: "owner",
      prepare: asks(/^Restore/),
    },
    { name: "no sites", path: "/dashboard/sites", as: "owner", isEmpty: true, prepare: shows("No sites yet") },
    { name: "new site", path: "/dashboard/sites/new", as: "developer", prepare: shows("Domains") },
    {
      name: "new site, with problems",
      path: "/dashboard/sites/new",
      as: "developer",
      prepare: async (page) => {
        await textbox(page, "Name").fill("Broken");
        await textbox(page, "Domains").fill("shop..example");
        await button(page, "Create the site").click();
        await page.getByRole("alert").waitFor();
      },
    },
    {
      name: "new secret",
      path: "/dashboard/sites/new",
      as: "developer",
      prepare: async (page) => {
        await textbox(page, "Name").fill(`Fresh ${Math.random()}`);
        await textbox(page, "Domains").fill("fresh.example");
        await button(page, "Create the site").click();
        await heading(page, "The site is ready").waitFor();
      },
    },
    {
      name: "settings",
      path: `${site}/settings`,
      as: "owner",
      prepare: (page) => textbox(page, "Name").fill("Harbour Store"),
    },
    { name: "settings of a viewer", path: `${site}/settings`, as: "viewer", prepare: shows("Security") },
    { name: "delete dialog", path: `${site}/settings`, as: "owner", prepare: asks("Delete the site") },
    { name: "keys", path: `${site}/keys`, as: "owner", prepare: shows("Revoke replaced keys now") },
    { name: "rotate dialog", path: `${site}/keys`, as: "owner", prepare: asks("Rotate the secret key") },
    { name: "revoke dialog", path: `${site}/keys`, as: "owner", prepare: asks("Revoke replaced keys now") },
    { name: "install", path: `${site}/install`, as: "owner", prepare: shows("All three steps work.") },
    {
      name: "install, nothing seen",
      path: `${empty}/install`,
      as: "owner",
      prepare: (page) => radio(page, "Python").check(),
    },
  ];
}

function statisticsScenes(keys: SiteKeys): Scene[] {
  const site = `/dashboard/sites/${keys.busy}`;
  const empty = `/dashboard/sites/${keys.empty}`;
  return [
    { name: "outcome", path: `${site}?range=7d`, as: "owner", prepare: shows("Over time") },
    {
      name: "outcome of a chosen time, as a table",
      path: site,
      as: "owner",
      prepare: async (page) => {
        await radio(page, "Custom").check({ force: true });
        await button(page, "Show").waitFor();
        await page.getByText("Show as a table").first().click();
        await page.getByRole("table", { name: "Challenges and tokens over time" }).waitFor();
      },
    },
    {
      name: "outcome, never verified",
      path: `/dashboard/sites/${keys.silent}`,
      as: "owner",
      prepare: (page) => page.locator(".notice").waitFor(),
    },
    { name: "outcome, empty", path: empty, as: "owner", prepare: shows("No challenge was issued in this time.") },
    {
      name: "scores, trying thresholds",
      path: `${site}/scores`,
      as: "owner",
      prepare: async (page) => {
        await page.getByRole("slider", { name: /^Block from/ }).fill("0.45");
        await button(page, "Use these thresholds").scrollIntoViewIfNeeded();
      },
    },
    {
      name: "scores as a table",
      path: `${site}/scores`,
      as: "owner",
      prepare: async (page) => {
        await page.getByText("Show as a table").click();
        await page.getByRole("table", { name: "Judged solutions by score" }).waitFor();
      },
    },
    { name: "scores, empty", path: `${empty}/scores`, as: "owner", prepare: shows("What was noticed") },
    {
      name: "decisions, one explained",
      path: `${site}/decisions`,
      as: "owner",
      prepare: async (page) => {
        await page
          .getByRole("button", { name: /Blocked/ })
          .first()
          .click();
        await button(page, "A bot").waitFor();
      },
    },
    { name: "decisions, empty", path: `${empty}/decisions`, as: "owner", prepare: shows("Nobody was judged yet") },
    {
      name: "decisions, none found",
      path: `${site}/decisions?requestId=none`,
      as: "owner",
      prepare: shows("No decision matches"),
    },
    {
      name: "service out of reach",
      path: site,
      as: "owner",
      prepare: async (page) => {
        await heading(page, "Over time").waitFor();
        await page.context().setOffline(true);
        await link(page, "Scores").click();
        await page.getByRole("alert").first().waitFor();
      },
    },
  ];
}

function accountScenes(): Scene[] {
  return [
    { name: "account", path: "/dashboard/account", as: "owner", prepare: shows("No passkeys yet") },
    {
      name: "authenticator app being set up",
      path: "/dashboard/account",
      as: "viewer",
      prepare: async (page) => {
        await button(page, "Set it up").click();
        await page.locator("svg.qr").waitFor();
      },
    },
    {
      name: "account menu",
      path: "/dashboard/account",
      as: "admin",
      prepare: async (page) => {
        await page.locator(".account-button").click();
        await button(page, "Sign out").waitFor();
      },
    },
    { name: "members", path: "/dashboard/members", as: "owner", prepare: shows("Open invitations") },
    { name: "members, refused", path: "/dashboard/members", as: "viewer", prepare: shows("Members") },
    {
      name: "role dialog",
      path: "/dashboard/members",
      as: "owner",
      prepare: asks(`Change role: ${NAMES.developer}`),
    },
    {
      name: "remove dialog",
      path: "/dashboard/members",
      as: "owner",
      prepare: asks(`Remove: ${NAMES.viewer}`),
    },
    {
      name: "new invitation",
      path: "/dashboard/members",
      as: "owner",
      prepare: async (page) => {
        await combobox(page, "Role").selectOption("viewer");
        await button(page, "Make an invitation").click();
        await page.getByRole("dialog").waitFor();
      },
    },
    {
      name: "audit log",
      path: "/dashboard/audit",
      as: "owner",
      prepare: (page) => page.locator("tbody tr").first().waitFor(),
    },
    {
      name: "audit log, empty",
      path: "/dashboard/audit",
      as: "owner",
      isEmpty: true,
      prepare: (page) => page.locator("main h1").waitFor(),
    },
    { name: "system", path: "/dashboard/system", as: "owner", prepare: shows("Service keys") },
    { name: "no such page", path: "/dashboard/elsewhere", as: "owner", prepare: shows("There is no such page") },
  ];
}

/** Every scene, on these sites and with these links, each of which opens its page once. */
export function listScenes(keys: SiteKeys, links: Links): readonly Scene[] {
  return [...entryScenes(links), ...siteScenes(keys), ...statisticsScenes(keys), ...accountScenes()];
}
