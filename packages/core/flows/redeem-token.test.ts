import assert from "node:assert/strict";
import { test } from "node:test";
import type { RedeemAnswer } from "../domain/verdict.ts";
import {
  createWorld,
  NOON_MS,
  type OwnedSite,
  referenceTo,
  VISITOR_AGENT,
  VISITOR_IP,
  type World,
} from "../fixtures/world.ts";
import { deleteSite } from "./delete-site.ts";
import { type RedeemBody, redeemToken } from "./redeem-token.ts";
import { updateSite } from "./update-site.ts";

const OTHER_PREFIX = "198.51.100.7";

/** A world with one site, its account's reference and a token of it. */
async function shop() {
  const world = await createWorld();
  const owned = await world.createSite();
  return { world, ...owned, reference: referenceTo(owned.site), token: world.mint(owned.site) };
}

function reasonOf(answer: RedeemAnswer): string {
  return answer.kind === "refused" ? `${answer.reasonCode} ${answer.score}` : answer.kind;
}

async function redeemed(world: World, { secretKey }: OwnedSite, token: string, fields = {}): Promise<string> {
  return reasonOf(await world.redeem(secretKey, { token, ...fields }));
}

test("passed: tells score, hostname and both times, action and cdata only if the token has them (spec 4.1.1, D2)", async () => {
  const { world, site, secretKey } = await shop();
  const token = world.mint(site, { actionName: "login", cdata: "order 7 é", score: 0.12, challengeAtMs: NOON_MS - 5 });
  const bare = world.mint(site);
  world.clock.advance(1234);
  const answer = await world.redeem(secretKey, { token });
  const verdict = {
    score: 0.12,
    hostname: "shop.example",
    actionName: "login",
    cdata: "order 7 é",
    verifiedAtMs: NOON_MS + 1234,
    challengeAtMs: NOON_MS - 5,
  };
  const limit = { isAdmitted: true, perMinute: 1000, remaining: 999, resetsInMs: 60_000 - 1234 };
  assert.deepEqual(answer, { kind: "verified", verdict, limit });
  const second = await world.redeem(secretKey, { token: bare });
  assert.ok(second.kind === "verified");
  assert.deepEqual(
    [second.verdict.actionName, second.verdict.cdata, second.limit?.remaining],
    [undefined, undefined, 998],
  );
});

test("token absent, empty or not a string: missing_token, score 1 (D2)", async () => {
  const { world, secretKey } = await shop();
  assert.equal(reasonOf(await world.redeem(secretKey, { token: undefined })), "missing_token 1");
});

test("malformed, over 2,048 characters or not authentic: invalid_signature, score 1 (D2)", async () => {
  const { world, secretKey, token } = await shop();
  const forged = token.slice(0, 40) + (token[40] === "A" ? "B" : "A") + token.slice(41);
  for (const text of ["x", "A".repeat(300), "A".repeat(2049), `${token}A`, forged, token.slice(0, -4), ` ${token}`]) {
    assert.equal(reasonOf(await world.redeem(secretKey, { token: text })), "invalid_signature 1", text);
  }
  const stranger = await shop();
  assert.equal(reasonOf(await world.redeem(secretKey, { token: stranger.token })), "invalid_signature 1");
});

test("the body over 16 KiB: invalid_signature with a valid secret, else too large (D2, D11)", async () => {
  const { world, secretKey } = await shop();
  const body: RedeemBody = { kind: "too_large" };
  assert.equal(reasonOf(await redeemToken(world.node, { secretKey, address: undefined }, body)), "invalid_signature 1");
  assert.equal((await redeemToken(world.node, { secretKey: undefined, address: undefined }, body)).kind, "too_large");
  assert.equal((await redeemToken(world.node, { secretKey: "sk_x", address: undefined }, body)).kind, "too_large");
});

test("past expiry: token_expired with the token's score, from the very millisecond on (D2)", async () => {
  const { world, site, secretKey } = await shop();
  const [inTime, late] = [world.mint(site, { score: 0.2 }), world.mint(site, { score: 0.2 })];
  world.clock.setTo(NOON_MS + 299_999);
  assert.equal(await redeemed(world, { site, secretKey }, inTime), "verified");
  world.clock.setTo(NOON_MS + 300_000);
  assert.equal(await redeemed(world, { site, secretKey }, late), "token_expired 0.2");
});

test("redeemed before: token_already_used with the token's score (D2)", async () => {
  const { world, site, secretKey } = await shop();
  const token = world.mint(site, { score: 0.2 });
  assert.equal(await redeemed(world, { site, secretKey }, token), "verified");
  for (let i = 0; i < 3; i++) assert.equal(await redeemed(world, { site, secretKey }, token), "token_already_used 0.2");
});

test("issued for another site of this service: site_key_mismatch, score 1, and the token stays good (D2)", async () => {
  const { world, site, secretKey, token } = await shop();
  const other = await world.createSite();
  assert.equal(await redeemed(world, other, token), "site_key_mismatch 1");
  assert.equal(await redeemed(world, { site, secretKey }, token), "verified");
});

