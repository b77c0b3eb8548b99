import type { BehaviourSignals, PointerSample, ToggleSample } from "@stile/protocol/signals";
import { redeem } from "@stile/testkit/contract/redeem";
import { type ServiceFixture, startInOwnProcess } from "@stile/testkit/contract/service-fixtures";
import { newSite, type TestSite } from "@stile/testkit/contract/sites";
import { askChallenge, challengeOf, solve, submit } from "@stile/testkit/contract/visitor";
import type { Figure, Trial } from "@stile/testkit/trials/trial";

const VISITS = 24;
/** Visits for each way to fake a pointer. */
const FABRICATED = 6;
/**
 * From this score on a visit no longer counts as safe without a request for a click (D6, scores).
 */
const ALLOW_BELOW = 0.3;

const BOX = [20, 240, 300, 66] as const;
const CENTRE = { x: 171.5, y: 268 } as const;

type Places = Pick<BehaviourSignals, "pointer" | "durationMs">;

/** A click made by Space, in the middle of the widget. */
const byKey = (ms: number): Places => ({
  pointer: [[ms, 170, 273, 4, 3, 0, 1]],
  durationMs: ms + 400,
});

/** A synthetic press of a mouse, without moves before it. */
function press(
  ms: number,
  { x, y }: { x: number; y: number } = CENTRE,
): readonly [PointerSample, ...PointerSample[]] {
  const upMs = ms + 60 + 60 * Math.random();
  return [
    [ms, x, y, 1, 0, 0.5, 1, 5, -5],
    [upMs, x, y, 2, 0, 0, 1],
    [upMs, x, y, 4, 0, 0, 1],
  ];
}

/** The synthetic clicks that a script may submit on a site that asks everybody, by their fault. */
const WAYS: Readonly<Record<string, (ms: number) => Places>> = {
  "a pointer outside the box": (ms) => ({
    pointer: press(ms, { x: 700, y: 600 }),
    durationMs: ms + 400,
  }),
  "a pointer from before the challenge": (ms) => ({ pointer: press(ms), durationMs: ms + 60_000 }),
  "a pointer never released": (ms) => ({
    pointer: press(ms).filter(([, , , kind]) => kind !== 2),
    durationMs: ms + 400,
  }),
  "a pointer after the submission": (ms) => ({
    pointer: press(ms),
    durationMs: Math.max(1, ms - 2_000),
  }),
};

/** Five keys at random times, each held as long as a finger holds it; then the click. */
function behave(click: (ms: number) => Places): BehaviourSignals {
  const times: number[] = [];
  for (let ms = 300 + 300 * Math.random(); times.length < 5; ms += 120 + 250 * Math.random())
    times.push(ms);
  const holdMs = (): number => 60 + 60 * Math.random();
  const keys = times.flatMap((ms): ToggleSample[] => [
    [ms, 1],
    [ms + holdMs(), 0],
  ]);
  const rest = { focus: [[250, 1] as const], visibility: [], scroll: [], box: BOX, callers: [] };
  return { v: 2, solveMs: 90, keys, ...rest, ...click((times.at(-1) ?? 0) + 90) };
}

/** Its report when it asks: the page was just opened. */
const NOTHING_YET = "0~~";

let networks = 0;

/**
 * One visit of a script, from a network of its own; returns the score of its token, or undefined if
 * it got none.
 */
async function visit(
  fixture: ServiceFixture,
  site: TestSite,
  behaviour: BehaviourSignals,
): Promise<number | undefined> {
  const more = { from: `127.77.${++networks & 255}.1` };
  let challenge = challengeOf(
    await askChallenge(fixture, { site_key: site.siteKey, batch: NOTHING_YET }, more),
  );
  for (let round = 0; round < 3; round++) {
    const { body } = await submit(
      fixture,
      await solve(fixture, site, challenge, { behaviour, told: NOTHING_YET }),
      more,
    );
    if (body.data.verified === true) {
      const redeemed = await redeem(fixture, site, { token: body.data.token });
      return Number(redeemed.body.data.score);
    }
    if (body.data.next !== "interact" && body.data.next !== "work") return undefined;
    challenge = body.data.challenge as typeof challenge;
  }
  return undefined;
}

async function visitOften(
  fixture: ServiceFixture,
  site: TestSite,
  count: number,
  click: (ms: number) => Places,
) {
  const scores: number[] = [];
  for (let i = 0; i < count; i++) {
    const score = await visit(fixture, site, behave(click));
    if (score !== undefined) scores.push(score);
  }
  return { tokens: scores.length, allowed: scores.filter((score) => score < ALLOW_BELOW).length };
}

/**
 * A script without a browser generates the click that the mode `interactive` asks everybody for.
 */
export const cheapClicks: Trial = {
  name: "cheap-clicks",
  tries:
    "A script without a browser answers the click of mode interactive with key times, or with presses that don't fit.",
  run: async () => {
    const fixture = await startInOwnProcess({ STILE_LIMIT_CHALLENGE: "10000" });
    try {
      const site = await newSite(fixture, { mode: "interactive" });
      const keys = await visitOften(fixture, site, VISITS, byKey);
      const none = { kind: "at_most", value: 0 } as const;
      const figures: Figure[] = [
        {
          name: `keys alone, of ${VISITS}: judged safe`,
          value: keys.allowed,
          unit: "tokens",
          bound: none,
        },
        {
          name: `keys alone, of ${VISITS}: tokens given (people without a mouse are not locked out)`,
          value: keys.tokens,
          unit: "tokens",
          bound: { kind: "at_least", value: VISITS },
        },
      ];
      for (const [name, click] of Object.entries(WAYS)) {
        const { allowed } = await visitOften(fixture, site, FABRICATED, click);
        figures.push({
          name: `${name}, of ${FABRICATED}: judged safe`,
          value: allowed,
          unit: "tokens",
          bound: none,
        });
      }
      const whole = await visitOften(fixture, site, FABRICATED, (ms) => ({
        pointer: press(ms),
        durationMs: ms + 400,
      }));
      figures.push({
        name: `a press that keeps to all that is checked, of ${FABRICATED}: judged safe (a click is self-asserted)`,
        value: whole.allowed,
        unit: "tokens",
      });
      return figures;
    } finally {
      await fixture.stop();
    }
  },
};
