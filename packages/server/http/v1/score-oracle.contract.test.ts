import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { decodeBehaviour } from "@stile/protocol/decode-signals";
import { SITE_MODES, type SiteMode } from "@stile/protocol/site-settings";
import { GRADES } from "@stile/risk/trajectory/grading";
import { scoreVisit } from "@stile/risk/trajectory/score-visit";
import { SHIPPED_MODEL } from "@stile/risk/trajectory/shipped-model";
import {
  askAndWatch,
  differencesOf,
  type Sight,
  type Walker,
  walkAndWatch,
} from "@stile/testkit/contract/onlooker";
import { startInProcess, type TimedFixture } from "@stile/testkit/contract/service-fixtures";
import { newSite } from "@stile/testkit/contract/sites";
import { CHROME_VISITOR } from "@stile/testkit/visits/find-visitor";
import { handPath, steppedPath, toPointer } from "@stile/testkit/visits/pointer-paths";
import { toldAt } from "@stile/testkit/visits/told-at";

const { worker } = CHROME_VISITOR.environment;
/** Two clients in each band of the score, one near each end of it (D6, scores). */
const BANDS = {
  allow: [
    { signals: {} },
    { signals: { environment: { chrome: null, viewport: [3000, 3000, 3000, 3000] } } },
  ],
  challenge: [
    { signals: { environment: "withheld" } },
    { signals: { environment: { worker: worker && { ...worker, platform: "Linux" } } } },
  ],
  block: [
    { signals: { environment: { natives: [["webdriver", "() => false"]] } } },
    { signals: { environment: { webdriver: true } } },
  ],
} as const satisfies Readonly<Record<string, readonly [Walker, Walker]>>;
const EDGES = { allow: [0, 0.3], challenge: [0.3, 0.6], block: [0.6, 1.01] } as const;

/** Headers of clients that are scored before any work. The first are an honest browser's. */
const REQUESTS: readonly Readonly<Record<string, string>>[] = [
  {},
  { "user-agent": "curl/8.5.0" },
  { "user-agent": "" },
  {
    "user-agent":
      "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/140.0.0.0 Safari/537.36",
  },
  { "sec-ch-ua": '"Chromium";v="99", "Google Chrome";v="98"', "accept-language": "" },
  { accept: "text/html", "sec-fetch-site": "none" },
];

let fixture: TimedFixture;

before(async () => {
  fixture = await startInProcess({ STILE_LIMIT_CHALLENGE: "100000" });
});
after(() => fixture.stop());

type Walk = { readonly sights: readonly Sight[]; readonly score: number | undefined };
type Walks = Readonly<Record<keyof typeof BANDS, readonly Walk[]>>;

async function walkAll(mode: SiteMode): Promise<Walks> {
  const walks = { allow: [] as Walk[], challenge: [] as Walk[], block: [] as Walk[] };
  for (const band of ["allow", "challenge", "block"] as const) {
    for (const walker of BANDS[band])
      walks[band].push(await walkAndWatch(fixture, await newSite(fixture, { mode }), walker));
  }
  return walks;
}

const upTo = (walk: Walk | undefined, step: string): readonly Sight[] => {
  const sights = walk?.sights ?? [];
  return sights.slice(
    0,
    sights.findIndex((sight) => sight.step === step),
  );
};

for (const mode of Object.keys(SITE_MODES) as SiteMode[]) {
  test(`${mode}: issues the same challenge before any work, whatever a client says about itself (D8, challenge)`, async () => {
    const watch = async (headers: Readonly<Record<string, string>>) =>
      askAndWatch(fixture, await newSite(fixture, { mode }), headers);
    const honest = await watch({});
    for (const headers of REQUESTS)
      assert.deepEqual(differencesOf(honest, await watch(headers)), [], JSON.stringify(headers));
  });
}

for (const mode of ["non_interactive", "invisible"] as const) {
  test(`${mode}: shows a browser nothing of its score (D9, submission)`, async () => {
    const walks = await walkAll(mode);
    const [first] = walks.allow;
    for (const band of ["allow", "challenge", "block"] as const) {
      const [from, to] = EDGES[band];
      for (const { sights, score } of walks[band]) {
        assert.ok(score !== undefined && score >= from && score < to, `${band}: ${score}`);
        assert.deepEqual(differencesOf(first?.sights ?? [], sights), [], `${band}, score ${score}`);
      }
    }
    assert.equal(
      new Set(Object.values(walks).flatMap((all) => all.map(({ score }) => score))).size,
      6,
    );
  });
}

