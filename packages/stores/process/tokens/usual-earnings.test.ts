import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { createWorld, type OwnedSite, type World } from "@stile/testkit/world/world";

const DAY_MS = 86_400_000;
const DAYS = 7;

/** The usual earnings that the node uses after it has read the past. */
async function usualAt(
  { node, clock }: World,
  { site }: OwnedSite,
  at = node,
): Promise<number | undefined> {
  at.usualEarnings.of(site.siteKey, clock.nowMs());
  await nextTurn();
  return at.usualEarnings.of(site.siteKey, clock.nowMs());
}

/** At each address, earns and redeems that many tokens within an hour, one after another. */
async function spendDay(
  world: World,
  { site, secretKey }: OwnedSite,
  tokens: number,
  ip: string,
): Promise<void> {
  for (let i = 0; i < tokens; i++) {
    assert.equal(
      (await world.redeem(secretKey, { token: world.mint(site, { ip }) })).kind,
      "verified",
    );
  }
}

test("takes the median of the busiest networks of seven days as usual, also after a restart (D10, limits)", async () => {
  const world = await createWorld();
  const owned = await world.createSite();
  assert.equal(await usualAt(world, owned), 0, "a new site has no past");
  for (const tokens of [0, 40, 20, 0, 30, 90, 25]) {
    await spendDay(world, owned, 9, "198.51.100.1");
    await spendDay(world, owned, tokens, "203.0.113.1");
    world.clock.advance(DAY_MS);
  }
  // The median is 25. Counts are stored in steps of a fifth, so the node reads 24.
  assert.equal(await usualAt(world, owned), 24);
  assert.equal(await usualAt(world, owned, await world.createNode()), 24, "another process");
});

test("ignores a bot that is the busiest network for three days, and uses its number from the fourth day (D10, limits)", async () => {
  const world = await createWorld({ verify: 10_000 });
  const owned = await world.createSite();
  const seen: (number | undefined)[] = [];
  for (let day = 0; day < DAYS + 4; day++) {
    await spendDay(world, owned, 12, "198.51.100.1");
    if (day >= DAYS) await spendDay(world, owned, 130, "203.0.113.1");
    world.clock.advance(DAY_MS);
    if (day >= DAYS - 1) seen.push(await usualAt(world, owned));
  }
  assert.deepEqual(seen, [12, 12, 12, 12, 128]);
});

test("keeps every token free while an earlier version counted the past days, which lack the busiest network (D10, limits)", async () => {
  const world = await createWorld();
  const owned = await world.createSite();
  for (let day = 0; day < DAYS; day++) {
    const metric = "token_redeemed";
    await world.store.statistics.add([
      { siteKey: owned.site.siteKey, metric, atMs: world.clock.nowMs(), count: 5 },
    ]);
    world.clock.advance(DAY_MS);
  }
  assert.equal(await usualAt(world, owned), Number.POSITIVE_INFINITY);
});

test("counts no tokens that are redeemed for another network (D10, limits)", async () => {
  const world = await createWorld();
  const owned = await world.createSite({ binding: "flag" });
  for (let i = 0; i < 20; i++) {
    const token = world.mint(owned.site, { ip: "203.0.113.1" });
    assert.equal(
      (await world.redeem(owned.secretKey, { token, remoteIp: "198.18.0.1" })).kind,
      "verified",
    );
  }
  assert.equal(await world.countOf(owned.site, "busiest:10"), 0);
});

test("counts each step once a day, so that a busy network does not write a row per token (D10, limits)", async () => {
  const world = await createWorld();
  const owned = await world.createSite();
  await spendDay(world, owned, 30, "203.0.113.1");
  const counted = await Promise.all(
    [1, 10, 12, 14, 29].map((step) => world.countOf(owned.site, `busiest:${step}`)),
  );
  assert.deepEqual(counted, [1, 1, 1, 1, 1]);
});

test("keeps the previous day's value if the store cannot be read, and reads it once a minute (D10, limits; D15, outage)", async () => {
  const world = await createWorld();
  const owned = await world.createSite();
  const { siteKey } = owned.site;
  assert.equal(await usualAt(world, owned), 0);
  let asked = 0;
  const { statistics } = world.store;
  const { createUsualEarnings } = await import("./usual-earnings.ts");
  const failing = createUsualEarnings(
    {
      ...statistics,
      readDays: (query) => {
        asked += 1;
        return asked === 1 ? statistics.readDays(query) : Promise.reject(new Error("no answer"));
      },
    },
    { maxSites: 10 },
  );
  const of = async (): Promise<number | undefined> => {
    const known = failing.of(siteKey, world.clock.nowMs());
    await nextTurn();
    return known;
  };
  assert.deepEqual([await of(), await of()], [undefined, 0]);
  world.clock.advance(DAY_MS);
  assert.deepEqual([await of(), await of(), asked], [0, 0, 2]);
  world.clock.advance(60_000);
  assert.deepEqual([await of(), asked], [0, 3]);
});
