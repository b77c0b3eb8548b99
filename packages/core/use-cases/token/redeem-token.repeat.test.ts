import assert from "node:assert/strict";
import { test } from "node:test";
import {
  createWorld,
  NOON_MS,
  referenceTo,
  VISITOR_AGENT,
  VISITOR_IP,
} from "@stile/testkit/world/world";
import { updateSite } from "../site/update-site.ts";
import type { RedeemFields } from "./redeem-token.ts";

const KEY = "0123456789abcdef";

/**
 * A world where a token was just redeemed with an idempotency key. `again` repeats the call with
 * changes.
 */
async function redeemedOnce(first: Partial<RedeemFields> = {}) {
  const world = await createWorld();
  const { site, secretKey } = await world.createSite({ tokenLifeSeconds: 30 });
  const token = world.mint(site);
  const call = { token, idempotencyKey: KEY, ...first };
  const answer = await world.redeem(secretKey, call);
  assert.equal(answer.kind, "verified");
  const again = async (change: Partial<RedeemFields> = {}): Promise<string> => {
    const repeat = await world.redeem(secretKey, { ...call, ...change });
    return repeat.kind === "refused" ? repeat.reasonCode : repeat.kind;
  };
  return { world, site, secretKey, token, answer, again, call };
}

test("the exact repeat is verified until 59.999 s after, not at 60 s (D2, redemption)", async () => {
  const { world, again } = await redeemedOnce();
  world.clock.setTo(NOON_MS + 29_999);
  assert.equal(await again(), "verified");
  world.clock.setTo(NOON_MS + 59_999);
  assert.equal(await again(), "verified", "although the token has expired meanwhile");
  world.clock.setTo(NOON_MS + 60_000);
  assert.equal(await again(), "token_expired");
});

test("a token that lives longer than the repeat is already used from 60 s on (D2, redemption)", async () => {
  const world = await createWorld();
  const { site, secretKey } = await world.createSite();
  const call = { token: world.mint(site), idempotencyKey: KEY };
  await world.redeem(secretKey, call);
  world.clock.setTo(NOON_MS + 59_999);
  assert.equal((await world.redeem(secretKey, call)).kind, "verified");
  world.clock.setTo(NOON_MS + 60_000);
  const late = await world.redeem(secretKey, call);
  assert.equal(late.kind === "refused" && late.reasonCode, "token_already_used");
});

test("a token redeemed in its last millisecond can be repeated for its whole 60 s (D2, redemption)", async () => {
  const world = await createWorld();
  const { site, secretKey } = await world.createSite();
  const call = { token: world.mint(site), idempotencyKey: KEY };
  world.clock.setTo(NOON_MS + 299_999);
  assert.equal((await world.redeem(secretKey, call)).kind, "verified");
  world.clock.setTo(NOON_MS + 359_998);
  assert.equal((await world.redeem(secretKey, call)).kind, "verified");
  world.clock.setTo(NOON_MS + 359_999);
  const late = await world.redeem(secretKey, call);
  assert.equal(late.kind === "refused" && late.reasonCode, "token_expired");
});

test("the repeat of a call with less time is a replay from then on, and counted as one (D2, redemption)", async () => {
  const { world, site, again } = await redeemedOnce();
  world.clock.setTo(NOON_MS + 9_999);
  assert.equal(await again({ repeatSeconds: 10 }), "verified");
  world.clock.setTo(NOON_MS + 10_000);
  assert.equal(await again({ repeatSeconds: 10 }), "token_already_used");
  assert.equal(await world.countOf(site, "refused:token_already_used"), 1);
  assert.equal(await again(), "verified");
  world.clock.setTo(NOON_MS + 30_000);
  assert.equal(await again({ repeatSeconds: 10 }), "token_expired");
});

test("the repeat returns the first answer, its time included, and counts nothing (D2, redemption)", async () => {
  const { world, site, secretKey, answer, call } = await redeemedOnce();
  world.clock.advance(5000);
  const repeat = await world.redeem(secretKey, call);
  assert.ok(answer.kind === "verified" && repeat.kind === "verified");
  assert.deepEqual(repeat.verdict, answer.verdict);
  assert.equal(await world.countOf(site, "token_redeemed"), 1);
});

test("another node repeats it too: the write that spent the token stores the key (D3, single use)", async () => {
  const { world, secretKey, call } = await redeemedOnce();
  assert.equal((await world.redeem(secretKey, call, await world.createNode())).kind, "verified");
});

test("another idempotency key, address or user agent, or an omitted one, is no repeat (D2, redemption)", async () => {
  const { again } = await redeemedOnce({ remoteIp: VISITOR_IP, userAgent: VISITOR_AGENT });
  const changes: Partial<RedeemFields>[] = [
    { idempotencyKey: `${KEY}0` },
    { idempotencyKey: undefined },
    { remoteIp: "192.0.2.8" },
    { remoteIp: undefined },
    { userAgent: undefined },
  ];
  for (const change of changes)
    assert.equal(await again(change), "token_already_used", JSON.stringify(change));
  assert.equal(await again({ userAgent: "" }), "binding_mismatch");
  assert.equal(await again(), "verified");
});

