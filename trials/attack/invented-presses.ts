import type { BehaviourSignals, PointerSample } from "@stile/protocol/signals";
import { redeem } from "@stile/testkit/contract/redeem";
import { startInProcess, type TimedFixture } from "@stile/testkit/contract/service-fixtures";
import { newSite, type TestSite } from "@stile/testkit/contract/sites";
import { askChallenge, challengeOf, solve, submit } from "@stile/testkit/contract/visitor";
import type { Figure, Trial } from "@stile/testkit/trials/trial";

const VISITS = 6;
const MOST_ROUNDS = 4;
/** The least cost of a synthetic press without other input, in puzzles of the base difficulty. */
const LEAST_WORK = 16;

const BOX = [20, 240, 300, 66] as const;

/** A synthetic press of a mouse in the middle of the widget, this long after the visit began. */
function press(ms: number): readonly PointerSample[] {
  return [
    [ms, 171.5, 268, 1, 0, 0.5, 1, 5, -5],
    [ms + 90, 171.5, 268, 2, 0, 0, 1],
    [ms + 90, 171.5, 268, 4, 0, 0, 1],
  ];
}

type Invented = Pick<BehaviourSignals, "pointer" | "keys">;

/** A visit that reports nothing but what the script invented. */
function behave(ms: number, invented: Invented): BehaviourSignals {
  const rest = { focus: [], visibility: [], scroll: [], box: BOX, callers: [] };
  return { v: 2, solveMs: 90, durationMs: ms + 400, ...invented, ...rest };
}

/** What a script invents, and its report when it asks: a press after one move, or one key. */
const A_PRESS = {
  name: "a press",
  invented: { pointer: press(700), keys: [] },
  told: "1~1.10.10~",
};
const A_KEY = {
  name: "a key",
  invented: { pointer: [], keys: [[700, 1] as const, [790, 0] as const] },
  told: "1~~",
};
type Invention = typeof A_PRESS | typeof A_KEY;

let networks = 0;

type Earned = { readonly isAccepted: boolean; readonly hashes: number };

/** The script's claim about its browser when it asks: nothing, or that it has no WebAssembly. */
type Claim = { readonly fallback?: "1" };

/**
 * How long a script waits that claims to have no WebAssembly: sooner, the claim counts against it
 * (D8, challenge).
 */
const CLAIMED_WAIT_MS = 4_000;

/**
 * One visit of the script, from a network of its own, with the environment of an honest browser.
 */
async function visit(
  fixture: TimedFixture,
  site: TestSite,
  { invented, told }: Invention,
  claim: Claim,
): Promise<Earned> {
  const more = { from: `127.78.${++networks & 255}.1` };
  const asked = { site_key: site.siteKey, batch: told, ...claim };
  let challenge = challengeOf(await askChallenge(fixture, asked, more));
  let hashes = 0;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    hashes += challenge.difficulty;
    const signals = { behaviour: behave(700, invented), told };
    const solved = await solve(fixture, site, challenge, signals);
    if (claim.fallback !== undefined) fixture.clock.advance(CLAIMED_WAIT_MS);
    const { body } = await submit(fixture, solved, more);
    if (body.data.verified === true) {
      const { data } = (await redeem(fixture, site, { token: body.data.token })).body;
      return { isAccepted: data.verified === true && data.recommendation === "allow", hashes };
    }
    if (body.data.challenge === undefined) return { isAccepted: false, hashes };
    challenge = body.data.challenge as typeof challenge;
  }
  return { isAccepted: false, hashes };
}

type Attempt = {
  readonly mode: "managed" | "interactive";
  readonly invention: Invention;
  readonly claim?: Claim;
};

async function figuresOf(
  fixture: TimedFixture,
  { mode, invention, claim = {} }: Attempt,
): Promise<Figure[]> {
  const site = await newSite(fixture, { mode });
  const visits: Earned[] = [];
  for (let i = 0; i < VISITS; i++) visits.push(await visit(fixture, site, invention, claim));
  const accepted = visits.filter(({ isAccepted }) => isAccepted).length;
  const base = challengeOf(
    await askChallenge(fixture, { site_key: site.siteKey }, { from: "127.79.1.1" }),
  ).difficulty;
  const work = visits.reduce((sum, { hashes }) => sum + hashes, 0) / Math.max(1, accepted) / base;
  const isClaimed = claim.fallback !== undefined;
  const who = `${mode}, ${invention.name}${isClaimed ? ", claiming no WebAssembly" : ""}`;
  // No bound for the claim: a browser without WebAssembly finishes no more than it is asked for,
  // and quotas ration it (D8, challenge).
  const bound = isClaimed ? {} : { bound: { kind: "at_least", value: LEAST_WORK } as const };
  return [
    { name: `${who}, of ${VISITS}: accepted by our sample code`, value: accepted, unit: "tokens" },
    { name: `${who}: work for each`, value: work, unit: "x base", ...bound },
  ];
}

const CLAIMED = { fallback: "1" } as const;

/**
 * The cheapest inventions by mode. Keys alone are priced in `managed`; `interactive` wants a press.
 */
const ATTEMPTS: readonly Attempt[] = [
  { mode: "managed", invention: A_PRESS },
  { mode: "managed", invention: A_KEY },
  { mode: "interactive", invention: A_PRESS },
  { mode: "managed", invention: A_PRESS, claim: CLAIMED },
  { mode: "managed", invention: A_KEY, claim: CLAIMED },
  { mode: "interactive", invention: A_PRESS, claim: CLAIMED },
];

/**
 * A script without a browser generates the one press that it is asked for, or the one key that lets
 * it pay instead, and nothing else.
 */
export const inventedPresses: Trial = {
  name: "invented-presses",
  tries:
    "A script without a browser invents the press that managed and interactive sites ask for, or the key that lets it pay instead, and nothing else.",
  run: async () => {
    const fixture = await startInProcess({ STILE_LIMIT_CHALLENGE: "10000" });
    try {
      const figures: Figure[] = [];
      for (const attempt of ATTEMPTS) figures.push(...(await figuresOf(fixture, attempt)));
      return figures;
    } finally {
      await fixture.stop();
    }
  },
};
