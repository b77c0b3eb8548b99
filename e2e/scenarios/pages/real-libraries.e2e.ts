// The core of the compatibility grid: the libraries that most pages and servers use, as published.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launchVisitorBrowser } from "@stile/testkit/browser/browser";
import { type LoggingFixture, startInOwnProcess } from "@stile/testkit/contract/service-fixtures";
import { addEasySite, startEasyService } from "@stile/testkit/service/easy-service";
import type { OperatorSite } from "@stile/testkit/service/operator-site";
import type { RunningService } from "@stile/testkit/service/service";
import type { Browser } from "playwright-core";
import { APPS } from "../../../compat/apps.ts";
import { clientRow } from "../../../compat/client-rows.ts";
import { installLibraries } from "../../../compat/install.ts";
import { serverRows } from "../../../compat/server-rows.ts";
import { loadServerLibraries } from "../../../compat/servers.ts";

const CLIENTS = ["react-google-recaptcha", "@marsidev/react-turnstile", "@hcaptcha/react-hcaptcha"];
const SERVERS = ["better-auth, cloudflare-turnstile", "@friendlycaptcha/server-sdk, as delivered"];
/** A program types in these pages, and the libraries are not about scores. */
const THRESHOLDS = { challenge: 0.9, block: 0.95 };

let browser: Browser;
let service: RunningService;
let fixture: LoggingFixture;
let site: OperatorSite;

before(async () => {
  installLibraries();
  [browser, service, fixture] = await Promise.all([
    launchVisitorBrowser(),
    startEasyService(),
    startInOwnProcess(),
  ]);
  site = await addEasySite(service, {
    name: "shop",
    domains: ["localhost"],
    thresholds: THRESHOLDS,
  });
});
after(async () => {
  await browser?.close();
  await service?.dispose();
  await fixture?.stop();
});

for (const library of CLIENTS) {
  test(`${library} earns a token, a fresh one after a reset, and leaves nothing behind`, async () => {
    const app = APPS.find(({ library: known, name }) => known === library && name === undefined);
    assert.ok(app);
    const row = await clientRow(browser, service.baseUrl, site, app);
    assert.deepEqual(row, { ...row, passes: true, wrong: [], thrown: [] });
  });
}

for (const name of SERVERS) {
  test(`${name} accepts a person's token, and nothing else that a visitor can send`, async () => {
    const libraries = (await loadServerLibraries()).filter(({ library }) => library === name);
    const [row] = await serverRows(fixture, libraries, () => {});
    assert.deepEqual(row, { ...row, passes: true, wrong: [], thrown: [] });
  });
}
