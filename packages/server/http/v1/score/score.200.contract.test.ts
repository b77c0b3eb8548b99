import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { ENVELOPE_SEPARATOR } from "@stile/protocol/signals";
import { type ApiAnswer, type ApiCall, callApi } from "@stile/testkit/contract/call";
import { bearer, outcomeOf, redeem, SCORE } from "@stile/testkit/contract/redeem";
import { type ServiceFixture, startFixtures } from "@stile/testkit/contract/service-fixtures";
import { mintToken, newSite, type TestSite } from "@stile/testkit/contract/sites";
import { askChallenge, challengeOf, signalsOf } from "@stile/testkit/contract/visitor";
import { CHROME_VISITOR } from "@stile/testkit/visits/find-visitor";

const HEADLESS = CHROME_VISITOR.userAgent.replace("Chrome/", "HeadlessChrome/");

function askScore(
  fixture: ServiceFixture,
  site: TestSite,
  body: ApiCall["body"],
  more: Partial<ApiCall> = {},
) {
  return callApi(fixture.baseUrl, { path: SCORE, body, headers: bearer(site.secretKey), ...more });
}

/** The result of `stile.collect()` on a page of the site (D7, score request). */
async function collect(
  fixture: ServiceFixture,
  site: TestSite,
  visitor: Parameters<typeof signalsOf>[0] = {},
): Promise<string> {
  const { challenge } = challengeOf(await askChallenge(fixture, { site_key: site.siteKey }));
  const { environment, behaviour } = signalsOf(visitor);
  return [challenge, environment, behaviour].join(ENVELOPE_SEPARATOR);
}

function say({ body }: ApiAnswer): string {
  const { score, action, flags } = body.data as { score: number; action: string; flags: string[] };
  return [score.toFixed(2), action, ...flags].join(" ");
}

/**
 * Rows of D7 (score request) for a site that never collects signals: a body that needs nothing of
 * the fixture, and its result.
 */
const SCORES: readonly (readonly [body: object, expected: string])[] = [
  [{}, "0.30 challenge low_evidence"],
  [
    { url: "https://shop.example/login?token=secret", action: "login" },
    "0.30 challenge low_evidence",
  ],
  [{ ip: "203.0.113.7" }, "0.30 challenge low_evidence"],
  [{ user_agent: CHROME_VISITOR.userAgent }, "0.05 allow"],
  [{ user_agent: CHROME_VISITOR.userAgent, headers: CHROME_VISITOR.headers }, "0.05 allow"],
  [{ headers: { "User-Agent": CHROME_VISITOR.userAgent } }, "0.05 allow"],
  [{ user_agent: HEADLESS }, "0.83 block ua_headless"],
  [{ user_agent: "python-requests/2.32" }, "0.83 block ua_declared_bot"],
  [
    { user_agent: "", ip: "", url: "", action: "", token: "", signals: "" },
    "0.30 challenge low_evidence",
  ],
  [{ user_agent: CHROME_VISITOR.userAgent, headers: [] }, "0.05 allow"],
  [{ user_agent: CHROME_VISITOR.userAgent, headers: "" }, "0.05 allow"],
  [{ user_agent: CHROME_VISITOR.userAgent, ip: "unknown" }, "0.13 allow ip_hidden"],
  [{ user_agent: CHROME_VISITOR.userAgent, ip: "203.0.113.7:49152, 10.0.0.1" }, "0.05 allow"],
  [{ ip: "unknown" }, "0.54 challenge ip_hidden low_evidence"],
  [
    { headers: { Cookie: HEADLESS, "X-Forwarded-For": "curl/8.0", Referer: "x" } },
    "0.30 challenge low_evidence",
  ],
  [{ headers: { "user-agent": 7 } }, "0.30 challenge low_evidence"],
  [{ token: "forged" }, "1.00 block token_invalid"],
  [{ token: 7 }, "1.00 block token_invalid"],
  [{ token: "x".repeat(3000) }, "1.00 block token_invalid"],
  [{ token: null }, "0.30 challenge low_evidence"],
  [{ signals: "not.an.envelope.at.all" }, "0.30 challenge signals_withheld"],
  [{ signals: "forged.e30.e30" }, "0.30 challenge signals_withheld"],
];

