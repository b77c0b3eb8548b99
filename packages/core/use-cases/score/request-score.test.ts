import assert from "node:assert/strict";
import { test } from "node:test";
import type { RiskFlag } from "@stile/protocol/risk-flags";
import { issueTo, WEBDRIVER } from "@stile/testkit/minting/solving";
import { CHROME_VISITOR } from "@stile/testkit/visits/find-visitor";
import { decoded } from "@stile/testkit/visits/handed-in";
import { NO_SCORE_FIELDS } from "@stile/testkit/visits/score-fields";
import { createWorld, referenceTo, VISITOR_IP, type WorldNode } from "@stile/testkit/world/world";
import { parseIpAddress } from "../../domain/visitor/ip-address.ts";
import { updateSite } from "../site/update-site.ts";
import { requestScore, type ScoreAnswer, type ScoreFields } from "./request-score.ts";

const ADDRESS = parseIpAddress("203.0.113.1");

async function shop(limits: Parameters<typeof createWorld>[0] = {}, change = {}) {
  const world = await createWorld(limits);
  const { site, secretKey } = await world.createSite(change);
  const score = (fields: Partial<ScoreFields> = {}, node: WorldNode = world.node) =>
    requestScore(node, { secretKey, address: ADDRESS }, async () => ({
      ...NO_SCORE_FIELDS,
      ...fields,
    }));
  /** The envelope of a page that collects now. */
  const collect = async (environment = CHROME_VISITOR.environment) => {
    const { text: challenge } = await issueTo(world, site);
    return {
      challenge,
      observe: () => ({
        environment: decoded(environment),
        behaviour: decoded(CHROME_VISITOR.behaviour),
      }),
    };
  };
  return { world, site, secretKey, score, collect };
}

function scored(answer: ScoreAnswer): {
  score: number;
  flags: readonly RiskFlag[];
  recommendation: string;
} {
  assert.ok(answer.kind === "scored", answer.kind);
  const { score, flags, recommendation } = answer;
  return { score, flags, recommendation };
}

test("scores 0.30 with low_evidence, so challenge, without any evidence (D7, score request)", async () => {
  const { score } = await shop();
  assert.deepEqual(scored(await score()), {
    score: 0.3,
    flags: ["low_evidence"],
    recommendation: "challenge",
  });
});

test("recommends allow, without flags, for an honest visitor with signals and headers (spec 4.2; D7, score request)", async () => {
  const { score, collect } = await shop();
  const { headers, userAgent } = CHROME_VISITOR;
  const answer = scored(
    await score({ signals: await collect(), headers, userAgent, remoteIp: VISITOR_IP }),
  );
  assert.deepEqual([answer.flags, answer.recommendation], [[], "allow"]);
});

test("recommends block for a driven browser, with the flag that says why (spec 4.2; D7, score request)", async () => {
  const { score, collect } = await shop();
  const answer = scored(await score({ signals: await collect(WEBDRIVER) }));
  assert.deepEqual(
    [answer.flags.includes("automation_webdriver"), answer.recommendation],
    [true, "block"],
  );
});

test("flags signals that are sent twice as signals_replayed, on every node (D7, score request)", async () => {
  const { world, score, collect } = await shop();
  const signals = await collect();
  assert.equal(scored(await score({ signals })).flags.includes("signals_replayed"), false);
  assert.ok(scored(await score({ signals })).flags.includes("signals_replayed"));
  assert.ok(
    scored(await score({ signals }, await world.createNode())).flags.includes("signals_replayed"),
  );
});

test("exactly one of several simultaneous calls with the same signals is no replay (D7, score request)", async () => {
  const { score, collect } = await shop();
  const signals = await collect();
  const answers = await Promise.all(Array.from({ length: 20 }, () => score({ signals })));
  const replays = answers.filter((answer) => scored(answer).flags.includes("signals_replayed"));
  assert.equal(replays.length, 19);
});

