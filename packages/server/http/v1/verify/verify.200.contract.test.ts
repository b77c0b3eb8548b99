import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { LEAST_WATCHED_MS } from "@stile/protocol/limits";
import type { ApiAnswer } from "@stile/testkit/contract/call";
import { outcomeOf, redeem } from "@stile/testkit/contract/redeem";
import { startFixtures, startInProcess } from "@stile/testkit/contract/service-fixtures";
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

/** The easiest puzzle, for tests that solve many. */
const EASY = { difficultyOffset: -1 } as const;
const RETRY = {
  success: true,
  data: { verified: false, error_codes: ["invalid_token"], next: "retry" },
};
/** Signs of automation that make the service block, and others that make it ask for a click. */
const AUTOMATED = { environment: { webdriver: true } } as const;
const DOUBTFUL = { environment: "withheld" } as const;

function nextOf({ body }: ApiAnswer): unknown {
  return body.data.verified === true ? "verified" : body.data.next;
}

/**
 * The solution with one nonce lowered to a wrong one. The solver tries nonces in order, so it has
 * rejected that one.
 */
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

/** Ways to spoil a correct submission. */
const SPOILS: readonly (readonly [
  what: string,
  spoil: (right: SubmissionBody) => SubmissionBody,
])[] = [
  ["no solution", (right) => ({ ...right, solution: "" })],
  ["a solution of zeros", (right) => ({ ...right, solution: "A".repeat(86) })],
  ["one nonce changed", (right) => ({ ...right, solution: withOneWrongNonce(right.solution) })],
  ["a solution that is no base64url", (right) => ({ ...right, solution: "*".repeat(86) })],
  [
    "a forged challenge",
    (right) => ({ ...right, challenge: `${right.challenge.slice(0, -3)}AAA` }),
  ],
  [
    "another environment than was solved for",
    (right) => ({ ...right, signals: signalsOf({ environment: { cores: 2 } }) }),
  ],
  ["another action than was asked for", (right) => ({ ...right, action: "pay" })],
];

