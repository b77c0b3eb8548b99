import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createRandom } from "@stile/risk/seeded-random";
import { claimsOfForger } from "./forgers.ts";
import { type LimitedService, startLimited } from "./limited-service.ts";
import { askAtPace, EARNERS, earnFor, printOneNetwork } from "./one-network.ts";
import { earnTokenRaw } from "./raw-client.ts";

const started = new AsyncDisposableStack();
let service: LimitedService;
before(async () => {
  service = await startLimited(started);
});
after(() => started.disposeAsync());

test("refuses one address over its network's limit; other addresses of the /24 use its reserve, and pay no less", async () => {
  const one = await askAtPace(service, { network: 1, addresses: 1, perMinute: 150 });
  assert.ok(one.given > 80 && one.given <= 100, `${one.given} given`);
  assert.equal(one.given + one.refused, 150);
  assert.ok(one.mostWork >= 8, `${one.mostWork} times the base`);
  const spread = await askAtPace(service, { network: 2, addresses: 200, perMinute: 150 });
  assert.ok(spread.given > one.given, `${spread.given} given, ${one.given} to one address`);
  assert.ok(
    spread.meanWork >= one.meanWork,
    `${spread.meanWork} and ${one.meanWork} times the base`,
  );
});

test("refuses a forger over the limit; under another user agent it draws from the reserve", async () => {
  service.holdClock(true);
  await askAtPace(service, { network: 6, addresses: 1, perMinute: 150 });
  const target = { baseUrl: service.seenFrom(6, 10), siteKey: service.siteKey, action: "login" };
  const given = async (forger: string): Promise<number> => {
    const works: number[] = [];
    await earnTokenRaw(target, claimsOfForger(forger, createRandom(1)), (work) => works.push(work));
    return works.length;
  };
  assert.equal(await given("forger-keys"), 0);
  service.holdClock(false);
  assert.equal(await given("forger-taps"), 1);
});

test("refuses nothing to a client that asks as seldom as people, and counts its tokens with their price", async () => {
  const slow = await askAtPace(service, { network: 3, addresses: 1, perMinute: 20 });
  assert.deepEqual([slow.given, slow.refused, slow.mostWork], [20, 0, 1]);
  const [earner] = EARNERS;
  assert.ok(earner);
  const [stretch, ...more] = await earnFor(service, { earner, network: 4, minutes: 0.25 });
  assert.ok(stretch !== undefined && more.length === 0);
  assert.deepEqual([stretch.asked, stretch.refused, stretch.tokens], [5, 0, 5]);
  assert.ok(stretch.work !== null && stretch.work > 0 && stretch.work <= 1);
  assert.match(
    printOneNetwork({ asking: [slow], earning: [stretch] }),
    / 1 +20 +20 +0 +1\.0 +1\.0\n/,
  );
});
