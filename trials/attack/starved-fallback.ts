import { fieldsOf, noScriptVisitors, tokenOf } from "@stile/testkit/contract/no-script-visitor";
import { startInProcess, type TimedFixture } from "@stile/testkit/contract/service-fixtures";
import { newSite, type TestSite } from "@stile/testkit/contract/sites";
import { askChallenge, challengeOf, solve, submit } from "@stile/testkit/contract/visitor";
import type { Figure, Trial } from "@stile/testkit/trials/trial";

const NETWORKS = 150;
const PER_MINUTE = 60;
const MINUTES = 3;
const VISITORS = 15;
/**
 * The work of a browser without WebAssembly if no other takes its quota, and the most that it ever
 * gets.
 */
const LESS = 2 ** 13;
const MOST = 2 ** 16;

const addressOf = (network: number): string => `10.${100 + (network % NETWORKS)}.1.7`;

async function askWithoutWebAssembly(
  fixture: TimedFixture,
  site: TestSite,
  address: string,
  isSolved: boolean,
) {
  const more = { headers: { "x-forwarded-for": address } };
  const challenge = challengeOf(
    await askChallenge(fixture, { site_key: site.siteKey, fallback: "1" }, more),
  );
  if (isSolved) await submit(fixture, await solve(fixture, site, challenge), more);
  return challenge.difficulty;
}

/**
 * The work of VISITORS visitors without WebAssembly, next to a flood that solves its challenges or
 * does not.
 */
async function flood(fixture: TimedFixture, isSolved: boolean): Promise<readonly number[]> {
  const site = await newSite(fixture, { mode: "non_interactive" });
  for (let i = 0; i < MINUTES * PER_MINUTE; i++) {
    fixture.clock.advance(60_000 / PER_MINUTE);
    await askWithoutWebAssembly(fixture, site, addressOf(i), isSolved);
  }
  const works: number[] = [];
  for (let i = 0; i < VISITORS; i++)
    works.push(await askWithoutWebAssembly(fixture, site, `192.0.${i}.7`, false));
  return works;
}

/**
 * How many of VISITORS visitors without JavaScript get a token next to a flood that submits none of
 * its waits.
 */
async function floodWaits(fixture: TimedFixture): Promise<number> {
  const { open, send, offering } = noScriptVisitors(fixture);
  const site = await offering();
  for (let i = 0; i < MINUTES * PER_MINUTE; i++) {
    fixture.clock.advance(60_000 / PER_MINUTE);
    await open({ sitekey: site.siteKey }, addressOf(i));
  }
  const waits = [];
  for (let i = 0; i < VISITORS; i++) {
    const address = `192.1.${i}.7`;
    waits.push({ address, fields: fieldsOf(await open({ sitekey: site.siteKey }, address)) });
  }
  fixture.clock.advance(30_000);
  let tokens = 0;
  for (const { address, fields } of waits)
    if (tokenOf(await send(fields, address)) !== undefined) tokens += 1;
  return tokens;
}

/** Many networks use up a site's quota for browsers without WebAssembly and without JavaScript. */
export const starvedFallback: Trial = {
  name: "starved-fallback",
  tries: `Asks ${PER_MINUTE} times a minute from ${NETWORKS} networks for less work or for a wait, solving none or all.`,
  run: async (say) => {
    const fixture = await startInProcess({ STILE_TRUSTED_PROXIES: "127.0.0.1" });
    try {
      say("challenges that nobody solves");
      const unpaid = await flood(fixture, false);
      say("challenges that are solved");
      const paid = await flood(fixture, true);
      say("waits that nobody submits");
      const tokens = await floodWaits(fixture);
      const all = { kind: "at_least", value: VISITORS } as const;
      const figures: Figure[] = [
        {
          name: `unsolved: of ${VISITORS} visitors, with less work`,
          value: unpaid.filter((work) => work <= LESS).length,
          unit: "",
          bound: all,
        },
        {
          name: "unsolved: the most hashes asked of one",
          value: Math.max(...unpaid),
          unit: "",
          bound: { kind: "at_most", value: LESS },
        },
        {
          name: `solved: of ${VISITORS} visitors, with less work`,
          value: paid.filter((work) => work <= LESS).length,
          unit: "",
        },
        {
          name: "solved: the most hashes asked of one",
          value: Math.max(...paid),
          unit: "",
          bound: { kind: "at_most", value: MOST },
        },
        {
          name: `waits: of ${VISITORS} visitors without JavaScript, with a token`,
          value: tokens,
          unit: "",
          bound: all,
        },
      ];
      return figures;
    } finally {
      await fixture.stop();
    }
  },
};