for (const fixture of await startFixtures({ STILE_LIMIT_CHALLENGE: "1000" })) {
  const site = await newSite(fixture, EASY);
  const ask = async (of: TestSite = site, more = {}) =>
    challengeOf(await askChallenge(fixture, { site_key: of.siteKey }, more));

  suite(`spec 4.4 and D9 (submission), ${fixture.name}`, () => {
    test("gives a token with its host to an app's page with its own scheme, if the host is the site's (D8, challenge; D9, submission)", async () => {
      const ofApp = await newSite(fixture, { ...EASY, domains: ["localhost"] });
      const headers = { origin: "capacitor://localhost" };
      const answer = await submit(
        fixture,
        await solve(fixture, ofApp, await ask(ofApp, { headers })),
        { headers },
      );
      assert.equal(answer.headers["access-control-allow-origin"], headers.origin);
      const { token } = answer.body.data;
      const redeemed = (await redeem(fixture, ofApp, { token, remoteip: "127.0.0.1" })).body.data;
      assert.deepEqual([redeemed.verified, redeemed.hostname], [true, "localhost"]);
    });

    test("gives a token that redeems once for a right solution, with the page's host, action and cdata (spec 2.1)", async () => {
      const asked = await askChallenge(fixture, { site_key: site.siteKey, action: "login" });
      const body = {
        ...(await solve(fixture, site, challengeOf(asked))),
        action: "login",
        cdata: "order 7",
      };
      const answer = await submit(fixture, body, {
        headers: { origin: "https://www.shop.example" },
      });
      const { token, expires_at: expiresAt, ...data } = answer.body.data;
      assert.equal(answer.status, 200);
      assert.deepEqual({ ...answer.body, data }, { success: true, data: { verified: true } });
      assert.ok(String(token).length <= 1024);
      assert.equal(new Date(String(expiresAt)).toISOString(), expiresAt);
      const redeemed = (await redeem(fixture, site, { token, remoteip: "127.0.0.1" })).body.data;
      assert.deepEqual([redeemed.verified, redeemed.hostname], [true, "www.shop.example"]);
      assert.deepEqual(
        [redeemed.action, redeemed.cdata, redeemed.score],
        ["login", "order 7", 0.05],
      );
      assert.equal(outcomeOf(await redeem(fixture, site, { token })), "token_already_used");
    });

    test("gives no second token for a solved challenge", async () => {
      const body = await solve(fixture, site, await ask());
      const answers = await Promise.all(Array.from({ length: 8 }, () => submit(fixture, body)));
      assert.equal(answers.filter((answer) => nextOf(answer) === "verified").length, 1);
      assert.deepEqual((await submit(fixture, body)).body, RETRY);
    });

    test("answers 200 invalid_token, next retry, to wrong or forged solutions, which spend nothing before the third", async () => {
      for (const [what, spoil] of SPOILS) {
        const right = await solve(fixture, site, await ask());
        assert.deepEqual((await submit(fixture, spoil(right))).body, RETRY, what);
        assert.equal(nextOf(await submit(fixture, right)), "verified", what);
      }
    });

    test("uses a challenge up after three wrong solutions", async () => {
      const right = await solve(fixture, site, await ask());
      for (let i = 0; i < 3; i++) await submit(fixture, { ...right, solution: "A".repeat(86) });
      assert.deepEqual((await submit(fixture, right)).body, RETRY);
    });

    test("answers next retry to another site's challenge and to another browser than the one that asked", async () => {
      const foreign = await newSite(fixture, EASY);
      const ofForeign = await solve(fixture, foreign, await ask(foreign));
      assert.deepEqual(
        (await submit(fixture, { ...ofForeign, site_key: site.siteKey })).body,
        RETRY,
      );
      const right = await solve(fixture, site, await ask());
      assert.deepEqual(
        (await submit(fixture, right, { headers: { "user-agent": "curl/8.0" } })).body,
        RETRY,
      );
      assert.equal(
        nextOf(await submit(fixture, right, { from: "127.0.0.77" })),
        "verified",
        "the same /24",
      );
    });

    test("gives a token to another network than the one that asked, and no second one (D9, submission)", async () => {
      const mobile = await newSite(fixture, EASY);
      const right = await solve(fixture, mobile, await ask(mobile));
      assert.equal(nextOf(await submit(fixture, right, { from: "127.9.0.1" })), "verified");
      assert.deepEqual((await submit(fixture, right)).body, RETRY);
    });

    test("blocks an automated browser with the id of its request, and shows neither score nor flags", async () => {
      const strict = await newSite(fixture, EASY);
      const { body, headers } = await visit(fixture, strict, AUTOMATED);
      const data = { verified: false, next: "blocked", request_id: headers["x-request-id"] };
      assert.deepEqual(body, { success: true, data });
    });

    test("tells a blocked visitor, and nobody else, how to reach the owner: by a link if possible, else by a text", async () => {
      const contacts = {
        "help@shop.example": "mailto:help@shop.example",
        "a?bcc=b@shop.example": "mailto:a%3Fbcc%3Db@shop.example",
        "https://shop.example/help": "https://shop.example/help",
        "Call <b>us</b>: 0800 123": "Call <b>us</b>: 0800 123",
      };
      for (const [contact, told] of Object.entries(contacts)) {
        const reachable = await newSite(fixture, { ...EASY, contact });
        assert.equal((await visit(fixture, reachable, AUTOMATED)).body.data.contact, told);
      }
    });

    test("says in no other answer how to reach the owner", async () => {
      const reachable = await newSite(fixture, { ...EASY, contact: "help@shop.example" });
      const right = await solve(fixture, reachable, await ask(reachable));
      const answers = [
        await askChallenge(fixture, { site_key: reachable.siteKey }),
        await submit(fixture, right),
        await submit(fixture, right),
        await submit(fixture, { ...right, site_key: `pk_${"0".repeat(22)}` }),
        await visit(fixture, reachable, DOUBTFUL),
      ];
      const words = answers.map(
        (answer) => answer.body.data.next ?? Object.keys(answer.body.data)[0],
      );
      assert.deepEqual(words, ["challenge", "verified", "retry", undefined, "interact"]);
      for (const answer of answers)
        assert.doesNotMatch(JSON.stringify(answer.body), /contact|mailto|shop\.example/);
    });

    for (const mode of ["non_interactive", "invisible"] as const) {
      test(`never asks in mode ${mode}: the token carries its score, and the customer decides`, async () => {
        const quiet = await newSite(fixture, { ...EASY, mode });
        const { token } = (await visit(fixture, quiet, AUTOMATED)).body.data;
        const { verified, score } = (await redeem(fixture, quiet, { token })).body.data;
        assert.equal(verified, true);
        assert.ok(Number(score) >= 0.6, `a score that recommends block, not ${score}`);
      });
    }

    test("asks a doubtful visitor for a click, then for 16 times the work, and then gives a token (D9, submission)", async () => {
      const doubtful = await newSite(fixture, EASY);
      const first = await ask(doubtful);
      const answer = await submit(fixture, await solve(fixture, doubtful, first, DOUBTFUL));
      const { challenge, ...data } = answer.body.data;
      assert.deepEqual(
        { ...answer.body, data },
        { success: true, data: { verified: false, next: "interact" } },
      );
      assert.deepEqual(Object.keys(challenge as object).sort(), [
        "algorithm",
        "challenge",
        "difficulty",
        "expires_at",
        "interaction",
        "k",
        "language",
        "mode",
        "receipt",
        "theme",
      ]);
      const second = challengeOf(answer);
      assert.deepEqual([second.interaction, second.difficulty], ["click", 2 * first.difficulty]);
      const clicked = await submit(fixture, await solve(fixture, doubtful, second, DOUBTFUL));
      assert.equal(clicked.body.data.next, "work");
      const third = challengeOf(clicked);
      assert.deepEqual([third.interaction, third.difficulty], ["none", 16 * first.difficulty]);
      assert.equal(
        nextOf(await submit(fixture, await solve(fixture, doubtful, third, DOUBTFUL))),
        "verified",
      );
    });

    test("always asks in mode interactive: no token without a click, one with a click", async () => {
      const asking = await newSite(fixture, { ...EASY, mode: "interactive" });
      assert.equal(
        nextOf(await visit(fixture, asking, { behaviour: { pointer: [] } })),
        "interact",
      );
      assert.equal(nextOf(await visit(fixture, asking)), "verified");
    });
  });
}

