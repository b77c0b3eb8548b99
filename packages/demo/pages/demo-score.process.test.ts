import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { after, test } from "node:test";
import { OPERATOR } from "@stile/core/domain/account/audit";
import { callApi } from "@stile/testkit/contract/call";
import {
  newAccount,
  newMember,
  newSession,
  type SignedInMember,
} from "@stile/testkit/contract/dashboard";
import { startInOwnProcess } from "@stile/testkit/contract/service-fixtures";
import { newSite } from "@stile/testkit/contract/sites";
import { mintTokens } from "@stile/testkit/minting/mint-tokens";

const fixture = await startInOwnProcess({
  STILE_LIMIT_CHALLENGE: "5",
  STILE_LIMIT_CHALLENGE_TOTAL: "5",
});
after(() => fixture.stop());
const dataDirectory = dirname(fixture.databaseFile ?? "");
const { site_key: siteKey } = JSON.parse(
  readFileSync(join(dataDirectory, "demo.json"), "utf8"),
) as {
  site_key: string;
};
const demoAccountId = (await fixture.store.sites.findSite(siteKey))?.accountId ?? "";
const VISITOR = { address: "127.0.0.1", userAgent: "Visitor/1" };
const tokens = await mintTokens({ dataDirectory, siteKey, count: 20, ...VISITOR });

/** The demo's answer to a form with a fresh or the given token, as a page or as JSON. */
async function submit(
  options: { cookie?: string; isJson?: boolean; token?: string } = {},
): Promise<string> {
  const { cookie, isJson = false, token = tokens.pop() ?? assert.fail("too few tokens") } = options;
  const body = isJson
    ? JSON.stringify({ "stile-response": token })
    : new URLSearchParams({ "stile-response": token }).toString();
  const type = isJson ? "application/json" : "application/x-www-form-urlencoded";
  const headers = {
    "content-type": type,
    "user-agent": VISITOR.userAgent,
    ...(cookie && { cookie }),
  };
  const response = await fetch(`${fixture.baseUrl}/demo/submit`, { method: "POST", headers, body });
  assert.equal(response.status, 200);
  return response.text();
}

async function memberOfDemo(role: "owner" | "viewer" = "viewer"): Promise<SignedInMember> {
  return newSession(fixture, await newMember(fixture, demoAccountId, role));
}

test("shows a visitor the verdict and no score, as a page and as JSON, passed or refused (D4, sealed token; D9, submission)", async () => {
  const [token = ""] = tokens;
  for (const isJson of [false, true]) {
    for (const given of [{}, { token: "not a token" }, { token: "" }, { token }]) {
      const text = await submit({ ...given, isJson });
      assert.doesNotMatch(text, /score(&quot;|")/);
      assert.doesNotMatch(text, /0\.05|flags/);
      assert.match(text, /verified/);
    }
  }
  assert.match(await submit({ token }), /token_already_used/);
  assert.match(await submit(), /<h1 class="passed">.*The score is left out here/s);
  const { answer } = JSON.parse(await submit({ isJson: true }));
  assert.deepEqual(Object.keys(answer.data), ["verified", "hostname", "timestamp", "challenge_ts"]);
});

test("shows the whole answer to a member who is signed in to that account", async () => {
  const { cookie } = await memberOfDemo();
  assert.match(await submit({ cookie }), /&quot;score&quot;: 0\.05/);
  const { answer } = JSON.parse(await submit({ cookie, isJson: true }));
  assert.equal(answer.data.score, 0.05);
});

test("hides the score from an ended session, another account's session and an invented one", async () => {
  const stranger = (await newAccount(fixture)).members.owner;
  const ended = await memberOfDemo("owner");
  const entry = {
    accountId: demoAccountId,
    atMs: Date.now(),
    subject: "a session",
    siteKey: null,
    changes: [],
  };
  const { userId } = ended.member;
  const { sessionId } = ended.session;
  await fixture.store.sessions.removeSession(userId, sessionId, {
    ...entry,
    actor: OPERATOR,
    action: "session_revoked",
  });
  const { cookie } = await memberOfDemo();
  const made = `__Host-stile=${"A".repeat(43)}`;
  for (const other of [stranger.cookie, ended.cookie, made, `${cookie}; ${made}`]) {
    assert.doesNotMatch(await submit({ cookie: other }), /score&quot;/);
    assert.equal(
      JSON.parse(await submit({ cookie: other, isJson: true })).answer.data.score,
      undefined,
    );
  }
});

test("keeps the demo's limits apart from those of the account's sites (D10, limits)", async () => {
  const statusOf = async (key: string, from: string): Promise<number> => {
    const path = `/api/v1/pow/challenge?site_key=${key}`;
    return (await callApi(fixture.baseUrl, { method: "GET", path, from })).status;
  };
  const own = await newSite(fixture, {}, demoAccountId);
  for (let i = 1; i <= 30; i++) await statusOf(siteKey, `127.0.${i}.1`);
  assert.equal(await statusOf(own.siteKey, "127.0.99.1"), 200);
});