/** The same for a site that collects signals: the missing ones come with the score. */
const MISSING: readonly (readonly [
  signals: unknown,
  expected: string,
  missing: string | undefined,
])[] = [
  [undefined, "0.30 challenge low_evidence", "signals"],
  [null, "0.30 challenge low_evidence", "signals"],
  ["", "0.30 challenge low_evidence", "signals"],
  [[], "0.30 challenge low_evidence", "signals"],
  [{}, "0.30 challenge low_evidence", "signals"],
  ["not.an.envelope.at.all", "0.30 challenge signals_withheld", undefined],
];

/** Scores on either side of the thresholds of D6 (scores). */
const THRESHOLDS: readonly (readonly [score: number, action: string])[] = [
  [0, "allow"],
  [0.29, "allow"],
  [0.3, "challenge"],
  [0.59, "challenge"],
  [0.6, "block"],
  [1, "block"],
];

for (const fixture of await startFixtures()) {
  suite(`spec 4.2 and D7 (score request), ${fixture.name}`, () => {
    for (const [body, expected] of SCORES) {
      test(`${JSON.stringify(body).slice(0, 70)}: ${expected}`, async () => {
        const answer = await askScore(
          fixture,
          await newSite(fixture, { scoreSignals: "none" }),
          body,
        );
        assert.equal(answer.status, 200);
        assert.equal(say(answer), expected);
        assert.deepEqual(Object.keys(answer.body).sort(), ["data", "success"]);
        assert.deepEqual(Object.keys(answer.body.data).sort(), ["action", "flags", "score"]);
        assert.equal(answer.body.success, true);
        assert.match(answer.headers.ratelimit ?? "", /^"score";r=499;t=\d+$/);
        assert.equal(answer.headers["ratelimit-policy"], '"score";q=500;w=60');
      });
    }

    for (const [signals, expected, missing] of MISSING) {
      test(`gives a visitor without usable signals (${JSON.stringify(signals)}) ${expected} (D7, score request)`, async () => {
        const body = {
          user_agent: CHROME_VISITOR.userAgent,
          headers: CHROME_VISITOR.headers,
          signals,
        };
        const answer = await askScore(fixture, await newSite(fixture), body);
        assert.equal(say(answer), expected);
        assert.equal(answer.body.data.missing, missing);
      });
    }

    test("gives a visitor whose signals show no input 0.30, and a visitor who moves a pointer 0.05 (D7, score request)", async () => {
      const site = await newSite(fixture);
      const known = { user_agent: CHROME_VISITOR.userAgent, headers: CHROME_VISITOR.headers };
      const unseen = await collect(fixture, site, { behaviour: { pointer: [], keys: [] } });
      const idle = await askScore(fixture, site, { ...known, signals: unseen });
      assert.deepEqual(
        [say(idle), idle.body.data.missing],
        ["0.30 challenge low_evidence", "behaviour"],
      );
      const seen = await askScore(fixture, site, {
        ...known,
        signals: await collect(fixture, site),
      });
      assert.deepEqual([say(seen), seen.body.data.missing], ["0.05 allow", undefined]);
    });

    test("ignores an ip that is no address on a site without binding (D5, binding; D7, score request)", async () => {
      const site = await newSite(fixture, { scoreSignals: "none", binding: "off" });
      const body = { user_agent: CHROME_VISITOR.userAgent, ip: "unknown" };
      assert.equal(say(await askScore(fixture, site, body)), "0.05 allow");
    });

    test("treats a token as invalid from the eleventh score on, and still redeems it once (D7, score request)", async () => {
      const site = await newSite(fixture);
      const token = mintToken(fixture, site);
      const heard = [];
      for (let i = 0; i < 11; i++) heard.push(say(await askScore(fixture, site, { token })));
      assert.deepEqual(new Set(heard.slice(0, 10)), new Set(["0.17 allow"]));
      assert.match(heard[10] ?? "", /^1\.00 block .*token_invalid/);
      assert.equal(outcomeOf(await redeem(fixture, site, { token })), "verified");
    });

    for (const [score, action] of THRESHOLDS) {
      test(`recommends ${action} for a score of ${score.toFixed(2)} (spec 4.2; D6, scores)`, async () => {
        const site = await newSite(fixture);
        const answer = await askScore(fixture, site, {
          token: mintToken(fixture, site, { score }),
        });
        // With any token, no score is below that of a visitor with nothing against them.
        assert.equal(answer.body.data.score, Math.max(score, 0.05));
        assert.equal(answer.body.data.action, action);
      });
    }

    test("uses the site's own thresholds, at exactly their values (D6, scores)", async () => {
      const site = await newSite(fixture, { thresholds: { challenge: 0.12, block: 0.45 } });
      const actions = [];
      for (const score of [0.11, 0.12, 0.44, 0.45]) {
        actions.push(
          (await askScore(fixture, site, { token: mintToken(fixture, site, { score }) })).body.data
            .action,
        );
      }
      assert.deepEqual(actions, ["allow", "challenge", "challenge", "block"]);
    });

    test("reads a token without spending it: it redeems afterwards, and is invalid here once redeemed", async () => {
      const site = await newSite(fixture);
      const token = mintToken(fixture, site);
      assert.equal(say(await askScore(fixture, site, { token })), "0.17 allow");
      assert.equal(say(await askScore(fixture, site, { token })), "0.17 allow");
      assert.equal(outcomeOf(await redeem(fixture, site, { token })), "verified");
      assert.equal(say(await askScore(fixture, site, { token })), "1.00 block token_invalid");
    });

    test("treats an expired token or another site's as invalid, like a forged one", async () => {
      const site = await newSite(fixture);
      for (const token of [
        mintToken(fixture, site, { ageSeconds: 301 }),
        mintToken(fixture, await newSite(fixture)),
      ]) {
        assert.equal(say(await askScore(fixture, site, { token })), "1.00 block token_invalid");
      }
    });

    test("raises flags and score for another network or browser than the token's", async () => {
      const site = await newSite(fixture);
      const token = mintToken(fixture, site);
      assert.equal(
        say(await askScore(fixture, site, { token, ip: "198.51.100.1" })),
        "0.36 challenge ip_changed",
      );
      const moved = await askScore(fixture, site, { token, user_agent: CHROME_VISITOR.userAgent });
      assert.equal(say(moved), "0.48 challenge ua_changed");
    });

    test("counts the result of collect() once: a replay raises signals_replayed", async () => {
      const site = await newSite(fixture);
      const body = { signals: await collect(fixture, site), user_agent: CHROME_VISITOR.userAgent };
      assert.equal(say(await askScore(fixture, site, body)), "0.05 allow");
      assert.equal(say(await askScore(fixture, site, body)), "0.39 challenge signals_replayed");
    });

    test("believes signals of automation, and treats another site's challenge as withheld signals", async () => {
      const site = await newSite(fixture);
      const signals = await collect(fixture, site, { environment: { webdriver: true } });
      const flags = (await askScore(fixture, site, { signals })).body.data.flags as string[];
      assert.ok(flags.includes("automation_webdriver"));
      const foreign = await collect(fixture, await newSite(fixture));
      assert.equal(
        say(await askScore(fixture, site, { signals: foreign })),
        "0.30 challenge signals_withheld",
      );
    });

    test("lets no browser of another origin read it: there is no CORS, not even a preflight (D7, score request; D8, challenge)", async () => {
      const headers = { origin: "https://shop.example", "access-control-request-method": "POST" };
      const preflight = await callApi(fixture.baseUrl, { path: SCORE, method: "OPTIONS", headers });
      assert.equal(preflight.status, 405);
      const asked = await askScore(fixture, await newSite(fixture), {}, { headers });
      for (const answer of [preflight, asked])
        assert.equal(answer.headers["access-control-allow-origin"], undefined);
    });
  });
}
