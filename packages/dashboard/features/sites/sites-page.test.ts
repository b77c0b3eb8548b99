import assert from "node:assert/strict";
import { test } from "node:test";
import type { ListedSiteData, SiteData } from "@stile/protocol/dashboard-api";
import { actionsOf, drawn, renderPage, textOf } from "@stile/testkit/page/render-page";
import { memberWithRole } from "@stile/testkit/page/signed-in-member";
import { h } from "preact";
import { me } from "../../ui/session.ts";

const { SitesPage, SiteTable } = await import("./sites-page.tsx");
const { DeletedSites } = await import("./deleted-sites.tsx");
const { NewSitePage } = await import("./new-site-page.tsx");
const { SiteShell } = await import("./site-shell.tsx");

const SITE: ListedSiteData = {
  siteKey: "pk_1",
  name: "Shop",
  domains: ["shop.example"],
  mode: "managed",
  isEnabled: true,
  lastFour: "x9Zq",
  issued: 1204,
  solved: 1156,
  tokens: 1100,
  verified: 1090,
  passRate: 0.99996,
  blockRate: 0,
  solveP50Ms: 480,
  solveP95Ms: 1249,
  sparkline: Array.from({ length: 24 }, (_, hour) => hour),
  isNeverVerified: false,
  hasWave: false,
};
const cellsOf = (site: Partial<ListedSiteData>) => {
  const markup = renderPage(h(SiteTable, { sites: [{ ...SITE, ...site }] }));
  return [...drawn(markup, "th"), ...drawn(markup, "td")].filter(
    ({ attributes }) => "data-label" in attributes,
  );
};

test("shows a site's last 24 hours in its line, each number under its heading", () => {
  const cells = cellsOf({}).map(({ attributes, text }) => [attributes["data-label"], text]);
  assert.deepEqual(cells, [
    ["Site", "Shop shop.example"],
    ["Mode", "Managed"],
    ["Secret", "…x9Zq"],
    ["Challenges", "1,204"],
    ["Solved", "1,156"],
    ["Verified", "1,090"],
    ["Pass rate", ">99.9%"],
    ["Block rate", "0%"],
    ["Solve time, p50 / p95", "480 ms / 1.2 s"],
    ["Solved by hour", ""],
  ]);
});

test("shows dashes for unknown figures of a site that nobody has used yet", () => {
  const unused = {
    issued: 0,
    solved: 0,
    tokens: 0,
    verified: 0,
    sparkline: Array.from({ length: 24 }, () => 0),
  };
  const unknown = { passRate: null, blockRate: null, solveP50Ms: null, solveP95Ms: null };
  const texts = cellsOf({ ...unused, ...unknown }).map(({ text }) => text);
  assert.deepEqual(texts.slice(3, 9), ["0", "0", "0", "–", "–", "–"]);
  assert.doesNotMatch(
    renderPage(h(SiteTable, { sites: [{ ...SITE, ...unused, ...unknown }] })),
    /NaN|null|undefined/,
  );
});

test("shows a site's unusual properties next to its name, in a word each", () => {
  const nameOf = (site: Partial<ListedSiteData>) => cellsOf(site)[0]?.text;
  assert.equal(nameOf({ isEnabled: false }), "Shop shop.example Disabled");
  assert.equal(
    nameOf({ domains: ["shop.example", "localhost"] }),
    "Shop shop.example and 1 more Testing",
  );
  assert.equal(nameOf({ isNeverVerified: true }), "Shop shop.example Not verified");
  assert.equal(nameOf({ hasWave: true }), "Shop shop.example Wave now");
});

test("shows a name of 64 characters, and one with markup in it, as the text of its link", () => {
  for (const name of ["W".repeat(64), '<b>"Shop" & Söhne</b>', "\u202eshop"]) {
    const markup = renderPage(h(SiteTable, { sites: [{ ...SITE, name }] }));
    assert.equal(drawn(markup, "a")[0]?.text, name);
    assert.doesNotMatch(markup, /<b>/);
  }
});

test("shortens fifty domains to one and a count, with all of them in the title", () => {
  const domains = Array.from({ length: 50 }, (_, at) => `${at}.example`);
  const markup = renderPage(h(SiteTable, { sites: [{ ...SITE, domains }] }));
  assert.match(textOf(markup), /0\.example and 49 more/);
  assert.ok(markup.includes(`title="${domains.join(", ")}"`));
});

