import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { TEST_KEYS, type TestBehaviour } from "@stile/core/domain/site/test-keys";
import { REASON_CODES } from "@stile/protocol/reason-codes";
import { POINTER_KINDS } from "@stile/protocol/signals";
import { type ApiAnswer, callApi } from "@stile/testkit/contract/call";
import { startInProcess, type TimedFixture } from "@stile/testkit/contract/service-fixtures";
import { mintToken, newSite, VISITOR } from "@stile/testkit/contract/sites";
import { askChallenge, challengeOf, signalsOf, submit } from "@stile/testkit/contract/visitor";

const keysOf = (behaviour: TestBehaviour) =>
  TEST_KEYS.find((keys) => keys.behaviour === behaviour) ?? assert.fail(behaviour);
const PASS = keysOf("pass");
const LOCAL = "http://localhost:3000";

type Visit = {
  readonly origin?: string;
  readonly headers?: Record<string, string>;
  readonly cdata?: string;
};

/** What a page with that site key gets: a token, or the code of the refusal. */
async function earn(
  fixture: TimedFixture,
  siteKey: string,
  { origin = LOCAL, headers = {}, cdata }: Visit = {},
): Promise<string> {
  const more = { headers: { origin, ...headers } };
  const asked = await askChallenge(fixture, { site_key: siteKey }, more);
  if (asked.status !== 200) return asked.body.error?.code ?? "";
  const { challenge } = challengeOf(asked);
  const body = { site_key: siteKey, challenge, solution: "A", signals: signalsOf() };
  const answer = await submit(fixture, { ...body, ...(cdata && { cdata }) }, more);
  return String(answer.body.data.token ?? answer.body.data.next ?? answer.body.error?.code);
}

const redeem = (fixture: TimedFixture, secretKey: string, body: object): Promise<ApiAnswer> =>
  callApi(fixture.baseUrl, {
    path: "/api/v1/token/verify",
    headers: { authorization: `Bearer ${secretKey}` },
    body,
  });

/** `passed`, or the reason of the refusal. */
const verdictOf = ({ body: { data, reasonCode } }: ApiAnswer): unknown =>
  data.verified === true ? "passed" : reasonCode;

const verdict = async (fixture: TimedFixture, secretKey: string, token: string) =>
  verdictOf(await redeem(fixture, secretKey, { token }));

suite("test keys on a service that strangers can reach (D19, test keys)", async () => {
  const places = [
    { STILE_BASE_URL: "https://stile.example.org" },
    { STILE_HOST: "0.0.0.0" },
    { STILE_TRUSTED_PROXIES: "10.0.0.0/8" },
  ];
  for (const environment of places) {
    const fixture = await startInProcess(environment);
    test.after(fixture.stop);

    test(`are unknown keys, with ${Object.keys(environment)}`, async () => {
      const site = await newSite(fixture, { domains: ["localhost"] });
      for (const { siteKey, secretKey } of TEST_KEYS) {
        assert.equal(await earn(fixture, siteKey), "invalid_site_key");
        const answer = await redeem(fixture, secretKey, { token: mintToken(fixture, site) });
        assert.deepEqual([answer.status, answer.body.reasonCode], [401, "invalid_secret"]);
        // A service of the same installation may have sealed it while it was for this machine
        // alone.
        const earlier = mintToken(fixture, { ...site, siteKey }, { hostname: "localhost" });
        assert.equal(await verdict(fixture, secretKey, earlier), "invalid_secret");
        assert.equal(await verdict(fixture, site.secretKey, earlier), "invalid_site_key");
      }
    });
  }
});

