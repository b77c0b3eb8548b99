import { BASE_DIFFICULTY } from "@stile/pow/puzzle";
import { redeem } from "@stile/testkit/contract/redeem";
import { startInProcess, type TimedFixture } from "@stile/testkit/contract/service-fixtures";
import { newSite, type TestSite } from "@stile/testkit/contract/sites";
import { askChallenge, challengeOf, solve, submit } from "@stile/testkit/contract/visitor";
import type { Figure, Trial } from "@stile/testkit/trials/trial";

const DAY_MS = 86_400_000;
const DAYS = 7;
/** One token each 3 s: too slow for the network's rate to add cost. */
const PACE_MS = 3_000;
const TAKEN = 100;
const ATTACKER = "203.0.113.7";

/** Earns a token at that address and redeems it; returns its work, in times the base. */
async function earn(
  fixture: TimedFixture,
  site: TestSite,
  address: string,
  query = {},
): Promise<number | undefined> {
  fixture.clock.advance(PACE_MS);
  const more = { headers: { "x-forwarded-for": address } };
  const asked = await askChallenge(fixture, { site_key: site.siteKey, ...query }, more);
  if (asked.status === 429) return undefined;
  const challenge = challengeOf(asked);
  const { body } = await submit(fixture, await solve(fixture, site, challenge), more);
  if (typeof body.data.token === "string") await redeem(fixture, site, { token: body.data.token });
  return challenge.difficulty / BASE_DIFFICULTY[1];
}

async function earnMany(
  fixture: TimedFixture,
  site: TestSite,
  count: number,
  address: string,
  query = {},
) {
  const works = [];
  for (let i = 0; i < count; i++) works.push(await earn(fixture, site, address, query));
  return works;
}

/** A site whose busiest network had that many tokens in an hour of each day of the last week. */
async function siteWithPast(fixture: TimedFixture, perHour: number): Promise<TestSite> {
  const site = await newSite(fixture, { mode: "non_interactive" });
  for (let day = 0; day < DAYS; day++) {
    await earnMany(fixture, site, perHour, "198.51.100.7");
    fixture.clock.advance(DAY_MS);
  }
  // The service reads the past with the first visitor of the day.
  await earn(fixture, site, "192.0.2.7");
  await fixture.store.statistics.flush();
  return site;
}

const sum = (works: readonly (number | undefined)[]): number =>
  works.reduce<number>((total, work) => total + (work ?? 0), 0);

/** A single network takes token after token of a site with few visitors. */
export const networkPrice: Trial = {
  name: "network-price",
  tries: `Takes ${TAKEN} tokens of a quiet site in five minutes from one address, in the name of a browser with and without WebAssembly.`,
  run: async (say) => {
    const fixture = await startInProcess({ STILE_TRUSTED_PROXIES: "127.0.0.1" });
    try {
      say("a quiet site: 3 tokens an hour from its busiest network");
      const quiet = await siteWithPast(fixture, 3);
      const works = await earnMany(fixture, quiet, TAKEN, ATTACKER);
      const claimed = await earnMany(fixture, quiet, TAKEN, ATTACKER, { fallback: "1" });
      say("a site with an office of 60 people an hour");
      const busy = await siteWithPast(fixture, 60);
      const office = await earnMany(fixture, busy, 60, "198.51.100.7");
      const figures: Figure[] = [
        {
          name: "quiet site: work of the 1st token",
          value: works[0] ?? 0,
          unit: "x",
          bound: { kind: "at_most", value: 1 },
        },
        {
          name: "quiet site: work of the 30th token",
          value: works[29] ?? 0,
          unit: "x",
          bound: { kind: "at_most", value: 1 },
        },
        {
          name: "quiet site: work of the 100th token",
          value: works[99] ?? 0,
          unit: "x",
          bound: { kind: "at_least", value: 20 },
        },
        {
          name: `quiet site: work of ${TAKEN} tokens`,
          value: sum(works),
          unit: "x",
          bound: { kind: "at_least", value: 500 },
        },
        {
          name: `the same, claiming to have no WebAssembly: tokens of ${TAKEN} in 5 minutes`,
          value: claimed.filter((work) => work !== undefined).length,
          unit: "tokens",
          bound: { kind: "at_most", value: 12 },
        },
        {
          name: "the same: work of each",
          value: sum(claimed) / claimed.filter((work) => work !== undefined).length,
          unit: "x",
        },
        {
          name: "site with an office: work of its 60th token",
          value: office[59] ?? 0,
          unit: "x",
          bound: { kind: "at_most", value: 1 },
        },
      ];
      return figures;
    } finally {
      await fixture.stop();
    }
  },
};
