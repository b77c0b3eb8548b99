import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { DecisionsData, InstallData, OutcomeData } from "@stile/protocol/dashboard-statistics";
import {
  launchPageBrowser,
  newVisitor,
  openPage,
  waitForState,
} from "@stile/testkit/browser/browser";
import { serveStrictPage } from "@stile/testkit/browser/strict-page";
import { type ApiAnswer, type ApiCall, callApi } from "@stile/testkit/contract/call";
import { callDashboard, newAccount, type TestAccount } from "@stile/testkit/contract/dashboard";
import { type LoggingFixture, startInOwnProcess } from "@stile/testkit/contract/service-fixtures";
import { newSite, type TestSite } from "@stile/testkit/contract/sites";
import { askChallenge, challengeOf, solve, submit, visit } from "@stile/testkit/contract/visitor";

const FORGOTTEN = { headers: { origin: "https://forgotten.example" } };
/** Held-back log lines are written within a second. */
const PATIENCE_MS = 10_000;

let fixture: LoggingFixture;
let account: TestAccount;
let disabled: TestSite;
let poor: TestSite;

before(async () => {
  fixture = await startInOwnProcess({ STILE_LOG_LEVEL: "info", STILE_POW_ALGORITHM: "sha256" });
  account = await newAccount(fixture);
  disabled = await newSite(fixture, { isEnabled: false }, account.accountId);
  const budget = { challengePerMinute: 1, totalPerMinute: null };
  const createdAtMs = fixture.ports.clock.nowMs();
  await fixture.ports.sites.insertAccount({
    accountId: "acc_poor",
    name: "Poor",
    createdAtMs,
    ...budget,
  });
  poor = await newSite(fixture, {}, "acc_poor");
});

after(() => fixture?.stop());

/** The request id of an answer, as its visitor could quote it. */
function idOf({ headers, body }: ApiAnswer): string {
  const id = headers["x-request-id"] ?? assert.fail();
  assert.equal(
    body.error?.request_id ?? body.data.request_id ?? id,
    id,
    "the body names the same id",
  );
  return id;
}

/** Asks until the answer is there; each `look` is a request. */
async function eventually<Found>(
  look: () => Promise<Found | undefined>,
  what: string,
): Promise<Found> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    assert.ok(performance.now() < deadline, what);
  }
}

async function read<Data>(path: string): Promise<Data> {
  const answer = await callDashboard(fixture, { path, cookie: account.members.viewer.cookie });
  assert.equal(answer.status, 200, path);
  return answer.body.data as unknown as Data;
}

/** The decisions that the owner finds by a request id. */
function findRows(siteKey: string, requestId: string) {
  return eventually(async () => {
    const { decisions } = await read<DecisionsData>(
      `sites/${siteKey}/decisions?requestId=${requestId}`,
    );
    return decisions.length === 0 ? undefined : decisions;
  }, `no row has ${requestId}`);
}

/** The log lines with a request id. */
function findLines(requestId: string): Promise<Record<string, unknown>[]> {
  return eventually(async () => {
    const lines = fixture.log().split("\n");
    const found = lines.filter((line) => line.includes(requestId)).map((line) => JSON.parse(line));
    // A request before each look makes the process's output arrive.
    if (found.length === 0) await callApi(fixture.baseUrl, { method: "GET", path: "/healthz" });
    return found.length === 0 ? undefined : found;
  }, `no line has ${requestId}`);
}

test("the owner finds a refusal by the request id that the caller saw (D8, challenge; D9, submission)", async () => {
  const { site } = account;
  const key = { site_key: site.siteKey };
  const right = await solve(fixture, site, challengeOf(await askChallenge(fixture, key)));
  const wrong = { ...right, solution: "" };
  const refusals: readonly (readonly [
    siteKey: string,
    reason: string,
    host: string | null,
    ApiAnswer,
  ])[] = [
    [
      site.siteKey,
      "domain_mismatch",
      "forgotten.example",
      await askChallenge(fixture, key, FORGOTTEN),
    ],
    [
      site.siteKey,
      "domain_mismatch",
      null,
      await askChallenge(fixture, key, { headers: { origin: "null" } }),
    ],
    [site.siteKey, "domain_mismatch", "forgotten.example", await submit(fixture, right, FORGOTTEN)],
    [
      site.siteKey,
      "domain_mismatch",
      null,
      await submit(fixture, right, { headers: { origin: "null" } }),
    ],
    [site.siteKey, "solution_rejected", "shop.example", await submit(fixture, wrong)],
    [
      disabled.siteKey,
      "site_disabled",
      "shop.example",
      await askChallenge(fixture, { site_key: disabled.siteKey }),
    ],
    [
      disabled.siteKey,
      "site_disabled",
      "shop.example",
      await submit(fixture, { ...right, site_key: disabled.siteKey }),
    ],
  ];
  for (const [siteKey, reason, host, answer] of refusals) {
    const [row, ...more] = await findRows(siteKey, idOf(answer));
    assert.ok(row?.outcome === "refused" && more.length === 0);
    assert.deepEqual([row.reason, row.host], [reason, host]);
  }
  const outcome = await read<OutcomeData>(`sites/${site.siteKey}/outcome?range=1h`);
  assert.deepEqual(outcome.refusedAtDoor, {
    domain_mismatch: 4,
    site_disabled: 0,
    rate_limited: 0,
    solution_rejected: 1,
  });
  const install = await read<InstallData>(`sites/${site.siteKey}/install`);
  for (const { refusedHosts } of [outcome, install]) {
    assert.deepEqual(
      refusedHosts.map(({ host }) => host),
      ["forgotten.example"],
    );
  }
});

