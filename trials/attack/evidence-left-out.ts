import { callApi } from "@stile/testkit/contract/call";
import { bearer, SCORE } from "@stile/testkit/contract/redeem";
import { type ServiceFixture, startInOwnProcess } from "@stile/testkit/contract/service-fixtures";
import { mintToken, newSite, type TestSite } from "@stile/testkit/contract/sites";
import type { Figure, Trial } from "@stile/testkit/trials/trial";
import { CHROME_VISITOR } from "@stile/testkit/visits/find-visitor";

const VISITS = 20;
/** How often a thief shows the one token that they paid for. */
const SHOWS = 300;
/** More scores than this of one token mean that it is shared. */
const MOST_SCORES = 10;

/** Fields `signals` of a script without evidence. */
const NOTHING: Readonly<Record<string, unknown>> = {
  "no signals": undefined,
  "an empty text": "",
  "an empty list": [],
  junk: "a.b.c",
};

async function recommend(fixture: ServiceFixture, site: TestSite, body: object): Promise<unknown> {
  const known = { user_agent: CHROME_VISITOR.userAgent, headers: CHROME_VISITOR.headers };
  const call = { path: SCORE, body: { ...known, ...body }, headers: bearer(site.secretKey) };
  return (await callApi(fixture.baseUrl, call)).body.data.action;
}

async function countAllowed(
  fixture: ServiceFixture,
  site: TestSite,
  body: object,
  times: number,
): Promise<number> {
  let allowed = 0;
  for (let i = 0; i < times; i++)
    if ((await recommend(fixture, site, body)) === "allow") allowed += 1;
  return allowed;
}

/**
 * A script asks the customer's server for an action that POST /api/v1/score protects, and leaves
 * the evidence out.
 */
export const evidenceLeftOut: Trial = {
  name: "evidence-left-out",
  tries:
    "A script sends no signals, or nothing in them, to a form scored by POST /score, or one token again and again.",
  run: async () => {
    const fixture = await startInOwnProcess({ STILE_LIMIT_SCORE: "10000" });
    try {
      const site = await newSite(fixture);
      const figures: Figure[] = [];
      for (const [name, signals] of Object.entries(NOTHING)) {
        const value = await countAllowed(fixture, site, { signals }, VISITS);
        figures.push({
          name: `${name}, of ${VISITS}: allowed`,
          value,
          unit: "visits",
          bound: { kind: "at_most", value: 0 },
        });
      }
      const token = mintToken(fixture, site, {
        address: null,
        userAgent: CHROME_VISITOR.userAgent,
      });
      figures.push({
        name: `one token, shown ${SHOWS} times: allowed`,
        value: await countAllowed(fixture, site, { token }, SHOWS),
        unit: "visits",
        bound: { kind: "at_most", value: MOST_SCORES },
      });
      return figures;
    } finally {
      await fixture.stop();
    }
  },
};