test("says that the list loads, and offers nothing before it is loaded", () => {
  me.value = memberWithRole("owner");
  const markup = renderPage(h(SitesPage, {}));
  assert.deepEqual(actionsOf(markup), []);
  assert.equal(textOf(markup), "Sites Loading…");
});

const DELETED = { siteKey: "pk_2", name: "Old shop", deletedAtMs: 0, purgedAtMs: 7 * 86_400_000 };

test("lets an admin restore a deleted site, and names the needed role to others", () => {
  const draw = () =>
    drawn(renderPage(h(DeletedSites, { deleted: [DELETED], onRestored: () => {} })), "button");
  me.value = memberWithRole("admin");
  const [button] = draw();
  assert.deepEqual(
    [button?.attributes["aria-label"], "disabled" in (button?.attributes ?? {})],
    ["Restore Old shop", false],
  );
  me.value = memberWithRole("developer");
  const [refused] = draw();
  assert.ok("disabled" in (refused?.attributes ?? {}));
  assert.equal(refused?.attributes.title, "This needs the admin role.");
});

test("shows a viewer no form for a new site, but the reason", () => {
  me.value = memberWithRole("viewer");
  const markup = renderPage(h(NewSitePage, {}));
  assert.doesNotMatch(markup, /<form|<input/);
  assert.match(textOf(markup), /ask for the developer role/);
  me.value = memberWithRole("developer");
  assert.match(renderPage(h(NewSitePage, {})), /<form/);
});

test("makes a new site managed unless another mode is chosen, and describes every mode", () => {
  me.value = memberWithRole("developer");
  const markup = renderPage(h(NewSitePage, {}));
  const modes = drawn(markup, "input").filter(({ attributes }) => attributes.type === "radio");
  assert.deepEqual(
    modes.map(({ attributes }) => [attributes.value, "checked" in attributes]),
    [
      ["managed", true],
      ["non_interactive", false],
      ["invisible", false],
      ["interactive", false],
    ],
  );
  assert.match(textOf(markup), /Managed Asks for a click only if a visit looks risky\./);
});

const FULL: SiteData = {
  name: "Shop",
  domains: ["shop.example"],
  mode: "managed",
  theme: "auto",
  language: "auto",
  isEnabled: true,
  tokenLifeSeconds: 300,
  binding: "strict",
  thresholds: { challenge: 0.3, block: 0.6 },
  difficultyOffset: 0,
  signedAgents: "judge" as const,
  verifyPerMinute: null,
  scorePerMinute: null,
  scoreSignals: "expected",
  onUnavailable: "submit",
  noScript: "off",
  contact: "",
  siteKey: "pk_1",
  createdAtMs: 0,
  revision: 1,
  secretKeys: [],
};

test("links the pages of a site and marks the current one, below the site's state", () => {
  const markup = renderPage(h(SiteShell, { siteKey: "pk_1", current: "keys", site: FULL }));
  const tabs = drawn(drawn(markup, "nav")[0]?.inner ?? "", "a");
  assert.deepEqual(
    tabs.map(({ attributes, text }) => [text, attributes.href, attributes["aria-current"]]),
    [
      ["Outcome", "/dashboard/sites/pk_1", undefined],
      ["Scores", "/dashboard/sites/pk_1/scores", undefined],
      ["Decisions", "/dashboard/sites/pk_1/decisions", undefined],
      ["Settings", "/dashboard/sites/pk_1/settings", undefined],
      ["Keys", "/dashboard/sites/pk_1/keys", "page"],
      ["Install", "/dashboard/sites/pk_1/install", undefined],
    ],
  );
  assert.match(textOf(markup), /^Shop Enabled All sites/);
  assert.match(
    textOf(
      renderPage(
        h(SiteShell, { siteKey: "pk_1", current: "keys", site: { ...FULL, isEnabled: false } }),
      ),
    ),
    /^Shop Disabled/,
  );
});

test("leads to no other address of the service for an invalid key in the address", () => {
  const markup = renderPage(h(SiteShell, { siteKey: "../api/me?x", current: "keys" }));
  for (const { attributes } of drawn(drawn(markup, "nav")[0]?.inner ?? "", "a")) {
    assert.match(attributes.href ?? "", /^\/dashboard\/sites\/\.\.%2Fapi%2Fme%3Fx/);
  }
});
