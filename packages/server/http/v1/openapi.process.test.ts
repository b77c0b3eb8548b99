import assert from "node:assert/strict";
import { test } from "node:test";
import { updateSite } from "@stile/core/use-cases/site/update-site";
import { errorAnswerSchema, tokenVerifyAnswerSchema } from "@stile/protocol/schemas/answers";
import { OPERATIONS } from "@stile/protocol/schemas/openapi";
import { type ApiAnswer, callApi } from "@stile/testkit/contract/call";
import { bearer, SCORE, TOKEN_VERIFY } from "@stile/testkit/contract/redeem";
import { holdDatabase, runInSecondProcess } from "@stile/testkit/contract/second-process";
import { startInOwnProcess } from "@stile/testkit/contract/service-fixtures";
import { mintToken, newSite, type TestSite } from "@stile/testkit/contract/sites";
import {
  challengeOf,
  PAGE_HEADERS,
  type SubmissionBody,
  solve,
  visit,
} from "@stile/testkit/contract/visitor";

type Document = {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string };
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { readonly responses: Record<string, unknown> }>>>
  >;
};

const fixture = await startInOwnProcess({ STILE_LIMIT_CHALLENGE: "6" });
test.after(fixture.stop);
const file = fixture.databaseFile ?? "";
const document = (await (await fetch(`${fixture.baseUrl}/api/v1/openapi.json`)).json()) as Document;

const CHALLENGE = "/api/v1/pow/challenge";
const VERIFY = "/api/v1/verify";

/** Documented statuses that no call on this machine can cause, and why. */
const UNREACHED: Readonly<Record<string, string>> = {
  [`${CHALLENGE} 503`]: "a challenge only reads, and in SQLite's WAL a reader waits for nobody",
};

/** All answers of the running service, unchanged, by path and status. */
const reached = new Map<string, ApiAnswer>();

async function call(
  path: string,
  more: Omit<Parameters<typeof callApi>[1], "path"> = {},
): Promise<ApiAnswer> {
  const answer = await callApi(fixture.baseUrl, { ...more, path });
  reached.set(`${path.split("?")[0]} ${answer.status}`, answer);
  return answer;
}

const redeemAs = (site: TestSite, body: object | string = {}, headers: object = {}) =>
  call(TOKEN_VERIFY, { body, headers: { ...bearer(site.secretKey), ...headers } });
const scoreAs = (site: TestSite, body: object | string = {}, headers: object = {}) =>
  call(SCORE, { body, headers: { ...bearer(site.secretKey), ...headers } });
const submitAs = (body: object | string, headers: object = {}) =>
  call(VERIFY, { body, headers: { ...PAGE_HEADERS, ...headers } });
const askFor = (siteKey: string, headers = PAGE_HEADERS) =>
  call(`${CHALLENGE}?site_key=${siteKey}`, { method: "GET", headers });

const TEXT = { "content-type": "text/plain" };
const FOREIGN = { ...PAGE_HEADERS, origin: "https://evil.test" };

async function reachRefusals(site: TestSite): Promise<void> {
  const empty = { site_key: site.siteKey, challenge: "x", solution: "x" };
  const big = { padding: "x".repeat(65_536) };
  for (const path of [TOKEN_VERIFY, SCORE, VERIFY]) await call(path, { method: "PUT" });
  await call(CHALLENGE, { method: "PUT" });
  for (const body of ["[]", {}, big]) {
    await redeemAs(site, body);
    await scoreAs(site, body);
  }
  for (const body of ["[]", empty, big, { ...empty, site_key: "pk_unknown" }]) await submitAs(body);
  await submitAs(empty, { origin: "https://evil.test" });
  await redeemAs(site, "{}", TEXT);
  await scoreAs(site, "{}", TEXT);
  await submitAs("{}", TEXT);
  for (const path of [TOKEN_VERIFY, SCORE]) await call(path, { body: {} });
  await call(TOKEN_VERIFY, { body: big });
  await call(CHALLENGE, { method: "GET" });
  await askFor("pk_unknown");
  await askFor(site.siteKey, FOREIGN);
  const disabled = await newSite(fixture);
  await updateSite(fixture.ports, disabled, { isEnabled: false });
  await scoreAs(disabled);
}

