import { button, combobox } from "./on-page.ts";
import { asks, NAMES, type Scene, shows } from "./scene.ts";

/** The account page in its states, mainly those of second factors. */
function ownScenes(): Scene[] {
  return [
    { name: "account", path: "/dashboard/account", as: "owner", prepare: shows("No passkeys yet") },
    {
      name: "authenticator app being set up",
      path: "/dashboard/account",
      as: "viewer",
      prepare: async (page) => {
        await button(page, "Set up").click();
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
    {
      name: "account with second factors",
      path: "/dashboard/account",
      as: "developer",
      prepare: shows("Recovery codes"),
    },
    {
      name: "new recovery codes",
      path: "/dashboard/account",
      as: "developer",
      prepare: async (page) => {
        await button(page, "Create new codes").click();
        await button(page, "Create codes").click();
        await button(page, "I have saved them").waitFor();
      },
    },
    {
      name: "renewal dialog",
      path: "/dashboard/account",
      as: "developer",
      prepare: asks("Create new codes"),
    },
    {
      name: "second factor demanded",
      path: "/dashboard/sites",
      as: "viewer",
      isDemanding: true,
      prepare: shows("Set up a second factor"),
    },
    {
      name: "password, refused",
      path: "/dashboard/account",
      as: "viewer",
      prepare: async (page) => {
        await page.getByLabel("Your current password", { exact: true }).fill("not my password");
        await page.getByLabel("New password", { exact: true }).fill("brisk heron ladders quietly");
        await button(page, "Change password").click();
        await page.getByRole("alert").waitFor();
      },
    },
  ];
}

/** The actions on members, and on the account as a whole. */
function memberScenes(): Scene[] {
  return [
    {
      name: "members",
      path: "/dashboard/members",
      as: "owner",
      prepare: shows("Open invitations"),
    },
    {
      name: "members, refused",
      path: "/dashboard/members",
      as: "viewer",
      prepare: shows("Members"),
    },
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
        await button(page, "Create invitation").click();
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
    {
      name: "no such page",
      path: "/dashboard/elsewhere",
      as: "owner",
      prepare: shows("Page not found"),
    },
    {
      name: "reset dialog, second factors going",
      path: "/dashboard/members",
      as: "owner",
      prepare: async (page) => {
        await asks(`Reset link: ${NAMES.developer}`)(page);
        await page.getByRole("checkbox", { name: /^Also remove/ }).check();
        await page.getByLabel("Your current password", { exact: true }).waitFor();
      },
    },
    {
      name: "sessions dialog",
      path: "/dashboard/members",
      as: "owner",
      prepare: asks(`End sessions: ${NAMES.viewer}`),
    },
    {
      name: "demand dialog",
      path: "/dashboard/members",
      as: "owner",
      prepare: asks("Require a second factor"),
    },
    {
      name: "members, demand beyond an admin",
      path: "/dashboard/members",
      as: "admin",
      prepare: shows("Open invitations"),
    },
  ];
}

/** The pages of people and of the account. */
export function accountScenes(): readonly Scene[] {
  return [...ownScenes(), ...memberScenes()];
}
