import type { BehaviourSignals, PointerSample } from "@stile/protocol/signals";
import { redeem } from "@stile/testkit/contract/redeem";
import { type ServiceFixture, startInOwnProcess } from "@stile/testkit/contract/service-fixtures";
import { newSite, type TestSite } from "@stile/testkit/contract/sites";
import { askChallenge, challengeOf, solve, submit } from "@stile/testkit/contract/visitor";
import type { Figure, Trial } from "@stile/testkit/trials/trial";

const VISITS = 6;
const MOST_ROUNDS = 4;
/** What an invented press without anything around it costs at least, in puzzles of the base difficulty. */
const LEAST_WORK = 16;
/** Below this the answer of token/verify recommends to allow, in the modes that ask for a press (D6). */
const BLOCKED_FROM = 0.6;

const BOX = [20, 240, 300, 66] as const;

/** An invented press of a mouse in the middle of the widget, so long after the visit began. */
function press(ms: number): readonly PointerSample[] {
  return [
    [ms, 171.5, 268, 1, 0, 0.5, 1, 5, -5],
    [ms + 90, 171.5, 268, 2, 0, 0, 1],
    [ms + 90, 171.5, 268, 4, 0, 0, 1],
  ];
}

/** A visit in which nothing is reported but the press. */
function behave(ms: number): BehaviourSignals {
  const rest = { keys: [], focus: [], visibility: [], scroll: [], box: BOX, callers: [] };
  return { v: 2, solveMs: 90, durationMs: ms + 400, pointer: press(ms), ...rest };
}

/** What the script reports when it asks: the pointer moved once. */
const ONE_MOVE = "1~1.10.10~";

let networks = 0;

type Earned = { readonly isAccepted: boolean; readonly hashes: number };

/** One visit of the script, from a network of its own, with the environment of an honest browser. */
async function visit(fixture: ServiceFixture, site: TestSite): Promise<Earned> {
  const more = { from: `127.78.${++networks & 255}.1` };
  let challenge = challengeOf(await askChallenge(fixture, { site_key: site.siteKey, batch: ONE_MOVE }, more));
  let hashes = 0;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    hashes += challenge.difficulty;
    const signals = { behaviour: behave(700), told: ONE_MOVE };
    const { body } = await submit(fixture, await solve(fixture, site, challenge, signals), more);
    if (body.data.verified === true) {
      const { data } = (await redeem(fixture, site, { token: body.data.token })).body;
      return { isAccepted: data.verified === true && Number(data.score) < BLOCKED_FROM, hashes };
    }
    if (body.data.challenge === undefined) return { isAccepted: false, hashes };
    challenge = body.data.challenge as typeof challenge;
  }
  return { isAccepted: false, hashes };
}

async function figuresOf(fixture: ServiceFixture, mode: "managed" | "interactive"): Promise<Figure[]> {
  const site = await newSite(fixture, { mode });
  const visits: Earned[] = [];
  for (let i = 0; i < VISITS; i++) visits.push(await visit(fixture, site));
  const accepted = visits.filter(({ isAccepted }) => isAccepted).length;
  const base = challengeOf(await askChallenge(fixture, { site_key: site.siteKey }, { from: "127.79.1.1" })).difficulty;
  const work = visits.reduce((sum, { hashes }) => sum + hashes, 0) / Math.max(1, accepted) / base;
  return [
    { name: `${mode}, of ${VISITS}: accepted by our sample code`, value: accepted, unit: "tokens" },
    { name: `${mode}: work for each`, value: work, unit: "x base", bound: { kind: "at_least", value: LEAST_WORK } },
  ];
}

/** A script without a browser invents the one press that is asked for, and nothing else. */
export const inventedPresses: Trial = {
  name: "invented-presses",
  tries: "A script without a browser invents the press that managed and interactive sites ask for, and nothing else.",
  run: async () => {
    const fixture = await startInOwnProcess({ STILE_LIMIT_CHALLENGE: "10000" });
    try {
      return [...(await figuresOf(fixture, "managed")), ...(await figuresOf(fixture, "interactive"))];
    } finally {
      await fixture.stop();
    }
  },
};