test("counts unreadable, forged, foreign or stale signals as withheld and scores at least 0.30 (D7, score request; D9, submission)", async () => {
  const { world, score, collect } = await shop();
  const { site: other } = await world.createSite();
  const signals = await collect();
  const foreign = { ...signals, challenge: (await issueTo(world, other)).text };
  const forged = {
    ...signals,
    challenge: `${signals.challenge.slice(0, -1)}${signals.challenge.endsWith("A") ? "B" : "A"}`,
  };
  const check = async (handedIn: ScoreFields["signals"], name: string): Promise<void> => {
    const answer = scored(await score({ signals: handedIn, userAgent: CHROME_VISITOR.userAgent }));
    assert.ok(answer.flags.includes("signals_withheld") && answer.score >= 0.3, name);
  };
  await check("unreadable", "unreadable");
  await check(foreign, "foreign");
  await check(forged, "forged");
  world.clock.advance(300_000);
  await check(signals, "stale");
});

test("scores a forged, foreign, expired or spent token 1.00, with token_invalid and block (D7, score request)", async () => {
  const { world, site, secretKey, score } = await shop();
  const { site: other } = await world.createSite();
  const [spent, stale] = [world.mint(site), world.mint(site)];
  await world.redeem(secretKey, { token: spent });
  const check = async (token: string, name: string): Promise<void> => {
    const answer = scored(await score({ token }));
    assert.deepEqual(answer, { score: 1, flags: ["token_invalid"], recommendation: "block" }, name);
  };
  await check("", "empty");
  await check("forged", "forged");
  await check("A".repeat(3000), "too long");
  await check(world.mint(other), "foreign");
  await check(spent, "spent");
  world.clock.advance(300_000);
  await check(stale, "expired");
});

test("a spent token whose record was swept while the call waited for the store is invalid (D7, score request)", async () => {
  const { world, site, secretKey, score } = await shop();
  const token = world.mint(site);
  await world.redeem(secretKey, { token });
  const { tokens, housekeeping } = world.store;
  const isSpent: WorldNode["tokens"]["isSpent"] = async (spentToken) => {
    // The machine slept meanwhile.
    world.clock.advance(9 * 3_600_000);
    assert.equal(await housekeeping.sweep(world.clock.nowMs()), 1);
    return await tokens.isSpent(spentToken);
  };
  const answer = await score({ token }, { ...world.node, tokens: { ...tokens, isSpent } });
  assert.ok(scored(answer).flags.includes("token_invalid"));
});

test("a reserved word of the widget counts as no token (D2, redemption; D7, score request)", async () => {
  const { score } = await shop();
  for (const token of ["pending", "unavailable"]) {
    assert.deepEqual(scored(await score({ token })), scored(await score()), token);
  }
});

test("a token is read and not spent: it can be scored again and redeemed once (D7, score request)", async () => {
  const { world, site, secretKey, score } = await shop();
  const token = world.mint(site, { score: 0.42 });
  for (let i = 0; i < 2; i++) {
    assert.deepEqual(scored(await score({ token })), {
      score: 0.42,
      flags: [],
      recommendation: "challenge",
    });
  }
  assert.equal((await world.redeem(secretKey, { token })).kind, "verified");
});

test("a token shown from another network or browser raises the score, unless the site does not bind (D5, binding; D7, score request)", async () => {
  for (const [binding, flags] of [
    ["strict", ["ip_changed", "ua_changed"]],
    ["flag", ["ip_changed", "ua_changed"]],
    ["off", []],
  ] as const) {
    const { world, site, score } = await shop({}, { binding });
    const claim = {
      token: world.mint(site),
      remoteIp: "198.51.100.7",
      userAgent: "Mozilla/5.0 (other)",
    };
    const answer = scored(await score(claim));
    assert.deepEqual(answer.flags, flags, binding);
    assert.equal(answer.score > 0.05, binding !== "off", binding);
  }
});