suite("test keys on a service for this machine alone (D19, test keys)", async () => {
  const fixture = await startInProcess();
  test.after(fixture.stop);

  test("work on localhost and private hosts, and on no public one", async () => {
    for (const host of ["localhost", "app.localhost", "shop.test", "127.0.0.1", "[::1]"])
      assert.ok((await earn(fixture, PASS.siteKey, { origin: `http://${host}` })).length >= 100);
    for (const host of ["10.1.2.3", "172.31.0.1", "192.168.0.9", "169.254.1.1", "[fd00::1]"])
      assert.ok((await earn(fixture, PASS.siteKey, { origin: `http://${host}` })).length >= 100);
    const others = ["shop.example", "localhost.evil.com", "172.32.0.1", "8.8.8.8", "[2001:db8::1]"];
    for (const host of [...others, "test.com", "0.0.0.0"])
      assert.equal(
        await earn(fixture, PASS.siteKey, { origin: `http://${host}` }),
        "domain_mismatch",
      );
    assert.equal(await earn(fixture, PASS.siteKey, { origin: "null" }), "domain_mismatch");
  });

  test("don't work for a stranger whom a proxy lets in, whatever Origin they write", async () => {
    for (const name of ["x-forwarded-for", "x-real-ip", "forwarded", "via"])
      assert.equal(
        await earn(fixture, PASS.siteKey, { headers: { [name]: "203.0.113.7" } }),
        "domain_mismatch",
        name,
      );
  });

  test("do what their names say", async () => {
    const token = await earn(fixture, PASS.siteKey);
    for (let repeat = 0; repeat < 2; repeat++)
      assert.equal(await verdict(fixture, PASS.secretKey, token), "passed");
    assert.equal(await earn(fixture, keysOf("fail").siteKey), "blocked");
    for (const behaviour of ["expired", "used"] as const) {
      const { siteKey, secretKey, reasonCode } = keysOf(behaviour);
      const earned = await earn(fixture, siteKey);
      assert.equal(await verdict(fixture, PASS.secretKey, earned), reasonCode);
      assert.equal(await verdict(fixture, secretKey, token), reasonCode);
    }
    assert.equal(await verdict(fixture, keysOf("fail").secretKey, token), "invalid_signature");
  });

  test("ask for a press, which the page has to report, or recommend a second step", async () => {
    const { siteKey, secretKey } = keysOf("press");
    const more = { headers: { origin: LOCAL } };
    const challenge = challengeOf(await askChallenge(fixture, { site_key: siteKey }, more));
    assert.equal(challenge.interaction, "click");
    const pressed = [1, 2, 3, POINTER_KINDS.indexOf("click"), 0, 0, 1] as const;
    const send = (pointer: (typeof pressed)[]) =>
      submit(
        fixture,
        {
          site_key: siteKey,
          challenge: challenge.challenge,
          solution: "A",
          signals: signalsOf({ behaviour: { pointer } }),
        },
        more,
      );
    assert.equal((await send([])).body.data.next, "retry");
    const { token } = (await send([pressed])).body.data;
    const byPress = await redeem(fixture, secretKey, { token });
    assert.equal(byPress.body.data.recommendation, "allow");
    const byOther = { token: await earn(fixture, PASS.siteKey) };
    assert.equal((await redeem(fixture, secretKey, byOther)).body.data.recommendation, "challenge");
  });

  test("refuse a token for each reason that its cdata names, with the status of that reason", async () => {
    for (const reasonCode of Object.keys(REASON_CODES)) {
      const token = await earn(fixture, PASS.siteKey, { cdata: reasonCode });
      const answer = await redeem(fixture, PASS.secretKey, { token });
      const status = { invalid_secret: 401, internal_error: 503 }[reasonCode] ?? 200;
      assert.deepEqual([answer.status, answer.body.reasonCode], [status, reasonCode]);
    }
  });

  test("accept no token but their own, and no real secret key accepts theirs", async () => {
    const site = await newSite(fixture, { domains: ["localhost"] });
    const real = mintToken(fixture, site, { hostname: "localhost" });
    const own = await earn(fixture, PASS.siteKey);
    for (const { secretKey, behaviour } of TEST_KEYS.filter((keys) => keys.behaviour !== "timeout"))
      assert.equal(await verdict(fixture, secretKey, real), "site_key_mismatch", behaviour);
    assert.equal(await verdict(fixture, site.secretKey, own), "invalid_site_key");
    assert.equal(await verdict(fixture, PASS.secretKey, "x".repeat(200)), "invalid_signature");
    assert.equal(await verdict(fixture, PASS.secretKey, ""), "missing_token");
    const elsewhere = mintToken(fixture, { ...site, siteKey: PASS.siteKey });
    assert.equal(await verdict(fixture, PASS.secretKey, elsewhere), "invalid_site_key");
    const visitor = { remoteip: VISITOR.address, user_agent: VISITOR.userAgent };
    const answer = await redeem(fixture, site.secretKey, { token: real, ...visitor });
    assert.equal(verdictOf(answer), "passed", "nothing of this spent it");
  });

  test("expire, and a challenge of theirs is for their site key alone", async () => {
    const own = await earn(fixture, PASS.siteKey);
    const site = await newSite(fixture, { domains: ["localhost"] });
    const more = { headers: { origin: LOCAL } };
    const asked = await askChallenge(fixture, { site_key: PASS.siteKey }, more);
    const { challenge } = challengeOf(asked);
    assert.equal(asked.body.data.test, true);
    for (const siteKey of [site.siteKey, keysOf("used").siteKey]) {
      const body = { site_key: siteKey, challenge, solution: "A", signals: signalsOf() };
      assert.equal((await submit(fixture, body, more)).body.data.next, "retry");
    }
    fixture.clock.advance(300_000);
    assert.equal(await verdict(fixture, PASS.secretKey, own), "token_expired");
  });

  test("leave no trace in the store", async () => {
    const site = await newSite(fixture);
    await earn(fixture, PASS.siteKey);
    await fixture.store.decisions.flush();
    const query = { siteKey: PASS.siteKey, limit: 9 };
    assert.deepEqual(await fixture.store.decisions.list(query), []);
    assert.equal(await fixture.store.sites.findSite(PASS.siteKey), undefined);
    assert.equal((await fixture.store.sites.listSites(site.accountId)).length, 1);
  });

  test("get the score that their name says, and the same result in other vendors' calls", async () => {
    const scoreOf = async (behaviour: TestBehaviour) => {
      const { body } = await callApi(fixture.baseUrl, {
        path: "/api/v1/score",
        headers: { authorization: `Bearer ${keysOf(behaviour).secretKey}` },
        body: {},
      });
      return body.data.action;
    };
    assert.deepEqual(await Promise.all((["pass", "press", "fail", "used"] as const).map(scoreOf)), [
      "allow",
      "challenge",
      "block",
      "block",
    ]);
    const response = await earn(fixture, PASS.siteKey);
    for (const [behaviour, success] of [
      ["pass", true],
      ["used", false],
    ] as const) {
      const answer = await fetch(`${fixture.baseUrl}/turnstile/v0/siteverify`, {
        method: "POST",
        body: new URLSearchParams({ secret: keysOf(behaviour).secretKey, response }),
      });
      assert.equal(((await answer.json()) as { success: boolean }).success, success);
    }
  });

  test("limit each caller", async () => {
    const limited = await startInProcess({
      STILE_LIMIT_CHALLENGE: "2",
      STILE_LIMIT_CHALLENGE_TOTAL: "2",
    });
    const from = [];
    for (let i = 0; i < 2; i++) from.push(await earn(limited, PASS.siteKey));
    await limited.stop();
    assert.equal(from.at(-1), "rate_limited");
  });
});

suite("test keys on hosts that the operator names (D19, test keys)", async () => {
  const fixture = await startInProcess({
    STILE_BASE_URL: "https://stile.example.org",
    STILE_TEST_HOSTS: "staging.example.org, localhost",
  });
  test.after(fixture.stop);

  test("work there and below, through proxies too, and nowhere else", async () => {
    const headers = { "x-forwarded-for": "203.0.113.7" };
    for (const host of ["staging.example.org", "a.staging.example.org", "localhost"]) {
      const token = await earn(fixture, PASS.siteKey, { origin: `https://${host}`, headers });
      const { body } = await redeem(fixture, PASS.secretKey, { token });
      assert.deepEqual([body.data.verified, body.data.hostname], [true, host]);
    }
    for (const host of ["example.org", "127.0.0.1", "evil-staging.example.org"])
      assert.equal(
        await earn(fixture, PASS.siteKey, { origin: `https://${host}` }),
        "domain_mismatch",
      );
  });
});
