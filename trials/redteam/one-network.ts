import { redeemAsCustomer } from "@stile/demo/pages/redeem-as-customer";
import { BASE_DIFFICULTY } from "@stile/pow/puzzle";
import { createRandom, type Random, seedOf } from "@stile/risk/seeded-random";
import { CHROME_VISITOR } from "@stile/testkit/visits/find-visitor";
import { claimsOfForger } from "./forgers.ts";
import type { LimitedService } from "./limited-service.ts";
import { earnTokenRaw } from "./raw-client.ts";
import { ORIGIN } from "./raw-tools.ts";
import { quantile, SAFE_BELOW } from "./report.ts";

// The results of a forger with a single address, or a single /24, under the service's default
// limits.

/**
 * Asking for challenges at one pace without solving any: the result of the last of three minutes.
 */
export type Asking = {
  /** Addresses of the /24 that are used in turn. */
  readonly addresses: number;
  readonly perMinute: number;
  readonly given: number;
  readonly refused: number;
  /** How many times the base work the issued challenges take: on average, and at most. */
  readonly meanWork: number;
  readonly mostWork: number;
};

/** A client that earns tokens from one address, and its pace. */
export type Earner = {
  readonly title: string;
  readonly forger: string;
  readonly perMinute: number;
};

/** Its earnings in a quarter of an hour. */
export type Earning = {
  readonly title: string;
  readonly fromMinute: number;
  readonly asked: number;
  readonly refused: number;
  readonly tokens: number;
  /** Tokens below 0.30, and the median score. */
  readonly safe: number;
  readonly score: number | null;
  /** Work (in multiples of the base work) and CPU seconds per token; null if there is none. */
  readonly work: number | null;
  readonly cpuSeconds: number | null;
};

const MINUTE_MS = 60_000;
const FIRST_HOST = 10;
/** More addresses than a minute has visits. */
const ADDRESSES = 200;
const ASKING_MINUTES = 3;
/** After this long without visitors, a site and its networks are back to normal, ms. */
const REST_MS = 20 * MINUTE_MS;
const STRETCH_MINUTES = 15;
/**
 * From just below the rate that makes a network's work harder, up to more than it is allowed,
 * reserve included (D10, limits).
 */
const PACES = [20, 40, 90, 150, 250] as const;
/** The most visits open at once: each is held open for a second. */
const AT_ONCE = 5;
/**
 * Each at a pace at which the rate itself costs nothing. A client that taps is never asked for
 * more: one challenge per token. The hasty are asked for a click: two per token. A client that taps
 * is counted in the same way as people are.
 */
export const EARNERS: readonly Earner[] = [
  { title: "forger-taps, 20 a minute", forger: "forger-taps", perMinute: 20 },
  { title: "forger-keys-hasty, 11 a minute", forger: "forger-keys-hasty", perMinute: 11 },
  { title: "200 people an hour", forger: "forger-taps", perMinute: 200 / 60 },
];

const toWork = (difficulty: number): number => difficulty / BASE_DIFFICULTY[1];
const sum = (values: readonly number[]): number =>
  values.reduce((total, value) => total + value, 0);

/** The difficulty of one challenge; undefined if it was refused because of the limit. */
async function ask(
  { siteKey, seenFrom }: LimitedService,
  network: number,
  host: number,
): Promise<number | undefined> {
  const url = `${seenFrom(network, host)}/api/v1/pow/challenge?site_key=${siteKey}&action=login`;
  const answer = await fetch(url, {
    headers: [[...ORIGIN], ["User-Agent", CHROME_VISITOR.userAgent]],
  });
  if (answer.status === 429) return undefined;
  const { data } = (await answer.json()) as { readonly data: { readonly difficulty?: number } };
  if (data.difficulty === undefined)
    throw new Error(`a challenge was answered with ${answer.status}`);
  return data.difficulty;
}

/** Asks at that pace from that many addresses of a /24 that nobody else uses. */
export async function askAtPace(
  service: LimitedService,
  { network, addresses, perMinute }: { network: number; addresses: number; perMinute: number },
): Promise<Asking> {
  const startMs = service.nowMs() + REST_MS;
  const answers: (number | undefined)[] = [];
  for (let at = 0; at < ASKING_MINUTES * perMinute; at++) {
    service.skipTo(startMs + (at * MINUTE_MS) / perMinute);
    answers.push(await ask(service, network, FIRST_HOST + (at % addresses)));
  }
  const last = answers.slice(-perMinute);
  const works = last.flatMap((difficulty) =>
    difficulty === undefined ? [] : [toWork(difficulty)],
  );
  const given = works.length;
  const meanWork = sum(works) / given;
  return {
    addresses,
    perMinute,
    given,
    refused: perMinute - given,
    meanWork,
    mostWork: Math.max(...works),
  };
}

type Visit = { readonly works: readonly number[]; readonly score: number | undefined };