test("the recommendation follows the site's thresholds (D6, scores)", async () => {
  const { score } = await shop({}, { thresholds: { challenge: 0.1, block: 0.3 } });
  assert.equal(scored(await score()).recommendation, "block");
});

test("a call without the right secret is never read, and an unreadable body is reported only with it (D2, redemption; D7, score request)", async () => {
  const { world, secretKey } = await shop();
  let readings = 0;
  const ask = (key: string | undefined) =>
    requestScore(world.node, { secretKey: key, address: ADDRESS }, async () => {
      readings += 1;
      return { kind: "unread", refusal: "why" };
    });
  for (const key of [undefined, "", "sk_wrong", `${secretKey}x`]) await ask(key);
  assert.equal(readings, 0);
  assert.deepEqual(await ask(secretKey), { kind: "unread", refusal: "why" });
});

test("refuses a missing or wrong secret, and a disabled site (spec 5; D7, score request)", async () => {
  const { world, site, score } = await shop();
  const ask = (key: string | undefined) =>
    requestScore(world.node, { secretKey: key, address: ADDRESS }, async () => NO_SCORE_FIELDS);
  assert.deepEqual(await ask(undefined), { kind: "missing_secret" });
  assert.deepEqual(await ask("sk_wrong"), { kind: "invalid_secret" });
  for (let i = 1; i < 60; i++) await ask("sk_wrong");
  assert.equal((await ask("sk_wrong")).kind, "caller_limited");
  await updateSite(world.node, referenceTo(site), { isEnabled: false });
  assert.deepEqual(await score(), { kind: "site_disabled" });
});

test("admits 500 score requests a minute for each site over all nodes; a refused one spends no signals (spec 8; D10, limits)", async () => {
  const { world, score, collect } = await shop();
  const nodes = [world.node, await world.createNode()];
  const signals = await collect();
  const answers = await Promise.all(Array.from({ length: 500 }, (_, i) => score({}, nodes[i % 2])));
  assert.ok(answers.every((answer) => answer.kind === "scored"));
  const over = await score({ signals });
  assert.ok(over.kind === "limited");
  assert.deepEqual([over.limit.perMinute, over.limit.remaining], [500, 0]);
  world.clock.advance(120_000);
  assert.equal(scored(await score({ signals })).flags.includes("signals_replayed"), false);
});

test("a site may have a limit of its own, and every score is counted (D10, limits)", async () => {
  const { world, site, score } = await shop({}, { scorePerMinute: 2 });
  const kinds = [];
  for (let i = 0; i < 3; i++) kinds.push((await score()).kind);
  assert.deepEqual(kinds, ["scored", "scored", "limited"]);
  assert.equal(await world.countOf(site, "score_requested"), 2);
});

test("a token of a retired key counts as none (D3, single use; D7, score request)", async () => {
  const { world, site, score } = await shop();
  const token = world.mint(site);
  const cryptography = { ...world.node.cryptography, isRetired: () => true };
  const answer = scored(await score({ token }, { ...world.node, cryptography }));
  assert.deepEqual([answer.score, answer.flags.includes("token_invalid")], [1, true]);
});

test("signals whose key is retired while their site is read are withheld, and spent in no run (D3, single use; D7, score request)", async () => {
  const { world, score, collect } = await shop();
  const { cryptography, directory } = world.node;
  const signals = await collect();
  let isRetired = false;
  const findSite: typeof directory.findSite = (siteKey) => {
    isRetired = true;
    return directory.findSite(siteKey);
  };
  const node = {
    ...world.node,
    cryptography: { ...cryptography, isRetired: () => isRetired },
    directory: { ...directory, findSite },
  };
  const late = scored(await score({ signals }, node));
  isRetired = false;
  const asForged = scored(await score({ signals: { ...signals, challenge: "forged" } }));
  assert.deepEqual(late, asForged);
  assert.equal(scored(await score({ signals })).flags.includes("signals_replayed"), false);
});
