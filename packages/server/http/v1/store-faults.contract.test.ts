import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { callApi } from "@stile/testkit/contract/call";
import { bearer, outcomeOf, redeem, SCORE } from "@stile/testkit/contract/redeem";
import { holdDatabase, runInSecondProcess } from "@stile/testkit/contract/second-process";
import { startInOwnProcess } from "@stile/testkit/contract/service-fixtures";
import { mintToken, newSite, PAGE_ORIGIN } from "@stile/testkit/contract/sites";
import { askChallenge, challengeOf, solve, submit } from "@stile/testkit/contract/visitor";

const EASY = { difficultyOffset: -1 } as const;

suite("when the store fails (D15, outage), own process, SQLite", async () => {
  const fixture = await startInOwnProcess();
  test.after(fixture.stop);
  const file = fixture.databaseFile ?? "";
  const scoreOf = (secretKey: string) =>
    callApi(fixture.baseUrl, { path: SCORE, body: {}, headers: bearer(secretKey) });

  test("answers 503 internal_error within 2 s while another process blocks writes, and loses nothing", async () => {
    const site = await newSite(fixture, EASY);
    const token = mintToken(fixture, site);
    const submission = await solve(
      fixture,
      site,
      challengeOf(await askChallenge(fixture, { site_key: site.siteKey })),
    );
    const holder = await holdDatabase(file);
    const startedAt = performance.now();
    const [redeemed, scored, submitted, asked, ready] = await Promise.all([
      redeem(fixture, site, { token }),
      scoreOf(site.secretKey),
      submit(fixture, submission),
      askChallenge(fixture, { site_key: site.siteKey }),
      fetch(`${fixture.baseUrl}/readyz`),
    ]);
    const tookMs = performance.now() - startedAt;
    await holder.release();
    for (const { status, body, headers } of [redeemed, scored, submitted]) {
      assert.deepEqual([status, body.error?.code], [503, "internal_error"]);
      assert.match(headers["retry-after"] ?? "", /^[1-9]\d*$/);
    }
    assert.ok(tookMs < 2000, `answered within 2 s, not ${tookMs} ms`);
    assert.deepEqual(redeemed.body.data, {
      verified: false,
      score: 1,
      error_codes: [],
      reasonCode: "internal_error",
    });
    assert.deepEqual([scored.body.success, scored.body.data], [false, {}]);
    assert.equal(submitted.headers["access-control-allow-origin"], PAGE_ORIGIN);
    assert.equal(asked.status, 200, "issuing a challenge writes nothing, so it continues");
    assert.equal(ready.status, 503);
    assert.equal(outcomeOf(await redeem(fixture, site, { token })), "verified");
    assert.equal((await scoreOf(site.secretKey)).status, 200);
    assert.equal((await submit(fixture, submission)).body.data.verified, true);
    assert.equal((await fetch(`${fixture.baseUrl}/readyz`)).status, 200);
  });

  test("says success false to a siteverify-shaped call also when the store fails (D1, status and body)", async () => {
    const site = await newSite(fixture);
    const holder = await holdDatabase(file);
    const answer = await redeem(fixture, site, { token: mintToken(fixture, site), response: "x" });
    await holder.release();
    assert.deepEqual([answer.status, answer.body.success], [503, false]);
  });

  test("waits out a short lock and answers as usual", async () => {
    const site = await newSite(fixture);
    const holder = await holdDatabase(file);
    const pending = redeem(fixture, site, { token: mintToken(fixture, site) });
    await holder.release();
    assert.equal(outcomeOf(await pending), "verified");
  });

  test("answers 500 internal_error for a damaged database, with nothing internal and never verified true", async () => {
    const [site, orphan] = [await newSite(fixture, EASY), await newSite(fixture)];
    const submission = await solve(
      fixture,
      site,
      challengeOf(await askChallenge(fixture, { site_key: site.siteKey })),
    );
    const damage = `PRAGMA foreign_keys = OFF; DELETE FROM accounts WHERE account_id = '${orphan.accountId}';
      DROP TABLE token_marks; DROP TABLE challenge_marks; DROP TABLE rate_counts`;
    await (await runInSecondProcess(file, damage)).release();
    const answers = [
      await redeem(fixture, site, { token: mintToken(fixture, site) }),
      await scoreOf(site.secretKey),
      await submit(fixture, submission),
      await askChallenge(fixture, { site_key: orphan.siteKey }),
    ];
    for (const { status, body } of answers) {
      assert.deepEqual([status, body.error?.code], [500, "internal_error"]);
      assert.notEqual(body.data.verified, true);
      assert.doesNotMatch(JSON.stringify(body), /table|marks|account|site_key|sql/i);
    }
    assert.equal((await fetch(`${fixture.baseUrl}/healthz`)).status, 200, "the process lives on");
  });
});