test("a blocked visitor's id leads to the decision, and an id over the budget to a refusal (D9, submission; D10, limits)", async () => {
  const blocked = await visit(fixture, account.site, { environment: { webdriver: true } });
  assert.equal(blocked.body.data.next, "blocked");
  const [row] = await findRows(account.site.siteKey, idOf(blocked));
  assert.ok(row?.outcome === "blocked");
  assert.equal((await askChallenge(fixture, { site_key: poor.siteKey })).status, 200);
  const limited = await askChallenge(fixture, { site_key: poor.siteKey });
  assert.equal(limited.status, 429);
  const requestId = idOf(limited);
  const [entry] = await eventually(async () => {
    const found = await fixture.store.decisions.list({
      siteKey: poor.siteKey,
      limit: 2,
      requestId,
    });
    return found.length === 0 ? undefined : found;
  }, "the refusal is not listed");
  assert.ok(entry?.outcome === "refused" && entry.reason === "rate_limited");
});

test("a refused request of no site has one log line, without any text that the caller chose (D11, errors)", async () => {
  const unknown = { site_key: `pk_${"Z".repeat(22)}` };
  const post = (call: Partial<ApiCall>) =>
    callApi(fixture.baseUrl, { path: "/api/v1/verify", ...call });
  const refusals: Readonly<Record<string, ApiAnswer>> = {
    "404 invalid_site_key": await askChallenge(fixture, unknown, FORGOTTEN),
    "404 invalid_site_key again": await askChallenge(fixture, { site_key: "canary" }, FORGOTTEN),
    "400 bad_request": await askChallenge(fixture, { ...unknown, action: "canary canary" }),
    "405 method_not_allowed": await post({ method: "PUT", body: {} }),
    "415 unsupported_media_type": await post({
      body: "canary",
      headers: { "content-type": "text/canary" },
    }),
    "413 payload_too_large": await post({ body: { canary: "x".repeat(100_000) } }),
    "400 bad_request again": await post({ body: "canary" }),
    "401 invalid_secret": await callApi(fixture.baseUrl, {
      path: "/api/v1/score",
      headers: { authorization: "Bearer canary" },
      body: {},
    }),
  };
  for (const [name, answer] of Object.entries(refusals)) {
    const [line, ...more] = await findLines(idOf(answer));
    assert.ok(line !== undefined && more.length === 0, name);
    assert.match(`${line.status} ${line.code}`, new RegExp(`^${name.replace(" again", "")}$`));
  }
  assert.doesNotMatch(fixture.log(), /canary|forgotten\.example|pk_/);
});

test("a flood of refusals writes at most 60 lines a minute", async () => {
  const before = fixture.log().split("\n").length;
  for (let round = 0; round < 20; round++) {
    await Promise.all(
      Array.from({ length: 20 }, () => askChallenge(fixture, { site_key: `pk_${"Y".repeat(22)}` })),
    );
  }
  await callApi(fixture.baseUrl, { method: "GET", path: "/healthz" });
  // Up to twice the limit, since a clock minute may have ended in between.
  assert.ok(fixture.log().split("\n").length - before <= 122);
});

test("the owner finds the id that the widget shows on a page of a domain that the site does not list", async () => {
  const { siteKey } = account.site;
  const shop = await serveStrictPage({ base: fixture.baseUrl, attributes: `sitekey="${siteKey}"` });
  const browser = await launchPageBrowser();
  try {
    const { page } = await openPage(await newVisitor(browser), shop.urlOn("localhost"));
    await page.focus("input");
    await waitForState(page, "error");
    const shown = await page.locator("stile-captcha").getByText("Request ID:").textContent();
    const requestId = /[0-9a-f-]{36}/.exec(shown ?? "")?.[0] ?? assert.fail(`${shown}`);
    const [row] = await findRows(siteKey, requestId);
    assert.ok(row?.outcome === "refused");
    assert.deepEqual([row.reason, row.host], ["domain_mismatch", "localhost"]);
  } finally {
    await browser.close();
    await shop.stop();
  }
});