suite("challenges and time (D8, challenge; D9, submission; D10, limits), in process", async () => {
  const fixture = await startInProcess({ STILE_LIMIT_CHALLENGE: "3" });
  test.after(fixture.stop);
  const askFor = (site: TestSite, from: string) =>
    askChallenge(fixture, { site_key: site.siteKey }, { from });

  test("refuses a challenge from 300 s after it was issued, to the millisecond", async () => {
    const site = await newSite(fixture, { ...EASY, mode: "invisible" });
    for (const [ageMs, expected] of [
      [299_999, "verified"],
      [300_000, "retry"],
    ] as const) {
      const issuedAtMs = fixture.clock.nowMs();
      const body = await solve(fixture, site, challengeOf(await askFor(site, "127.0.0.1")));
      fixture.clock.set(issuedAtMs + ageMs);
      assert.equal(nextOf(await submit(fixture, body)), expected);
    }
  });

  test("issues a client that was stepped up only challenges with a click for 10 minutes, and others without", async () => {
    const site = await newSite(fixture, EASY);
    const steppedUpAtMs = fixture.clock.nowMs() + LEAST_WATCHED_MS;
    assert.equal(nextOf(await visit(fixture, site, DOUBTFUL)), "interact");
    fixture.clock.set(steppedUpAtMs + 599_999);
    assert.equal(challengeOf(await askFor(site, "127.0.0.1")).interaction, "click");
    assert.equal(challengeOf(await askFor(site, "127.0.0.2")).interaction, "none");
    fixture.clock.set(steppedUpAtMs + 600_000);
    assert.equal(challengeOf(await askFor(site, "127.0.0.1")).interaction, "none");
  });
});
