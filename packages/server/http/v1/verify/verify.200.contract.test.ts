import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { ApiAnswer } from "@stile/testkit/contract/call";
import { startGrounds, startInProcess } from "@stile/testkit/contract/grounds";
import { outcomeOf, redeem } from "@stile/testkit/contract/redeem";
import { newSite, type TestSite } from "@stile/testkit/contract/sites";
import {
  askChallenge,
  challengeOf,
  type SubmissionBody,
  signalsOf,
  solve,
  submit,
  visit,
} from "@stile/testkit/contract/visitor";

/** The easiest puzzle there is, for tests that solve many. */
const EASY = { difficultyOffset: -1 } as const;
const RETRY = { success: true, data: { verified: false, error_codes: ["invalid_token"], next: "retry" } };
/** Signs of automation that make the service refuse, and some that make it ask for a click. */
const AUTOMATED = { environment: { webdriver: true } } as const;
const DOUBTFUL = { environment: "withheld" } as const;

function nextOf({ body }: ApiAnswer): unknown {
  return body.data.verified === true ? "verified" : body.data.next;
}

/** The solution with one nonce lowered to one that is surely wrong: the solver tries them in order, so it has passed over that one. */
function withOneWrongNonce(solution: string): string {
  const bytes = Buffer.from(solution, "base64url");
  for (let at = bytes.length - 4; at > 0; at -= 4) {
    const lower = bytes.readUInt32LE(at) - 1;
    if (lower === bytes.readUInt32LE(at - 4)) continue;
    bytes.writeUInt32LE(lower, at);
    return bytes.toString("base64url");
  }
  throw new Error("sixteen solutions in a row");
}

/** Ways to spoil a right submission. */
const SPOILS: readonly (readonly [what: string, spoil: (right: SubmissionBody) => SubmissionBody])[] = [
  ["no solution", (right) => ({ ...right, solution: "" })],
  ["a solution of zeros", (right) => ({ ...right, solution: "A".repeat(86) })],
  ["one nonce changed", (right) => ({ ...right, solution: withOneWrongNonce(right.solution) })],
  ["a solution that is no base64url", (right) => ({ ...right, solution: "*".repeat(86) })],
  ["a forged challenge", (right) => ({ ...right, challenge: `${right.challenge.slice(0, -3)}AAA` })],
  [
    "another environment than was solved for",
    (right) => ({ ...right, signals: signalsOf({ environment: { cores: 2 } }) }),
  ],
  ["another action than was asked for", (right) => ({ ...right, action: "pay" })],
];

