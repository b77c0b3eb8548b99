import assert from "node:assert/strict";
import { after, suite, test } from "node:test";
import { isDecision } from "@stile/core/domain/statistics/decision";
import { ENVELOPE_SEPARATOR } from "@stile/protocol/signals";
import { callApi } from "@stile/testkit/contract/call";
import { bearer, outcomeOf, redeem, SCORE } from "@stile/testkit/contract/redeem";
import { startInProcess } from "@stile/testkit/contract/service-fixtures";
import { MINTED_SCORE, mintToken, newSite, type TestSite } from "@stile/testkit/contract/sites";
import { askChallenge, challengeOf, signalsOf } from "@stile/testkit/contract/visitor";
import { CHROME_VISITOR } from "@stile/testkit/visits/find-visitor";

const fixture = await startInProcess();
after(() => fixture.stop());

/** The network in which this file's visitors collect and earn tokens. */
const HOME = "127.0.0.1";
const CURL = "curl/8.5.0";
const BROWSER = CHROME_VISITOR.userAgent;
const { blank, frame } = CHROME_VISITOR.environment;

/** Every kind of each piece of evidence that a body can hold (D7, score request). */
const KINDS = {
  signals: ["none", "honest", "driven", "replayed", "unreadable"],
  token: ["none", "genuine", "forged", "expired", "foreign", "spent"],
  userAgent: [undefined, BROWSER, CURL],
  headers: [undefined, CHROME_VISITOR.headers],
  ip: [undefined, HOME, "198.51.100.1"],
} as const;
type Kinds = { readonly [Piece in keyof typeof KINDS]: (typeof KINDS)[Piece][number] };

async function collect(site: TestSite, kind: Kinds["signals"]): Promise<string | undefined> {
  if (kind === "none") return undefined;
  if (kind === "unreadable") return "no.envelope";
  const { challenge } = challengeOf(await askChallenge(fixture, { site_key: site.siteKey }));
  const driven = {
    webdriver: true,
    blank: blank && { ...blank, webdriver: true },
    frame: frame && { ...frame, webdriver: true },
  };
  // Without a path, because this file does not test repeated paths.
  const { environment, behaviour } = signalsOf({
    behaviour: {
      pointer: [],
      keys: [
        [1_000, 1],
        [1_080, 0],
      ],
    },
    ...(kind === "driven" && { environment: driven }),
  });
  const envelope = [challenge, environment, behaviour].join(ENVELOPE_SEPARATOR);
  if (kind === "replayed") await askScore(site, { signals: envelope });
  return envelope;
}

async function showToken(site: TestSite, kind: Kinds["token"]): Promise<string | undefined> {
  const bound = { address: HOME, userAgent: BROWSER };
  switch (kind) {
    case "none":
      return undefined;
    case "genuine":
      return mintToken(fixture, site, bound);
    case "forged":
      return `${mintToken(fixture, site, bound).slice(0, -4)}AAAA`;
    case "expired":
      return mintToken(fixture, site, { ...bound, ageSeconds: 301 });
    case "foreign":
      return mintToken(fixture, await newSite(fixture), bound);
    case "spent": {
      const token = mintToken(fixture, site, bound);
      assert.equal(outcomeOf(await redeem(fixture, site, { token })), "verified");
      return token;
    }
  }
}

function askScore(site: TestSite, body: object) {
  return callApi(fixture.baseUrl, { path: SCORE, body, headers: bearer(site.secretKey) });
}

/**
 * The flags that the contract demands for a combination, and no others (D5, binding; D7, score
 * request).
 */
function expectedFlags(kinds: Kinds): string[] {
  const { signals, token, userAgent, headers, ip } = kinds;
  const isRead = signals === "honest" || signals === "driven" || signals === "replayed";
  const isBound = isRead || token === "genuine";
  const shown = userAgent ?? headers?.["user-agent"];
  const rules: readonly (readonly [string, boolean])[] = [
    ["automation_webdriver", signals === "driven"],
    ["signals_replayed", signals === "replayed"],
    ["signals_withheld", signals === "unreadable"],
    ["token_invalid", token !== "none" && token !== "genuine"],
    ["ua_declared_bot", shown === CURL],
    ["ua_changed", isBound && shown === CURL],
    ["ip_changed", isBound && ip !== undefined && ip !== HOME],
    ["low_evidence", signals === "none" && token === "none"],
  ];
  return rules.flatMap(([flag, isRaised]) => (isRaised ? [flag] : []));
}

/** The lowest and the highest score that these flags may lead to (D7, risk score). */
function expectedScore(flags: readonly string[], { token }: Kinds): readonly [number, number] {
  const blocks = ["automation_webdriver", "ua_declared_bot"];
  const asks = ["signals_withheld", "signals_replayed", "ua_changed"];
  const nothing = token === "genuine" ? MINTED_SCORE : 0.05;
  if (flags.includes("token_invalid")) return [1, 1];
  if (flags.some((flag) => blocks.includes(flag))) return [0.6, 1];
  if (flags.length === 0) return [nothing, nothing];
  if (flags.join() === "low_evidence") return [0.3, 0.3];
  return flags.some((flag) => asks.includes(flag)) ? [0.3, 0.99] : [nothing + 0.01, 0.59];
}

