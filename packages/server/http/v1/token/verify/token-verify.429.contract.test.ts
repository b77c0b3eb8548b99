import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { callApi } from "@stile/testkit/contract/call";
import { bearer, outcomeOf, redeem, SCORE, TOKEN_VERIFY } from "@stile/testkit/contract/redeem";
import { startFixtures, startInProcess } from "@stile/testkit/contract/service-fixtures";
import { mintToken, newSite } from "@stile/testkit/contract/sites";

const LIMIT = 3;
const environment = { STILE_LIMIT_VERIFY: String(LIMIT) };

for (const fixture of await startFixtures(environment)) {
  suite(`limits of token/verify (spec 8; D2, redemption; D10, limits), ${fixture.name}`, () => {
    test("admits as many fresh redemptions as the limit allows, and counts them down", async () => {
      const site = await newSite(fixture);
      const remaining: string[] = [];
      for (let i = 0; i < LIMIT; i++) {
        const answer = await redeem(fixture, site, { token: mintToken(fixture, site) });
        assert.equal(outcomeOf(answer), "verified");
        assert.equal(answer.headers["ratelimit-policy"], '"verify";q=3;w=60');
        assert.equal(answer.headers["retry-after"], undefined);
        remaining.push(/r=(\d+)/.exec(answer.headers.ratelimit ?? "")?.[1] ?? "");
      }
      assert.deepEqual(remaining, ["2", "1", "0"]);
    });

    test("answers 429 rate_limited over the limit, with Retry-After, success false and no reason code", async () => {
      const site = await newSite(fixture);
      for (let i = 0; i < LIMIT; i++)
        await redeem(fixture, site, { token: mintToken(fixture, site) });
      const { status, headers, body } = await redeem(fixture, site, {
        token: mintToken(fixture, site),
      });
      const { error, ...rest } = body;
      assert.equal(status, 429);
      assert.deepEqual(rest, {
        success: false,
        data: { verified: false, score: 1, error_codes: [] },
      });
      assert.equal(error?.code, "rate_limited");
      assert.match(headers["retry-after"] ?? "", /^[1-9]\d*$/);
      assert.equal(headers["ratelimit-policy"], '"verify";q=3;w=60');
      assert.match(headers.ratelimit ?? "", /^"verify";r=0;t=[1-9]\d*$/);
    });

    for (const junk of ["a forgery", "a spent token"] as const) {
      test(`keeps the site open for fresh tokens although a caller forwards ${junk} again and again (D2, redemption)`, async () => {
        const site = await newSite(fixture);
        const spent = mintToken(fixture, site);
        await redeem(fixture, site, { token: spent });
        const token = junk === "a forgery" ? "forged" : spent;
        const answers: number[] = [];
        for (let i = 0; i < LIMIT + 2; i++)
          answers.push((await redeem(fixture, site, { token })).status);
        assert.deepEqual(answers, [200, 200, 200, 429, 429]);
        assert.equal(
          outcomeOf(await redeem(fixture, site, { token: mintToken(fixture, site) })),
          "verified",
        );
      });
    }

    test("limits each site separately, even within one account (spec 8)", async () => {
      const site = await newSite(fixture);
      const sibling = await newSite(fixture, {}, site.accountId);
      for (let i = 0; i < LIMIT; i++)
        await redeem(fixture, site, { token: mintToken(fixture, site) });
      const answer = await redeem(fixture, sibling, { token: mintToken(fixture, sibling) });
      assert.match(answer.headers.ratelimit ?? "", /r=2;/);
    });

    test("prefers the site's own limit to the service's default (D10, limits)", async () => {
      const site = await newSite(fixture, { verifyPerMinute: 1 });
      const first = await redeem(fixture, site, { token: mintToken(fixture, site) });
      assert.equal(first.headers["ratelimit-policy"], '"verify";q=1;w=60');
      assert.equal((await redeem(fixture, site, { token: mintToken(fixture, site) })).status, 429);
    });

    test("passes no more than the limit of 40 redemptions at once, of as many tokens", async () => {
      const site = await newSite(fixture);
      const tokens = Array.from({ length: 40 }, () => mintToken(fixture, site));
      const answers = await Promise.all(tokens.map((token) => redeem(fixture, site, { token })));
      assert.equal(answers.filter((answer) => outcomeOf(answer) === "verified").length, LIMIT);
      assert.equal(answers.filter((answer) => answer.status === 429).length, 40 - LIMIT);
    });
  });
}

suite("limits and time (D2, redemption; D10, limits), in process", async () => {
  const fixture = await startInProcess(environment);
  test.after(fixture.stop);

  test("admits a refused token after exactly Retry-After seconds, and not a second earlier", async () => {
    const site = await newSite(fixture);
    fixture.clock.advance(17_000);
    for (let i = 0; i < LIMIT; i++)
      await redeem(fixture, site, { token: mintToken(fixture, site) });
    const token = mintToken(fixture, site);
    const refused = await redeem(fixture, site, { token });
    const seconds = Number(refused.headers["retry-after"]);
    fixture.clock.advance((seconds - 1) * 1000);
    assert.equal((await redeem(fixture, site, { token })).headers["retry-after"], "1");
    fixture.clock.advance(1000);
    assert.equal(outcomeOf(await redeem(fixture, site, { token })), "verified");
  });

  test("allows 60 wrong keys a minute from one address, then answers 429 to its wrong keys alone (D2, redemption)", async () => {
    const site = await newSite(fixture);
    const guess = (from: string, path = TOKEN_VERIFY) =>
      callApi(fixture.baseUrl, { path, body: {}, headers: bearer("sk_wrong"), from });
    for (let i = 0; i < 60; i++) assert.equal((await guess("127.0.0.9")).status, 401);
    const limited = await guess("127.0.0.9");
    assert.equal(limited.status, 429);
    assert.equal(limited.body.error?.code, "rate_limited");
    assert.equal((await guess("127.0.0.9", SCORE)).status, 429);
    assert.equal((await guess("127.0.0.10")).status, 401);
    const token = mintToken(fixture, site);
    assert.equal(
      outcomeOf(await redeem(fixture, site, { token }, { from: "127.0.0.9" })),
      "verified",
    );
    fixture.clock.advance(Number(limited.headers["retry-after"]) * 1000);
    assert.equal((await guess("127.0.0.9")).status, 401);
  });
});
