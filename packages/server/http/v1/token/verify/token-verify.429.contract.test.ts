import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { callApi } from "@stile/testkit/contract/call";
import { bearer, outcomeOf, redeem, SCORE, TOKEN_VERIFY } from "@stile/testkit/contract/redeem";
import { startFixtures, startInProcess } from "@stile/testkit/contract/service-fixtures";
import { mintToken, newSite } from "@stile/testkit/contract/sites";

const LIMIT = 3;
const environment = { STILE_LIMIT_VERIFY: String(LIMIT) };

for (const fixture of await startFixtures(environment)) {
  suite(`limits of token/verify (spec 8, D2, D10), ${fixture.name}`, () => {
    test("admits as many fresh redemptions as the limit says, and counts them down", async () => {
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

    test("over the limit: 429, rate_limited, Retry-After, success false, no reason code", async () => {
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
      test(`whoever forwards ${junk} again and again never closes the site for fresh tokens (D2)`, async () => {
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

    test("one site's traffic takes nothing from another's, even of the same account (spec 8)", async () => {
      const site = await newSite(fixture);
      const sibling = await newSite(fixture, {}, site.accountId);
      for (let i = 0; i < LIMIT; i++)
        await redeem(fixture, site, { token: mintToken(fixture, site) });
      const answer = await redeem(fixture, sibling, { token: mintToken(fixture, sibling) });
      assert.match(answer.headers.ratelimit ?? "", /r=2;/);
    });

    test("the site's own limit goes before the default of the service (D10)", async () => {
      const site = await newSite(fixture, { verifyPerMinute: 1 });
      const first = await redeem(fixture, site, { token: mintToken(fixture, site) });
      assert.equal(first.headers["ratelimit-policy"], '"verify";q=1;w=60');
      assert.equal((await redeem(fixture, site, { token: mintToken(fixture, site) })).status, 429);
    });

    test("40 redemptions at once, of as many tokens: never more pass than the limit", async () => {
      const site = await newSite(fixture);
      const tokens = Array.from({ length: 40 }, () => mintToken(fixture, site));
      const answers = await Promise.all(tokens.map((token) => redeem(fixture, site, { token })));
      assert.equal(answers.filter((answer) => outcomeOf(answer) === "verified").length, LIMIT);
      assert.equal(answers.filter((answer) => answer.status === 429).length, 40 - LIMIT);
    });
  });
}

suite("limits and time (D2, D10), in process", async () => {
  const fixture = await startInProcess(environment);
  test.after(fixture.stop);

  test("who waits as long as Retry-After says is admitted, with the token that was refused; a second less is too early", async () => {
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

  test("60 wrong keys a minute from one address, then 429 for its wrong keys alone (D2)", async () => {
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