/** One visit; its token is redeemed at once, as by a form that is sent. */
async function visit(
  service: LimitedService,
  network: number,
  forger: string,
  random: Random,
): Promise<Visit> {
  const { siteKey, baseUrl, secretKey } = service;
  const works: number[] = [];
  const target = { baseUrl: service.seenFrom(network, FIRST_HOST), siteKey, action: "login" };
  const claims = claimsOfForger(forger, random);
  const token = await earnTokenRaw(target, claims, (difficulty) => works.push(toWork(difficulty)));
  if (token === undefined) return { works, score: undefined };
  const [, userAgent] = claims.headers.find(([name]) => /^user-agent$/i.test(name)) ?? [];
  const sent = { token, remoteip: service.addressOf(network, FIRST_HOST), user_agent: userAgent };
  const redemption = await redeemAsCustomer(baseUrl, secretKey, sent);
  if (redemption.kind !== "answered" || !redemption.hasPassed)
    throw new Error("a token was not redeemed");
  return {
    works,
    score: (redemption.answer as { readonly data: { readonly score: number } }).data.score,
  };
}

function toEarning(
  { title }: Earner,
  fromMinute: number,
  visits: readonly Visit[],
  cpuSeconds: number,
): Earning {
  const scores = visits.flatMap(({ score }) => score ?? []).sort((a, b) => a - b);
  const tokens = scores.length;
  return {
    title,
    fromMinute,
    asked: visits.length,
    refused: visits.filter(({ works }) => works.length === 0).length,
    tokens,
    safe: scores.filter((score) => score < SAFE_BELOW).length,
    score: quantile(scores, 0.5),
    work: tokens === 0 ? null : sum(visits.flatMap(({ works }) => works)) / tokens,
    cpuSeconds: tokens === 0 ? null : cpuSeconds / tokens,
  };
}

/** Earns tokens for that long, from an address that nobody used before. */
export async function earnFor(
  service: LimitedService,
  {
    earner,
    network,
    minutes,
    onStretch,
  }: { earner: Earner; network: number; minutes: number; onStretch?: (stretch: Earning) => void },
): Promise<Earning[]> {
  const startMs = service.nowMs() + REST_MS;
  const { forger, perMinute } = earner;
  // No two visits are the same: repeats would be recognised.
  const random = createRandom(seedOf(earner.title));
  const stretches: Earning[] = [];
  for (let from = 0; from < minutes; from += STRETCH_MINUTES) {
    const count = Math.round(perMinute * Math.min(STRETCH_MINUTES, minutes - from));
    const before = process.cpuUsage();
    const visits: Visit[] = [];
    while (visits.length < count) {
      service.skipTo(startMs + (from + visits.length / perMinute) * MINUTE_MS);
      const length = Math.min(AT_ONCE, count - visits.length);
      visits.push(
        ...(await Promise.all(
          Array.from({ length }, () => visit(service, network, forger, random)),
        )),
      );
    }
    const { user, system } = process.cpuUsage(before);
    const stretch = toEarning(earner, from, visits, (user + system) / 1e6);
    onStretch?.(stretch);
    stretches.push(stretch);
  }
  return stretches;
}

/** Measures both, each place and pace from its own network. */
export async function measureOneNetwork(
  service: LimitedService,
  minutes: number,
  say: (text: string) => void,
) {
  const asking: Asking[] = [];
  const places = [1, ADDRESSES].flatMap((addresses) =>
    PACES.map((perMinute) => ({ addresses, perMinute })),
  );
  for (const [network, place] of places.entries())
    asking.push(await askAtPace(service, { ...place, network }));
  const earning: Earning[] = [];
  for (const [at, earner] of EARNERS.entries()) {
    say(`${earner.title}: tokens from one address for ${minutes} minutes ...`);
    const onStretch = ({ fromMinute, tokens }: Earning): void =>
      say(`${tokens} from minute ${fromMinute} on`);
    earning.push(
      ...(await earnFor(service, { earner, network: places.length + at, minutes, onStretch })),
    );
  }
  return { asking, earning };
}

const shown = (value: number | null, digits: number): string =>
  value === null ? "-" : value.toFixed(digits);
const TITLE_WIDTH = 31;
const columns = (cells: readonly (string | number)[]): string =>
  cells.map((it) => `${it}`.padStart(11)).join("");

/** Both tables, as text. */
export function printOneNetwork({
  asking,
  earning,
}: {
  asking: readonly Asking[];
  earning: readonly Earning[];
}): string {
  const asked = asking.map((it) => {
    const counts = [it.addresses, it.perMinute, it.given, it.refused];
    return columns([...counts, shown(it.meanWork, 1), shown(it.mostWork, 1)]);
  });
  const earned = earning.map((it) => {
    const counts = [it.fromMinute, it.asked, it.refused, it.tokens, it.safe];
    const numbers = columns([
      ...counts,
      shown(it.score, 2),
      shown(it.work, 2),
      shown(it.cpuSeconds, 2),
    ]);
    return `${it.title.padEnd(TITLE_WIDTH)}${numbers}`;
  });
  return [
    `Asking, nothing solved; the last of ${ASKING_MINUTES} minutes, work in times the base:`,
    columns(["addresses", "a minute", "given", "refused", "work", "most work"]),
    ...asked,
    "",
    "Earning from one address; work and CPU for each token, the service's own part in it:",
    " ".repeat(TITLE_WIDTH) +
      columns(["minute", "asked", "refused", "tokens", "safe", "score", "work", "CPU s"]),
    ...earned,
    "",
  ].join("\n");
}
