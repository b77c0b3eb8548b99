import assert from "node:assert/strict";
import { test } from "node:test";
import { createShop, reasonOf, redeemed } from "@stile/testkit/world/redeeming";
import { NOON_MS } from "@stile/testkit/world/world";
import { deleteSite } from "../site/delete-site.ts";
import { updateSite } from "../site/update-site.ts";
import { type RedeemBody, redeemToken } from "./redeem-token.ts";

const OTHER_PREFIX = "198.51.100.7";

test("returns score, hostname and both times of a valid token, and action and cdata only if it has them (spec 4.1.1; D2, redemption)", async () => {
  const { world, site, secretKey } = await createShop();
  const token = world.mint(site, {
    actionName: "login",
    cdata: "order 7 é",
    score: 0.12,
    challengeAtMs: NOON_MS - 5,
  });
  const bare = world.mint(site);
  world.clock.advance(1234);
  const answer = await world.redeem(secretKey, { token });
  const verdict = {
    score: 0.12,
    recommendation: "allow",
    hostname: "shop.example",
    actionName: "login",
    cdata: "order 7 é",
    isScriptless: false,
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

test("answers missing_token with score 1 if the token is absent, empty or not a string (D2, redemption)", async () => {
  const { world, secretKey } = await createShop();
  assert.equal(reasonOf(await world.redeem(secretKey, { token: undefined })), "missing_token 1");
});

test("a reserved word is never accepted, and is named: the customer's server decides (D2, redemption; D15, outage)", async () => {
  const { world, secretKey } = await createShop();
  const answer = await world.redeem(secretKey, { token: "unavailable" });
  assert.ok(answer.kind === "refused");
  assert.deepEqual(
    [answer.reasonCode, answer.score, answer.reserved],
    ["missing_token", 1, "unavailable"],
  );
  assert.equal(
    reasonOf(await world.redeem(secretKey, { token: "Unavailable" })),
    "invalid_signature 1",
  );
  assert.equal(
    reasonOf(await world.redeem(secretKey, { token: "toString" })),
    "invalid_signature 1",
  );
});

test("answers invalid_signature with score 1 to a token that is malformed, over 2,048 characters or not authentic (D2, redemption)", async () => {
  const { world, secretKey, token } = await createShop();
  const forged = token.slice(0, 40) + (token[40] === "A" ? "B" : "A") + token.slice(41);
  for (const text of [
    "x",
    "A".repeat(300),
    "A".repeat(2049),
    `${token}A`,
    forged,
    token.slice(0, -4),
    ` ${token}`,
  ]) {
    assert.equal(
      reasonOf(await world.redeem(secretKey, { token: text })),
      "invalid_signature 1",
      text,
    );
  }
  const stranger = await createShop();
  assert.equal(
    reasonOf(await world.redeem(secretKey, { token: stranger.token })),
    "invalid_signature 1",
  );
});

test("answers invalid_signature to a body over 16 KiB with a valid secret, else too large (D2, redemption; D11, errors)", async () => {
  const { world, secretKey } = await createShop();
  const body: RedeemBody = { kind: "too_large" };
  assert.equal(
    reasonOf(await redeemToken(world.node, { secretKey, address: undefined }, body)),
    "invalid_signature 1",
  );
  assert.equal(
    (await redeemToken(world.node, { secretKey: undefined, address: undefined }, body)).kind,
    "too_large",
  );
  assert.equal(
    (await redeemToken(world.node, { secretKey: "sk_x", address: undefined }, body)).kind,
    "too_large",
  );
});

test("answers token_expired with the token's score from the very millisecond of its expiry (D2, redemption)", async () => {
  const { world, site, secretKey } = await createShop();
  const [inTime, late] = [world.mint(site, { score: 0.2 }), world.mint(site, { score: 0.2 })];
  world.clock.setTo(NOON_MS + 299_999);
  assert.equal(await redeemed(world, { site, secretKey }, inTime), "verified");
  world.clock.setTo(NOON_MS + 300_000);
  assert.equal(await redeemed(world, { site, secretKey }, late), "token_expired 0.2");
});

test("answers token_already_used with the token's score if the token was redeemed before (D2, redemption)", async () => {
  const { world, site, secretKey } = await createShop();
  const token = world.mint(site, { score: 0.2 });
  assert.equal(await redeemed(world, { site, secretKey }, token), "verified");
  for (let i = 0; i < 3; i++)
    assert.equal(await redeemed(world, { site, secretKey }, token), "token_already_used 0.2");
});

test("answers site_key_mismatch with score 1 to another site's token, which stays valid (D2, redemption)", async () => {
  const { world, site, secretKey, token } = await createShop();
  const other = await world.createSite();
  assert.equal(await redeemed(world, other, token), "site_key_mismatch 1");
  assert.equal(await redeemed(world, { site, secretKey }, token), "verified");
});

test("answers site_key_mismatch if site_key is not the secret's site, and the token stays valid (D2, redemption)", async () => {
  const { world, site, secretKey, token } = await createShop();
  const other = await world.createSite();
  assert.equal(
    await redeemed(world, { site, secretKey }, token, { siteKey: other.site.siteKey }),
    "site_key_mismatch 1",
  );
  assert.equal(
    await redeemed(world, { site, secretKey }, token, { siteKey: site.siteKey }),
    "verified",
  );
});

test("answers invalid_site_key with score 1 if the token's site no longer exists (D2, redemption)", async () => {
  const { world, reference, token } = await createShop();
  const other = await world.createSite();
  await deleteSite(world.node, reference);
  assert.equal(await redeemed(world, other, token), "invalid_site_key 1");
  world.clock.advance(1000);
  await world.store.sites.purgeSites(NOON_MS + 1);
  assert.equal(await redeemed(world, other, token), "invalid_site_key 1", "purged");
});

test("answers site_disabled with score 1 while the secret's site is disabled, and the token stays valid (D2, redemption; D12, states)", async () => {
  const { world, site, secretKey, reference, token } = await createShop();
  await updateSite(world.node, reference, { isEnabled: false });
  assert.equal(await redeemed(world, { site, secretKey }, token), "site_disabled 1");
  await updateSite(world.node, reference, { isEnabled: true });
  assert.equal(await redeemed(world, { site, secretKey }, token), "verified");
});

test("a malformed body is reported only with a valid secret, and is not read without one (D2, redemption)", async () => {
  const { world, secretKey } = await createShop();
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

test("if two rules refuse, the first in the order of D2 (redemption) answers", async () => {
  const { world, site, secretKey, reference, token } = await createShop();
  const other = await world.createSite();
  const own = { site, secretKey };
  const foreign = world.mint(other.site);
  const mismatch = { remoteIp: OTHER_PREFIX };
  assert.equal(
    await redeemed(world, own, foreign, mismatch),
    "site_key_mismatch 1",
    "site before binding",
  );
  assert.equal(await redeemed(world, own, token), "verified");
  assert.equal(
    await redeemed(world, own, token, mismatch),
    "binding_mismatch 0.05",
    "binding before single use",
  );
  await updateSite(world.node, reference, { isEnabled: false });
  assert.equal(
    await redeemed(world, own, "forged"),
    "invalid_signature 1",
    "authentic before enabled",
  );
  assert.equal(
    await redeemed(world, own, token, mismatch),
    "site_disabled 1",
    "enabled before binding",
  );
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

test("counts redemptions, and every refusal by its reason (spec 1, View Statistics)", async () => {
  const { world, site, secretKey, token } = await createShop();
  await redeemed(world, { site, secretKey }, token);
  await redeemed(world, { site, secretKey }, token);
  await redeemed(world, { site, secretKey }, "forged");
  assert.equal(await world.countOf(site, "token_redeemed"), 1);
  assert.equal(await world.countOf(site, "refused:token_already_used"), 1);
  assert.equal(await world.countOf(site, "refused:invalid_signature"), 1);
});

test("exactly one of many simultaneous redemptions of a token on two nodes is verified (D3, single use)", async () => {
  const { world, site, secretKey, token } = await createShop();
  const nodes = [world.node, await world.createNode()];
  const calls = Array.from({ length: 60 }, (_, i) =>
    world.redeem(secretKey, { token }, nodes[i % 2]),
  );
  const kinds = (await Promise.all(calls)).map(reasonOf);
  assert.equal(kinds.filter((kind) => kind === "verified").length, 1);
  assert.equal(kinds.filter((kind) => kind === "token_already_used 0.05").length, 59);
  assert.equal(await world.countOf(site, "token_redeemed"), 1);
});
