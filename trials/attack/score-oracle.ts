import { SITE_MODES, type SiteMode } from "@stile/protocol/site-settings";
import {
  askAndWatch,
  differencesOf,
  type Walker,
  walkAndWatch,
} from "@stile/testkit/contract/onlooker";
import { type ServiceFixture, startInOwnProcess } from "@stile/testkit/contract/service-fixtures";
import { newSite } from "@stile/testkit/contract/sites";
import type { Figure, Trial } from "@stile/testkit/trials/trial";
import { CHROME_VISITOR } from "@stile/testkit/visits/find-visitor";

const { worker } = CHROME_VISITOR.environment;
/** One client in each band: 0.05, 0.41 and at least 0.83. */
const CLIENTS = {
  allow: { signals: {} },
  challenge: { signals: { environment: { worker: worker && { ...worker, platform: "Linux" } } } },
  block: { signals: { environment: { webdriver: true } } },
} as const satisfies Readonly<Record<string, Walker>>;

const HEADLESS =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/140.0.0.0 Safari/537.36";
/** Requests that are scored differently from an honest browser's. */
const REQUESTS: readonly Readonly<Record<string, string>>[] = [
  { "user-agent": "curl/8.5.0" },
  { "user-agent": "" },
  { "user-agent": HEADLESS },
  { "sec-ch-ua": '"Chromium";v="99", "Google Chrome";v="98"', "accept-language": "" },
];

const NONE = { kind: "at_most", value: 0 } as const;

/** How many kinds of requests get another challenge than an honest browser gets. */
async function countTellingRequests(fixture: ServiceFixture, mode: SiteMode): Promise<number> {
  const honest = await askAndWatch(fixture, await newSite(fixture, { mode }), {});
  let telling = 0;
  for (const headers of REQUESTS) {
    const seen = await askAndWatch(fixture, await newSite(fixture, { mode }), headers);
    if (differencesOf(honest, seen).length > 0) telling++;
  }
  return telling;
}

/** The service's answers to one client of each band in two rounds on the site. */
async function walkBands(fixture: ServiceFixture, mode: SiteMode) {
  const walk = async (walker: Walker) =>
    (await walkAndWatch(fixture, await newSite(fixture, { mode }), walker)).sights;
  return {
    allow: await walk(CLIENTS.allow),
    challenge: await walk(CLIENTS.challenge),
    block: await walk(CLIENTS.block),
  };
}

/** Bits of the score that a visit reveals if the mode may ask: asked or not, refused or not. */
const ASKING = {
  managed: { asked: 1, refused: 1 },
  interactive: { asked: 0, refused: 1 },
} as const;

async function watchMode(fixture: ServiceFixture, mode: SiteMode): Promise<readonly Figure[]> {
  const requests = await countTellingRequests(fixture, mode);
  const { allow, challenge, block } = await walkBands(fixture, mode);
  const atThirty = differencesOf(allow, challenge).length;
  const atSixty = differencesOf(challenge, block).length;
  const figures: Figure[] = [
    {
      name: `${mode}: kinds of requests told apart before any work`,
      value: requests,
      unit: "",
      bound: NONE,
    },
  ];
  if (mode !== "managed" && mode !== "interactive") {
    figures.push({
      name: `${mode}: lines that differ below and above 0.30`,
      value: atThirty,
      unit: "",
      bound: NONE,
    });
    figures.push({
      name: `${mode}: lines that differ below and above 0.60`,
      value: atSixty,
      unit: "",
      bound: NONE,
    });
    return figures;
  }
  const { asked, refused } = ASKING[mode];
  const bits = (lines: number): number => (lines > 0 ? 1 : 0);
  figures.push({
    name: `${mode}: told at 0.30 (whether a click is asked for on top)`,
    value: bits(atThirty),
    unit: "bit",
    bound: { kind: "at_most", value: asked },
  });
  figures.push({
    name: `${mode}: told at 0.60 (whether the visitor is refused)`,
    value: bits(atSixty),
    unit: "bit",
    bound: { kind: "at_most", value: refused },
  });
  return figures;
}

/** An attacker tunes signals by the parts of its score that the service reveals to a client. */
export const scoreOracle: Trial = {
  name: "score-oracle",
  tries:
    "Clients on both sides of each threshold compare all that they see: challenges, answers, and challenges after these.",
  run: async (say) => {
    const fixture = await startInOwnProcess({ STILE_LIMIT_CHALLENGE: "100000" });
    const figures: Figure[] = [];
    try {
      for (const mode of Object.keys(SITE_MODES) as SiteMode[]) {
        say(`score-oracle: ${mode}`);
        figures.push(...(await watchMode(fixture, mode)));
      }
      return figures;
    } finally {
      await fixture.stop();
    }
  },
};
