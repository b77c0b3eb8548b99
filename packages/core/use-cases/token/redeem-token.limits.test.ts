import assert from "node:assert/strict";
import { test } from "node:test";
import { createWorld, NOON_MS, type OwnedSite, type World } from "@stile/testkit/world/world";

/** Kinds of the answers to a number of redemptions; `tokenOf` gives the token of each. */
async function redeemMany(
  world: World,
  { secretKey }: OwnedSite,
  count: number,
  tokenOf: () => string,
) {
  const kinds = new Map<string, number>();
  for (let i = 0; i < count; i++) {
    const { kind } = await world.redeem(secretKey, { token: tokenOf() });
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  }
  return Object.fromEntries(kinds);
}

test("1,000 fresh redemptions a minute and site are verified, the next is limited and spends nothing (spec 8; D2, redemption)", async () => {
  const world = await createWorld();
  const owned = await world.createSite();
  const fresh = () => world.mint(owned.site);
  assert.deepEqual(await redeemMany(world, owned, 1000, fresh), { verified: 1000 });
  const token = world.mint(owned.site);
  const limited = await world.redeem(owned.secretKey, { token });
  assert.ok(limited.kind === "limited");
  assert.deepEqual(limited.limit, {
    isAdmitted: false,
    perMinute: 1000,
    remaining: 0,
    resetsInMs: 60_060,
  });
  world.clock.setTo(NOON_MS + 120_000);
  assert.equal(
    (await world.redeem(owned.secretKey, { token })).kind,
    "verified",
    "the token was not burned",
  );
});

test("the limit holds over all nodes together (D10, limits)", async () => {
  const world = await createWorld({ verify: 10 });
  const owned = await world.createSite();
  const nodes = [world.node, await world.createNode()];
  const calls = Array.from({ length: 30 }, (_, i) =>
    world.redeem(owned.secretKey, { token: world.mint(owned.site) }, nodes[i % 2]),
  );
  const kinds = (await Promise.all(calls)).map((answer) => answer.kind);
  assert.equal(kinds.filter((kind) => kind === "verified").length, 10);
  assert.equal(kinds.filter((kind) => kind === "limited").length, 20);
});

test("sites have limits of their own, and a site may have another one (D10, limits)", async () => {
  const world = await createWorld({ verify: 3 });
  const [a, b] = [await world.createSite(), await world.createSite({ verifyPerMinute: 5 })];
  assert.deepEqual(await redeemMany(world, a, 4, () => world.mint(a.site)), {
    verified: 3,
    limited: 1,
  });
  assert.deepEqual(await redeemMany(world, b, 6, () => world.mint(b.site)), {
    verified: 5,
    limited: 1,
  });
});

test("never more than the limit in a clock minute, and the former minute counts into the next (D10, limits)", async () => {
  const world = await createWorld({ verify: 10 });
  const owned = await world.createSite();
  const fresh = () => world.mint(owned.site);
  world.clock.setTo(NOON_MS + 59_999);
  assert.deepEqual(await redeemMany(world, owned, 11, fresh), { verified: 10, limited: 1 });
  world.clock.setTo(NOON_MS + 60_000);
  assert.deepEqual(await redeemMany(world, owned, 1, fresh), { limited: 1 });
  world.clock.setTo(NOON_MS + 90_000);
  assert.deepEqual(await redeemMany(world, owned, 6, fresh), { verified: 5, limited: 1 });
});

test("limits refusals by a bucket of their own, and still redeems a fresh token once it is used up (D2, redemption)", async () => {
  const world = await createWorld({ verify: 5 });
  const owned = await world.createSite();
  assert.deepEqual(await redeemMany(world, owned, 20, () => "forged"), { refused: 5, limited: 15 });
  assert.deepEqual(await redeemMany(world, owned, 5, () => world.mint(owned.site)), {
    verified: 5,
  });
});

test("refusals of one site do not count for another (D2, redemption)", async () => {
  const world = await createWorld({ verify: 5 });
  const [a, b] = [await world.createSite(), await world.createSite()];
  await redeemMany(world, a, 20, () => "forged");
  assert.deepEqual(await redeemMany(world, b, 5, () => "forged"), { refused: 5 });
});

test("one token sent a thousand times does not use up the site's limit (D2, redemption)", async () => {
  const world = await createWorld({ verify: 5 });
  const owned = await world.createSite();
  const token = world.mint(owned.site);
  assert.deepEqual(await redeemMany(world, owned, 1000, () => token), {
    verified: 1,
    refused: 5,
    limited: 994,
  });
  assert.deepEqual(await redeemMany(world, owned, 4, () => world.mint(owned.site)), {
    verified: 4,
  });
});

test("fresh redemptions do not use up the bucket of refusals (D2, redemption)", async () => {
  const world = await createWorld({ verify: 5 });
  const owned = await world.createSite();
  await redeemMany(world, owned, 5, () => world.mint(owned.site));
  assert.deepEqual(await redeemMany(world, owned, 6, () => "forged"), { refused: 5, limited: 1 });
});

test("a refusal says how many more are answered, and the next minute answers again (D10, limits)", async () => {
  const world = await createWorld({ verify: 5 });
  const { secretKey } = await world.createSite();
  const first = await world.redeem(secretKey, { token: "forged" });
  assert.ok(first.kind === "refused");
  assert.deepEqual(first.limit, {
    isAdmitted: true,
    perMinute: 5,
    remaining: 4,
    resetsInMs: 60_000,
  });
  for (let i = 0; i < 5; i++) await world.redeem(secretKey, { token: "forged" });
  world.clock.setTo(NOON_MS + 120_000);
  assert.equal((await world.redeem(secretKey, { token: "forged" })).kind, "refused");
});