test("site_key given and not the secret's site: site_key_mismatch, and the token stays good (D2)", async () => {
  const { world, site, secretKey, token } = await shop();
  const other = await world.createSite();
  assert.equal(
    await redeemed(world, { site, secretKey }, token, { siteKey: other.site.siteKey }),
    "site_key_mismatch 1",
  );
  assert.equal(await redeemed(world, { site, secretKey }, token, { siteKey: site.siteKey }), "verified");
});

test("the token's site no longer exists: invalid_site_key, score 1 (D2)", async () => {
  const { world, reference, token } = await shop();
  const other = await world.createSite();
  await deleteSite(world.node, reference);
  assert.equal(await redeemed(world, other, token), "invalid_site_key 1");
  world.clock.advance(1000);
  await world.store.sites.purgeSites(NOON_MS + 1);
  assert.equal(await redeemed(world, other, token), "invalid_site_key 1", "purged");
});

test("the secret's site is disabled: site_disabled, score 1; enabled again, the token is still good (D2, D12)", async () => {
  const { world, site, secretKey, reference, token } = await shop();
  await updateSite(world.node, reference, { isEnabled: false });
  assert.equal(await redeemed(world, { site, secretKey }, token), "site_disabled 1");
  await updateSite(world.node, reference, { isEnabled: true });
  assert.equal(await redeemed(world, { site, secretKey }, token), "verified");
});

test("binding differs: binding_mismatch with the token's score, and the token stays good (D2, D5)", async () => {
  const { world, site, secretKey } = await shop();
  const token = world.mint(site, { score: 0.2 });
  for (const claim of [
    { remoteIp: OTHER_PREFIX },
    { remoteIp: "garbage" },
    { remoteIp: "" },
    { userAgent: "curl/8" },
  ]) {
    const reason = await redeemed(world, { site, secretKey }, token, claim);
    assert.equal(reason, "binding_mismatch 0.2", JSON.stringify(claim));
  }
  const claim = { remoteIp: VISITOR_IP, userAgent: VISITOR_AGENT };
  const answer = await world.redeem(secretKey, { token, ...claim });
  assert.ok(answer.kind === "verified");
  assert.equal(answer.verdict.score, 0.2);
});

test("another address of the same /24 and any claim left out are no difference (D5)", async () => {
  const { world, site, secretKey } = await shop();
  for (const claim of [
    { remoteIp: "192.0.2.250" },
    { remoteIp: "::ffff:192.0.2.9" },
    {},
    { userAgent: VISITOR_AGENT },
  ]) {
    assert.equal(
      await redeemed(world, { site, secretKey }, world.mint(site), claim),
      "verified",
      JSON.stringify(claim),
    );
  }
});

test("a user agent longer than what a token is bound to is compared up to there (D5)", async () => {
  const { world, site, secretKey } = await shop();
  const long = "Mozilla/5.0 ".repeat(200);
  const token = world.mint(site, { userAgent: long.slice(0, 1024) });
  assert.equal(await redeemed(world, { site, secretKey }, token, { userAgent: long }), "verified");
});

test("another family is verified with a raised score: a dual-stack visitor (D5)", async () => {
  const { world, secretKey, token } = await shop();
  const answer = await world.redeem(secretKey, { token, remoteIp: "2001:db8::1" });
  assert.ok(answer.kind === "verified");
  assert.ok(answer.verdict.score > 0.05 && answer.verdict.score < 0.3, String(answer.verdict.score));
});

test("another family costs what another network does under flag, and is refused under strict_family (D5)", async () => {
  const world = await createWorld();
  const flagged = await world.createSite({ binding: "flag" });
  const scoreFor = async (remoteIp: string): Promise<number> => {
    const token = world.mint(flagged.site);
    const answer = await world.redeem(flagged.secretKey, { token, remoteIp });
    return answer.kind === "verified" ? answer.verdict.score : Number.NaN;
  };
  assert.equal(await scoreFor("2001:db8::1"), await scoreFor(OTHER_PREFIX));
  const own = await world.createSite({ binding: "strict_family" });
  for (const [minted, remoteIp, expected] of [
    [VISITOR_IP, "2001:db8::1", "binding_mismatch 0.05"],
    ["2001:db8::1", VISITOR_IP, "binding_mismatch 0.05"],
    ["", VISITOR_IP, "binding_mismatch 0.05"],
    [VISITOR_IP, VISITOR_IP, "verified"],
    [VISITOR_IP, undefined, "verified"],
  ] as const) {
    const token = world.mint(own.site, { ip: minted });
    const claim = remoteIp === undefined ? {} : { remoteIp };
    assert.equal(await redeemed(world, own, token, claim), expected, `${minted} to ${remoteIp}`);
  }
});