for (const ground of await startGrounds({ STILE_LIMIT_CHALLENGE: "1000" })) {
  const site = await newSite(ground, EASY);
  const ask = async (of: TestSite = site, more = {}) =>
    challengeOf(await askChallenge(ground, { site_key: of.siteKey }, more));

  suite(`spec 4.4 and D9, ${ground.name}`, () => {
    test("a right solution gives a token that redeems once, with the page's host, action and cdata (spec 2.1)", async () => {
      const asked = await askChallenge(ground, { site_key: site.siteKey, action: "login" });
      const body = { ...(await solve(ground, site, challengeOf(asked))), action: "login", cdata: "order 7" };
      const answer = await submit(ground, body, { headers: { origin: "https://www.shop.example" } });
      const { token, expires_at: expiresAt, ...data } = answer.body.data;
      assert.equal(answer.status, 200);
      assert.deepEqual({ ...answer.body, data }, { success: true, data: { verified: true } });
      assert.ok(String(token).length <= 1024);
      assert.equal(new Date(String(expiresAt)).toISOString(), expiresAt);
      const redeemed = (await redeem(ground, site, { token, remoteip: "127.0.0.1" })).body.data;
      assert.deepEqual([redeemed.verified, redeemed.hostname], [true, "www.shop.example"]);
      assert.deepEqual([redeemed.action, redeemed.cdata, redeemed.score], ["login", "order 7", 0.05]);
      assert.equal(outcomeOf(await redeem(ground, site, { token })), "token_already_used");
    });

    test("a solved challenge never yields a second token", async () => {
      const body = await solve(ground, site, await ask());
      const answers = await Promise.all(Array.from({ length: 8 }, () => submit(ground, body)));
      assert.equal(answers.filter((answer) => nextOf(answer) === "verified").length, 1);
      assert.deepEqual((await submit(ground, body)).body, RETRY);
    });

    test("what is wrong, forged or changed is 200, invalid_token, next retry; it spends nothing before the third failure", async () => {
      for (const [what, spoil] of SPOILS) {
        const right = await solve(ground, site, await ask());
        assert.deepEqual((await submit(ground, spoil(right))).body, RETRY, what);
        assert.equal(nextOf(await submit(ground, right)), "verified", what);
      }
    });

    test("three wrong solutions use a challenge up", async () => {
      const right = await solve(ground, site, await ask());
      for (let i = 0; i < 3; i++) await submit(ground, { ...right, solution: "A".repeat(86) });
      assert.deepEqual((await submit(ground, right)).body, RETRY);
    });

    test("another site's challenge, another browser and another network than asked get next retry", async () => {
      const foreign = await newSite(ground, EASY);
      const ofForeign = await solve(ground, foreign, await ask(foreign));
      assert.deepEqual((await submit(ground, { ...ofForeign, site_key: site.siteKey })).body, RETRY);
      const right = await solve(ground, site, await ask());
      assert.deepEqual((await submit(ground, right, { headers: { "user-agent": "curl/8.0" } })).body, RETRY);
      assert.deepEqual((await submit(ground, right, { from: "127.9.0.1" })).body, RETRY);
      assert.equal(nextOf(await submit(ground, right, { from: "127.0.0.77" })), "verified", "the same /24");
    });

    test("an automated browser is blocked with the id of its request, and learns neither score nor flags", async () => {
      const strict = await newSite(ground, EASY);
      const { body, headers } = await visit(ground, strict, AUTOMATED);
      const data = { verified: false, next: "blocked", request_id: headers["x-request-id"] };
      assert.deepEqual(body, { success: true, data });
    });

    for (const mode of ["non_interactive", "invisible"] as const) {
      test(`mode ${mode} never asks: the token carries its score and the customer decides`, async () => {
        const quiet = await newSite(ground, { ...EASY, mode });
        const { token } = (await visit(ground, quiet, AUTOMATED)).body.data;
        const { verified, score } = (await redeem(ground, quiet, { token })).body.data;
        assert.equal(verified, true);
        assert.ok(Number(score) >= 0.6, `a score that recommends block, not ${score}`);
      });
    }

    test("doubt leads to a harder challenge that asks for a click; solved with a click it gives a token", async () => {
      const doubtful = await newSite(ground, EASY);
      const first = await ask(doubtful);
      const answer = await submit(ground, await solve(ground, doubtful, first, DOUBTFUL));
      const { challenge, ...data } = answer.body.data;
      assert.deepEqual({ ...answer.body, data }, { success: true, data: { verified: false, next: "interact" } });
      assert.deepEqual(Object.keys(challenge as object).sort(), [
        "algorithm",
        "challenge",
        "difficulty",
        "expires_at",
        "interaction",
        "k",
        "language",
        "mode",
        "theme",
      ]);
      const second = challengeOf(answer);
      assert.deepEqual([second.interaction, second.difficulty], ["click", 2 * first.difficulty]);
      assert.equal(nextOf(await submit(ground, await solve(ground, doubtful, second, DOUBTFUL))), "verified");
    });

    test("mode interactive always asks: without a click no token, with one a token", async () => {
      const asking = await newSite(ground, { ...EASY, mode: "interactive" });
      assert.equal(nextOf(await visit(ground, asking, { behaviour: { pointer: [] } })), "interact");
      assert.equal(nextOf(await visit(ground, asking)), "verified");
    });
  });
}

suite("challenges and time (D8, D9, D10), in process", async () => {
  const ground = await startInProcess({ STILE_LIMIT_CHALLENGE: "3" });
  test.after(ground.stop);
  const askFor = (site: TestSite, from: string) => askChallenge(ground, { site_key: site.siteKey }, { from });

  test("a challenge is stale 300 s after it was issued, to the millisecond", async () => {
    const site = await newSite(ground, { ...EASY, mode: "invisible" });
    for (const [ageMs, expected] of [
      [299_999, "verified"],
      [300_000, "retry"],
    ] as const) {
      const issuedAtMs = ground.clock.nowMs();
      const body = await solve(ground, site, challengeOf(await askFor(site, "127.0.0.1")));
      ground.clock.set(issuedAtMs + ageMs);
      assert.equal(nextOf(await submit(ground, body)), expected);
    }
  });

  test("for 10 minutes a client that was stepped up gets only challenges that ask for a click; others do not", async () => {
    const site = await newSite(ground, EASY);
    const steppedUpAtMs = ground.clock.nowMs() + 900;
    assert.equal(nextOf(await visit(ground, site, DOUBTFUL)), "interact");
    ground.clock.set(steppedUpAtMs + 599_999);
    assert.equal(challengeOf(await askFor(site, "127.0.0.1")).interaction, "click");
    assert.equal(challengeOf(await askFor(site, "127.0.0.2")).interaction, "none");
    ground.clock.set(steppedUpAtMs + 600_000);
    assert.equal(challengeOf(await askFor(site, "127.0.0.1")).interaction, "none");
  });
});