const recommendationOf = (score: number): string =>
  score >= 0.6 ? "block" : score >= 0.3 ? "challenge" : "allow";

async function checkScore(site: TestSite, kinds: Kinds): Promise<void> {
  const { userAgent: user_agent, headers, ip } = kinds;
  const body = {
    user_agent,
    headers,
    ip,
    signals: await collect(site, kinds.signals),
    token: await showToken(site, kinds.token),
  };
  const { status, body: answer } = await askScore(site, body);
  const { score, flags, action } = answer.data as {
    score: number;
    flags: string[];
    action: string;
  };
  const named = JSON.stringify({ ...kinds, headers: headers && "honest", score });
  assert.equal(status, 200, named);
  const expected = expectedFlags(kinds);
  assert.deepEqual(flags.toSorted(), expected.toSorted(), named);
  const [lowest, highest] = expectedScore(expected, kinds);
  assert.ok(score >= lowest && score <= highest, `${named}: ${lowest} to ${highest}`);
  assert.equal(action, recommendationOf(score), named);
}

suite("POST /score, every combination of evidence (D7, score request)", () => {
  for (const signals of KINDS.signals) {
    for (const token of KINDS.token) {
      test(`signals ${signals}, token ${token}: with and without user agent, headers and address`, async () => {
        fixture.clock.advance(60_000);
        const site = await newSite(fixture);
        let checked = 0;
        for (const userAgent of KINDS.userAgent) {
          for (const headers of KINDS.headers) {
            for (const ip of KINDS.ip) {
              await checkScore(site, { signals, token, userAgent, headers, ip });
              checked += 1;
            }
          }
        }
        assert.equal(checked, 18);
      });
    }
  }
});

suite("POST /score, stored and dropped data (D7, score request)", () => {
  async function decisionOf(body: object) {
    const site = await newSite(fixture);
    await askScore(site, body);
    await fixture.store.decisions.flush();
    const [decision] = await fixture.store.decisions.list({ siteKey: site.siteKey, limit: 1 });
    assert.ok(decision !== undefined);
    return decision;
  }

  test("shows the account action and host, but neither path nor query of the address, and nothing of the visitor", async () => {
    const decision = await decisionOf({
      url: "https://Shop.example:8443/login/canary-path?token=canary-query#canary-fragment",
      action: "login",
      ip: "203.0.113.99",
      user_agent: `${BROWSER} canary-agent`,
      headers: {
        cookie: "canary-cookie",
        authorization: "canary-secret",
        referer: "canary",
        "accept-language": "canary",
      },
      token: "canary-token",
      signals: "canary-signals.a.b",
    });
    assert.ok(isDecision(decision));
    assert.deepEqual(
      [decision.action, decision.host, decision.source],
      ["login", "shop.example", "score"],
    );
    const text = JSON.stringify(decision);
    for (const secret of ["canary", "203.0.113", "8443"]) assert.ok(!text.includes(secret), secret);
  });

  test("names no host for a url that is not a web address, and breaks nothing", async () => {
    for (const url of [
      "/login?x=1",
      "",
      "javascript:alert(1)",
      "https://",
      "https://user@shop.example/",
      "file:///etc",
      "https://a b/",
    ]) {
      const decision = await decisionOf({ url });
      assert.deepEqual([decision.host, decision.action], [null, null], url);
    }
  });

  test("reads headers that come as lists, as some frameworks send them, and drops values that are not texts", async () => {
    const site = await newSite(fixture, { scoreSignals: "none" });
    const asked = await askScore(site, {
      headers: { "User-Agent": [CURL], accept: [7], "accept-language": {} },
    });
    assert.deepEqual(asked.body.data.flags, ["ua_declared_bot"]);
    for (const headers of [
      { "user-agent": [] },
      { "user-agent": [CURL, null] },
      { cookie: [CURL] },
    ]) {
      const { flags } = (await askScore(site, { headers })).body.data as { flags: string[] };
      assert.ok(!flags.includes("ua_declared_bot"), JSON.stringify(headers));
    }
  });

  test("flags signals that were passed from the browser that collected them to a program elsewhere (splice)", async () => {
    const site = await newSite(fixture);
    const signals = await collect(site, "honest");
    const spliced = await askScore(site, {
      signals,
      ip: "198.51.100.1",
      user_agent: BROWSER.replaceAll("140", "139"),
    });
    const { flags, score } = spliced.body.data as { flags: string[]; score: number };
    for (const flag of ["ip_changed", "ua_changed", "environment_mismatch"])
      assert.ok(flags.includes(flag), flag);
    assert.ok(score >= 0.6, `score ${score}`);
  });

  test("lets visitors of a site without binding move, with tokens and with signals (D5, binding)", async () => {
    const site = await newSite(fixture, { binding: "off" });
    const token = mintToken(fixture, site, { address: HOME });
    const moved = await askScore(site, {
      signals: await collect(site, "honest"),
      token,
      ip: "198.51.100.1",
    });
    assert.deepEqual(moved.body.data.flags, []);
  });
});