test("binding flag refuses nothing and raises the score; off does neither (D5)", async () => {
  const world = await createWorld();
  const claims = [
    { remoteIp: OTHER_PREFIX },
    { remoteIp: "garbage" },
    { userAgent: "curl/8" },
    { remoteIp: "2001:db8::1" },
  ];
  const scoresOf = async (binding: "flag" | "off"): Promise<number[]> => {
    const { site, secretKey } = await world.createSite({ binding });
    const answers = claims.map((claim) => world.redeem(secretKey, { token: world.mint(site), ...claim }));
    return (await Promise.all(answers)).map((answer) =>
      answer.kind === "verified" ? answer.verdict.score : Number.NaN,
    );
  };
  for (const score of await scoresOf("flag")) assert.ok(score > 0.05, String(score));
  assert.deepEqual(await scoresOf("off"), [0.05, 0.05, 0.05, 0.05]);
});

test("a token minted without an address is not refused for one under strict (D5)", async () => {
  const { world, site, secretKey } = await shop();
  const token = world.mint(site, { ip: "" });
  assert.equal(await redeemed(world, { site, secretKey }, token, { remoteIp: OTHER_PREFIX }), "verified");
});

test("a token is compared with the key of its own day after midnight (D5)", async () => {
  const { world, site, secretKey } = await shop();
  world.clock.setTo(Date.UTC(2026, 5, 15, 23, 59, 59));
  const [same, other] = [world.mint(site), world.mint(site)];
  world.clock.advance(2000);
  const claim = { remoteIp: VISITOR_IP, userAgent: VISITOR_AGENT };
  assert.equal(await redeemed(world, { site, secretKey }, same, claim), "verified");
  assert.equal(await redeemed(world, { site, secretKey }, other, { remoteIp: OTHER_PREFIX }), "binding_mismatch 0.05");
});

test("a malformed body is answered as such, but only behind a valid secret; without one it isn't read (D2)", async () => {
  const { world, secretKey } = await shop();
  let readings = 0;
  const read = () => {
    readings += 1;
    return { kind: "malformed", message: "why" } as const;
  };
  const body: RedeemBody = { kind: "received", read };
  const answer = await redeemToken(world.node, { secretKey, address: undefined }, body);
  assert.ok(answer.kind === "malformed");
  assert.equal(answer.message, "why");
  assert.equal(
    (await redeemToken(world.node, { secretKey: undefined, address: undefined }, body)).kind,
    "missing_secret",
  );
  assert.equal(
    (await redeemToken(world.node, { secretKey: "sk_wrong", address: undefined }, body)).kind,
    "invalid_secret",
  );
  assert.equal(readings, 1);
});

test("where two rules refuse, the first in the order of D2 speaks", async () => {
  const { world, site, secretKey, reference, token } = await shop();
  const other = await world.createSite();
  const own = { site, secretKey };
  const foreign = world.mint(other.site);
  const mismatch = { remoteIp: OTHER_PREFIX };
  assert.equal(await redeemed(world, own, foreign, mismatch), "site_key_mismatch 1", "site before binding");
  assert.equal(await redeemed(world, own, token), "verified");
  assert.equal(await redeemed(world, own, token, mismatch), "binding_mismatch 0.05", "binding before single use");
  await updateSite(world.node, reference, { isEnabled: false });
  assert.equal(await redeemed(world, own, "forged"), "invalid_signature 1", "authentic before enabled");
  assert.equal(await redeemed(world, own, token, mismatch), "site_disabled 1", "enabled before binding");
  assert.equal(await redeemed(world, own, foreign), "site_key_mismatch 1", "site before enabled");
  world.clock.setTo(NOON_MS + 300_000);
  assert.equal(await redeemed(world, own, token), "site_disabled 1", "enabled before expiry");
  await updateSite(world.node, reference, { isEnabled: true });
  assert.equal(
    await redeemed(world, own, token, mismatch),
    "token_expired 0.05",
    "expiry before binding and single use",
  );
  assert.equal(await redeemed(world, own, foreign), "site_key_mismatch 1", "site before expiry");
});

test("counts what was redeemed and every refusal by its reason (spec 1, View Statistics)", async () => {
  const { world, site, secretKey, token } = await shop();
  await redeemed(world, { site, secretKey }, token);
  await redeemed(world, { site, secretKey }, token);
  await redeemed(world, { site, secretKey }, "forged");
  assert.equal(await world.countOf(site, "token_redeemed"), 1);
  assert.equal(await world.countOf(site, "refused:token_already_used"), 1);
  assert.equal(await world.countOf(site, "refused:invalid_signature"), 1);
});

test("of many simultaneous redemptions of one token on two nodes exactly one is verified (D3)", async () => {
  const { world, site, secretKey, token } = await shop();
  const nodes = [world.node, await world.createNode()];
  const calls = Array.from({ length: 60 }, (_, i) => world.redeem(secretKey, { token }, nodes[i % 2]));
  const kinds = (await Promise.all(calls)).map(reasonOf);
  assert.equal(kinds.filter((kind) => kind === "verified").length, 1);
  assert.equal(kinds.filter((kind) => kind === "token_already_used 0.05").length, 59);
  assert.equal(await world.countOf(site, "token_redeemed"), 1);
});