test("a value cannot move from one field of the repeat to another (D4, sealed token: ambiguous concatenation)", async () => {
  const world = await createWorld();
  const { site, secretKey } = await world.createSite({ binding: "off" });
  const call = { token: world.mint(site), idempotencyKey: KEY, remoteIp: "a", userAgent: "bc" };
  await world.redeem(secretKey, call);
  const moved = await world.redeem(secretKey, { ...call, remoteIp: "ab", userAgent: "c" });
  assert.equal(moved.kind === "refused" && moved.reasonCode, "token_already_used");
});

test("without an idempotency key nothing is repeated (D2, redemption)", async () => {
  const { again } = await redeemedOnce({ idempotencyKey: undefined });
  assert.equal(await again(), "token_already_used");
  assert.equal(await again({ idempotencyKey: KEY }), "token_already_used");
});

test("an idempotency key that equals the token is ignored (D2, redemption)", async () => {
  const world = await createWorld();
  const { site, secretKey } = await world.createSite();
  const token = world.mint(site);
  const call = { token, idempotencyKey: token };
  assert.equal((await world.redeem(secretKey, call)).kind, "verified");
  const again = await world.redeem(secretKey, call);
  assert.equal(again.kind === "refused" && again.reasonCode, "token_already_used");
  world.clock.advance(300_000);
  const late = await world.redeem(secretKey, call);
  assert.equal(late.kind === "refused" && late.reasonCode, "token_expired");
});

test("an idempotency key does not redeem an expired token that was never redeemed (D2, redemption)", async () => {
  const world = await createWorld();
  const { site, secretKey } = await world.createSite();
  const call = { token: world.mint(site), idempotencyKey: KEY };
  world.clock.advance(300_000);
  const answer = await world.redeem(secretKey, call);
  assert.equal(answer.kind === "refused" && answer.reasonCode, "token_expired");
  assert.equal(await world.countOf(site, "token_redeemed"), 0);
});

test("after expiry a call with another binding is expired too, with or without a key: expiry comes before binding (D2, redemption)", async () => {
  const { world, again } = await redeemedOnce();
  world.clock.setTo(NOON_MS + 30_000);
  assert.equal(await again({ remoteIp: "198.51.100.7" }), "token_expired");
});

test("a repeat is refused once the site is disabled (D12, states)", async () => {
  const { world, site, again } = await redeemedOnce();
  await updateSite(world.node, referenceTo(site), { isEnabled: false });
  assert.equal(await again(), "site_disabled");
});

test("a repeat is answered even when the minute's limit is used up: it spends nothing (D2, redemption)", async () => {
  const world = await createWorld({ verify: 2 });
  const { site, secretKey } = await world.createSite();
  const call = { token: world.mint(site), idempotencyKey: KEY };
  assert.equal((await world.redeem(secretKey, call)).kind, "verified");
  assert.equal((await world.redeem(secretKey, { token: world.mint(site) })).kind, "verified");
  assert.equal((await world.redeem(secretKey, { token: world.mint(site) })).kind, "limited");
  assert.equal((await world.redeem(secretKey, call)).kind, "verified");
});

test("each answer is counted once: a replay as a replay, an expired one as expired, a repeat not at all (spec 1; D2, redemption)", async () => {
  const { world, site, again } = await redeemedOnce();
  const counts = () =>
    Promise.all(
      [
        "token_redeemed",
        "verified_score:05",
        "refused:token_already_used",
        "refused:token_expired",
      ].map((metric) => world.countOf(site, metric)),
    );
  assert.equal(await again(), "verified");
  assert.deepEqual(await counts(), [1, 1, 0, 0]);
  assert.equal(await again({ idempotencyKey: undefined }), "token_already_used");
  assert.equal(await again({ idempotencyKey: "another-key-of-16" }), "token_already_used");
  assert.deepEqual(await counts(), [1, 1, 2, 0]);
  world.clock.setTo(NOON_MS + 59_000);
  assert.equal(await again({ idempotencyKey: "another-key-of-16" }), "token_expired");
  assert.deepEqual(await counts(), [1, 1, 2, 1]);
});

test("a token of a retired key counts as expired, but its exact repeat is still answered (D3, single use)", async () => {
  const { world, site, secretKey, again } = await redeemedOnce();
  const unspent = world.mint(site);
  const { cryptography } = world.node;
  Object.assign(world.node, { cryptography: { ...cryptography, isRetired: () => true } });
  const answer = await world.redeem(secretKey, { token: unspent, idempotencyKey: KEY });
  assert.equal(answer.kind === "refused" && answer.reasonCode, "token_expired");
  assert.equal(await again(), "verified");
  Object.assign(world.node, { cryptography });
  assert.equal(
    (await world.redeem(secretKey, { token: unspent })).kind,
    "verified",
    "and the refusal spent nothing",
  );
});