async function reachLimits(): Promise<void> {
  const narrow = await newSite(fixture, {
    verifyPerMinute: 1,
    scorePerMinute: 1,
    difficultyOffset: -1,
  });
  const submissions: SubmissionBody[] = [];
  for (let i = 0; i < 6; i++) {
    const challenge = challengeOf(await askFor(narrow.siteKey));
    if (i < 2)
      submissions.push(await solve(fixture, narrow, challenge, { environment: "withheld" }));
  }
  for (let i = 0; i < 2; i++) {
    await redeemAs(narrow, { token: mintToken(fixture, narrow) });
    await scoreAs(narrow);
    await askFor(narrow.siteKey);
    await submitAs(submissions[i] ?? {});
  }
}

async function reachFaults(): Promise<void> {
  const site = await newSite(fixture, { difficultyOffset: -1 });
  const orphan = await newSite(fixture);
  const submission = await solve(fixture, site, challengeOf(await askFor(site.siteKey)));
  const tryAll = () =>
    Promise.all([
      redeemAs(site, { token: mintToken(fixture, site) }),
      scoreAs(site),
      submitAs(submission),
    ]);
  const holder = await holdDatabase(file);
  await tryAll();
  await holder.release();
  const damage = `PRAGMA foreign_keys = OFF; DELETE FROM accounts WHERE account_id = '${orphan.accountId}';
    DROP TABLE token_marks; DROP TABLE challenge_marks; DROP TABLE rate_counts`;
  await (await runInSecondProcess(file, damage)).release();
  await tryAll();
  await askFor(orphan.siteKey);
}

test("is served as OpenAPI 3.1, readable by any origin", async () => {
  const response = await fetch(`${fixture.baseUrl}/api/v1/openapi.json`);
  assert.equal(response.headers.get("access-control-allow-origin"), "*");
  assert.equal(response.headers.get("content-type"), "application/json; charset=utf-8");
  assert.match(document.openapi, /^3\.1\.\d$/);
  assert.deepEqual([document.info.title, document.info.version], ["Stile", "1"]);
});

test("covers exactly the four operations of spec 4, each with its version in the path, and nothing of the dashboard (spec 1)", () => {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method} ${path}`),
  );
  assert.deepEqual(operations.sort(), [
    `get ${CHALLENGE}`,
    `post ${SCORE}`,
    `post ${TOKEN_VERIFY}`,
    `post ${VERIFY}`,
  ]);
  assert.doesNotMatch(
    JSON.stringify(Object.keys(document.paths)),
    /dashboard|site[s/]|statistic|rotate/i,
  );
});

test("has a real call or a stated reason for every documented status, and no call reaches another one", async () => {
  const site = await newSite(fixture, { difficultyOffset: -1 });
  await redeemAs(site, { token: mintToken(fixture, site, { actionName: "login", cdata: "x" }) });
  await visit(fixture, site);
  await reachRefusals(site);
  await reachLimits();
  await reachFaults();
  const documented = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.values(methods).flatMap(({ responses }) =>
      Object.keys(responses).map((status) => `${path} ${status}`),
    ),
  );
  assert.deepEqual([...reached.keys(), ...Object.keys(UNREACHED)].sort(), documented.sort());
});

for (const { path, answer: ok, failures } of OPERATIONS) {
  test(`matches real answers of ${path} with the document, field by field`, () => {
    const ofPath = [...reached].filter(([key]) => key.startsWith(`${path} `));
    assert.ok(ofPath.length >= 7, "the calls of the test before");
    for (const [key, { status, body }] of ofPath) {
      const schema = status === 200 ? ok : failures.answer;
      const parsed = schema.safeParse(body);
      assert.ok(parsed.success, `${key}: ${parsed.error?.message}`);
      // Parsing drops fields that the schema does not know, so equality shows that nothing was
      // dropped.
      assert.deepEqual(parsed.data, body, key);
    }
  });
}

test("refuses answers that the service never gives, so that the comparison above can fail", () => {
  const [refused] = [...reached]
    .filter(([key]) => key === `${TOKEN_VERIFY} 401`)
    .map(([, answer]) => answer.body);
  assert.equal(
    tokenVerifyAnswerSchema.safeParse({ ...refused, reasonCode: "unheard_of" }).success,
    false,
  );
  assert.equal(
    errorAnswerSchema.safeParse({ success: true, data: {}, error: refused?.error }).success,
    false,
  );
  assert.equal(errorAnswerSchema.safeParse({ success: false, data: {} }).success, false);
});
