import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { createRandom, type Random } from "@stile/risk/seeded-random";
import { issueTo, solve, visitorAt } from "@stile/testkit/minting/solving";
import { type CrowdVisit, USUAL_MIX, visitorOf } from "@stile/testkit/visits/crowd";
import { findVisitor } from "@stile/testkit/visits/find-visitor";
import { decoded } from "@stile/testkit/visits/handed-in";
import { createWorld, type OwnedSite, type World } from "@stile/testkit/world/world";
import { recallVisit } from "../../services/visitor/recall-visit.ts";
import { submitSolution } from "./submit-solution.ts";

const HOUR = 3_600_000;
const COPIED = findVisitor("Chrome on Android");

let world: World;
let owned: OwnedSite;
let random: Random;
beforeEach(async () => {
  world = await createWorld({ challenge: 10_000, challengeTotal: 100_000 });
  owned = await world.createSite({ mode: "invisible" });
  random = createRandom(7);
});

const anyAddress = (): string =>
  Array.from({ length: 4 }, () => 1 + Math.floor(220 * random())).join(".");

/** Half a day of the site's visitors, without their work, which is not counted here. */
async function becomeKnown(): Promise<void> {
  const { challenge } = await issueTo(world, owned.site);
  for (let i = 0; i < 700; i++) {
    world.clock.advance(60_000);
    const { userAgent, environment, behaviour } = visitorOf(USUAL_MIX, random);
    const visitor = { ...visitorAt(anyAddress()), userAgent };
    const observations = { environment: decoded(environment), behaviour: decoded(behaviour) };
    recallVisit(world.node, {
      siteKey: owned.site.siteKey,
      challenge,
      visitor,
      observations,
    }).remember();
  }
}

async function submit(
  { userAgent, environment, behaviour }: CrowdVisit,
  ip = anyAddress(),
): Promise<string> {
  const visitor = { ...visitorAt(ip), userAgent, riskHeaders: {} };
  const issued = await issueTo(world, owned.site, visitor);
  const solution = {
    ...(await solve(world, owned.site, issued, { environment, behaviour })),
    visitor,
  };
  return (await submitSolution(world.node, solution)).kind;
}

/** A program that copies one browser, and taps slightly differently each time. */
const forged = (): CrowdVisit => ({
  userAgent: COPIED.userAgent,
  environment: COPIED.environment,
  behaviour: visitorOf({ ...USUAL_MIX, devices: [["android", 1]] }, random).behaviour,
});

const flaggedSoFar = (): Promise<number> => world.countOf(owned.site, "flag:fleet_surge");

test("among 50 forged visits from 50 networks, 9 in 10 after the first 20 are flagged, and no recorded user", async () => {
  await becomeKnown();
  let people = 0;
  for (let i = 0; i < 50; i++) {
    await submit(forged());
    if (i === 19) assert.ok((await flaggedSoFar()) <= 8);
    const before = await flaggedSoFar();
    if (i % 5 === 0) await submit(visitorOf(USUAL_MIX, random));
    people += (await flaggedSoFar()) - before;
  }
  assert.ok((await flaggedSoFar()) >= 27, `${await flaggedSoFar()} of 30`);
  assert.equal(people, 0);
  const { waves } = world.node.waveMemory.list(owned.site.siteKey, world.clock.nowMs());
  const shared = Object.fromEntries(
    waves[0]?.properties.map(({ property, value }) => [property, value]) ?? [],
  );
  assert.deepEqual(
    [waves.length, shared.browser, shared.timeZone],
    [1, "Chromium 140", "Europe/Paris"],
  );
});

test("a wave from one network is none, since people who share an address often share a kind of computer", async () => {
  await becomeKnown();
  for (let i = 0; i < 30; i++) await submit(forged(), "192.0.2.7");
  assert.equal(await flaggedSoFar(), 0);
});

/** The /48 with that number in one of the IPv6 /32s. */
const sixth = (provider: number, number: number): string =>
  `2001:db${provider.toString(16)}:${number.toString(16)}::1`;

test("an attacker with an IPv6 /32 causes no surge of others' classes, with any number of its networks", async () => {
  await becomeKnown();
  for (let i = 0; i < 60; i++) await submit(forged(), sixth(8, i));
  await submit(forged());
  assert.equal(await flaggedSoFar(), 0);
});

test("midnight, when networks get other numbers, makes neither a /32 nor a few IPv4 networks a surge", async () => {
  await becomeKnown();
  const midnightMs = Math.ceil(world.clock.nowMs() / (24 * HOUR)) * 24 * HOUR;
  for (const atMs of [midnightMs - 60_000, midnightMs + 60_000]) {
    world.clock.setTo(atMs);
    for (let i = 0; i < 50; i++) await submit(forged(), sixth(8, i));
    for (let i = 0; i < 5; i++) await submit(forged(), `192.0.${i}.7`);
  }
  await submit(forged());
  assert.equal(await flaggedSoFar(), 0);
});

test("a wave from the IPv6 networks of several providers is one", async () => {
  await becomeKnown();
  // With so many networks hardly two share a number: which of a provider's count is random.
  for (let i = 0; i < 60; i++) await submit(forged(), sixth(i % 12, i));
  assert.ok((await flaggedSoFar()) >= 36, `${await flaggedSoFar()} of 40`);
});

test("a mode that can ask asks the wave for a press, and a refused wave is blocked until the hour is over", async () => {
  owned = await world.createSite();
  await becomeKnown();
  const kinds: string[] = [];
  for (let i = 0; i < 22; i++) kinds.push(await submit(forged()));
  assert.deepEqual(kinds.slice(-3), ["step_up", "step_up", "step_up"]);
  const { siteKey } = owned.site;
  const [wave] = world.node.waveMemory.list(siteKey, world.clock.nowMs()).waves;
  const untilMs = world.clock.nowMs() + HOUR;
  world.node.waveMemory.refuse(siteKey, wave?.waveId ?? "", untilMs);
  assert.equal(await submit(forged()), "blocked");
  assert.notEqual(
    await submit(visitorOf({ ...USUAL_MIX, devices: [["iphone", 1]] }, random)),
    "blocked",
  );
  world.clock.setTo(untilMs);
  assert.notEqual(await submit(forged()), "blocked");
});
