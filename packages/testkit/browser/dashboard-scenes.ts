import type { Page } from "playwright-core";
import { accountScenes } from "./account-scenes.ts";
import { button, heading, link, radio, textbox } from "./on-page.ts";
import { asks, type Scene, shows } from "./scene.ts";

/**
 * A site with visits and a replaced key, a site without visits, and a site whose server never
 * redeemed a token.
 */
export type SiteKeys = { readonly busy: string; readonly empty: string; readonly silent: string };

/**
 * Paths of an invitation, and of reset links: one that needs nothing more, one that needs a second
 * factor, one that removes it.
 */
export type LinkPaths = Readonly<Record<"invite" | "reset" | "guardedReset" | "bareReset", string>>;

/** A member who had an authenticator app, and lost it. */
export type Loser = {
  readonly email: string;
  readonly password: string;
  readonly recoveryCode: string;
};

async function askForCode(page: Page, { email, password }: Loser): Promise<void> {
  await textbox(page, "Email").fill(email);
  await textbox(page, "Password").fill(password);
  await button(page, "Sign in").click();
  await textbox(page, "Code from your authenticator app").waitFor();
}

function entryScenes(links: LinkPaths, loser: Loser): Scene[] {
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
    {
      name: "reset with a second factor",
      path: links.guardedReset,
      prepare: shows("Use a passkey instead of the code"),
    },
    {
      name: "reset that removes the second factor",
      path: links.bareReset,
      prepare: (page) => page.getByText(/This also removes/).waitFor(),
    },
    {
      name: "sign in, code asked",
      path: "/dashboard/sign-in",
      prepare: (page) => askForCode(page, loser),
    },
    {
      name: "signed in by a recovery code",
      path: "/dashboard/sign-in",
      prepare: async (page) => {
        await askForCode(page, loser);
        await textbox(page, "Code from your authenticator app").fill(loser.recoveryCode);
        await button(page, "Confirm the code").click();
        await page.getByText(/^Codes left: 0/).waitFor();
        // The notice is above the page, and appears before it.
        await heading(page, "Sites").waitFor();
      },
    },
    {
      name: "dead link",
      path: "/dashboard/link#gone",
      prepare: shows("This link no longer works"),
    },
    {
      name: "incomplete link",
      path: "/dashboard/link",
      prepare: shows("This link is incomplete"),
    },
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
    {
      name: "no sites",
      path: "/dashboard/sites",
      as: "owner",
      isEmpty: true,
      prepare: shows("No sites yet"),
    },
    {
      name: "unknown site",
      path: "/dashboard/sites/pk_nowhere/scores",
      as: "owner",
      prepare: shows("Site not found"),
    },
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
    {
      name: "settings of a viewer",
      path: `${site}/settings`,
      as: "viewer",
      prepare: shows("Security"),
    },
    {
      name: "delete dialog",
      path: `${site}/settings`,
      as: "owner",
      prepare: asks("Delete the site"),
    },
    { name: "keys", path: `${site}/keys`, as: "owner", prepare: shows("Revoke replaced keys now") },
    {
      name: "rotate dialog",
      path: `${site}/keys`,
      as: "owner",
      prepare: asks("Rotate the secret key"),
    },
    {
      name: "revoke dialog",
      path: `${site}/keys`,
      as: "owner",
      prepare: asks("Revoke replaced keys now"),
    },
    {
      name: "install",
      path: `${site}/install`,
      as: "owner",
      prepare: shows("All three steps work."),
    },
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
        await page.getByText("Show as table").first().click();
        await page.getByRole("table", { name: "Challenges and tokens over time" }).waitFor();
      },
    },
    {
      name: "outcome, never verified",
      path: `/dashboard/sites/${keys.silent}`,
      as: "owner",
      prepare: (page) => page.locator(".notice").waitFor(),
    },
    {
      name: "outcome, empty",
      path: empty,
      as: "owner",
      prepare: shows("No visits in this period"),
    },
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
        await page.getByText("Show as table").click();
        await page.getByRole("table", { name: "Visits by score" }).waitFor();
      },
    },
    {
      name: "scores, empty",
      path: `${empty}/scores`,
      as: "owner",
      prepare: shows("Flags"),
    },
    {
      name: "decisions, one explained",
      path: `${site}/decisions`,
      as: "owner",
      prepare: async (page) => {
        await page
          .getByRole("button", { name: /Blocked/ })
          .first()
          .click();
        await button(page, "Bot").waitFor();
      },
    },
    {
      name: "decisions, one refused before scoring",
      path: `${site}/decisions?show=refused`,
      as: "owner",
      prepare: async (page) => {
        await page
          .getByRole("button", { name: /long\.name/ })
          .first()
          .click();
        await page.getByText("add its host in the settings").waitFor();
      },
    },
    {
      name: "decisions, empty",
      path: `${empty}/decisions`,
      as: "owner",
      prepare: shows("No decisions yet"),
    },
    {
      name: "decisions, none found",
      path: `${site}/decisions?requestId=none`,
      as: "owner",
      prepare: shows("No matching decisions"),
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

/** Every scene, on these sites and with these links, each of which is opened once. */
export function listScenes(keys: SiteKeys, links: LinkPaths, loser: Loser): readonly Scene[] {
  return [
    ...entryScenes(links, loser),
    ...siteScenes(keys),
    ...statisticsScenes(keys),
    ...accountScenes(),
  ];
}