for (const mode of ["managed", "interactive"] as const) {
  test(`${mode}: shows the same to everybody who is asked for the same, whatever else their score (D9, submission)`, async () => {
    const walks = await walkAll(mode);
    for (const [one, other] of Object.values(walks)) {
      assert.deepEqual(differencesOf(one?.sights ?? [], other?.sights ?? []), []);
    }
    const [allowed, asked, blocked] = [walks.allow[0], walks.challenge[0], walks.block[0]];
    for (const walk of [asked, blocked]) {
      assert.deepEqual(
        differencesOf(upTo(allowed, "first answer"), upTo(walk, "first answer")),
        [],
      );
    }
    // The only difference is the request for a click or for work, or the refusal: the purpose of
    // these modes.
    const toldApart = differencesOf(allowed?.sights ?? [], asked?.sights ?? []);
    assert.ok(toldApart.length > 0, mode);
  });
}

const COURSE = { from: [120, 640], to: [470, 362] } as const;
const CLIMBED = 7;
/**
 * The log-odds of visits with three or more paths at which the flag begins to add something, and at
 * which it adds everything.
 */
const [FIRST, LAST] = [0, 2].map((at) => SHIPPED_MODEL.exceeded.at(-1)?.[at]?.[1] ?? 0) as [
  number,
  number,
];

/** A visit with five paths, of which this many are a program's. */
function visitOf(programs: number, seed: number) {
  const paths = [0, 1, 2, 3, 4].map((at) =>
    at < programs ? steppedPath(COURSE) : handPath(COURSE, 5 * seed + at),
  );
  const pointer = toPointer(paths);
  const behaviour = {
    ...CHROME_VISITOR.behaviour,
    pointer,
    durationMs: (pointer.at(-1)?.[0] ?? 0) + 300,
  };
  return {
    behaviour,
    suspicion: scoreVisit(decodeBehaviour(behaviour))?.logOdds ?? assert.fail("not scored"),
  };
}

/**
 * Visits that look more and more like a program's to the model, evenly from no addition to the
 * flag's full one.
 */
const VISITS = [0, 1, 2, 3, 4, 5].flatMap((programs) =>
  Array.from({ length: 30 }, (_, seed) => visitOf(programs, seed)),
);
const CLIMB = Array.from({ length: CLIMBED }, (_, i) => {
  const wanted = FIRST - 0.3 + ((LAST - FIRST + 0.6) * i) / (CLIMBED - 1);
  const apart = ({ suspicion }: (typeof VISITS)[number]): number => Math.abs(suspicion - wanted);
  return VISITS.reduce((nearest, visit) => (apart(visit) < apart(nearest) ? visit : nearest));
});

for (const mode of ["managed", "non_interactive"] as const) {
  test(`${mode}: reveals one bit at most to an attacker who tunes a path by the answers, and one step to the site's owner (decision 0025, coarse grades)`, async () => {
    assert.equal(
      new Set(CLIMB.map(({ suspicion }) => suspicion)).size,
      CLIMBED,
      "the model scores each of them differently",
    );
    const walks: Walk[] = [];
    for (const { behaviour } of CLIMB) {
      const told = toldAt(behaviour.durationMs - 900, behaviour);
      walks.push(
        await walkAndWatch(fixture, await newSite(fixture, { mode }), {
          signals: { behaviour, told },
        }),
      );
    }
    // A visitor who was asked for a click, without a press to show, gets no token.
    const scores = new Set(walks.map(({ score }) => score ?? "asked"));
    assert.ok(scores.size > 1 && scores.size <= GRADES.length, [...scores].join(" "));
    const [lowest, highest] = [walks[0], walks.at(-1)];
    for (const { sights, score } of walks) {
      const same = mode === "managed" && score === undefined ? highest : lowest;
      assert.deepEqual(differencesOf(same?.sights ?? [], sights), [], `score ${score}`);
    }
  });
}
