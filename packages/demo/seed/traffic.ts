import {
  type Metric,
  type SiteSum,
  scoreMetric,
  scoreText,
  solveMetric,
} from "@stile/core/domain/statistics/metrics";
import type { ReasonCode } from "@stile/protocol/reason-codes";
import type { RiskFlag } from "@stile/protocol/risk-flags";
import { createRandom, type Random } from "@stile/risk/seeded-random";
import { countAround, split } from "./draws.ts";

/** The visitors of a site, and the way its server treats their tokens. */
export type TrafficProfile = {
  readonly seed: number;
  /** Human visitors in a usual hour, averaged over the week. */
  readonly peoplePerHour: number;
  /**
   * Share of the tokens that the customer's server redeems, 0..1. It is 0 for a site whose server
   * never calls.
   */
  readonly redeemedShare: number;
  /** Programs in a usual hour, relative to the number of human visitors. */
  readonly botShare: number;
  /** Attacks: days before the end, duration in hours, programs per hour. */
  readonly attacks: readonly {
    readonly daysAgo: number;
    readonly hours: number;
    readonly botsPerHour: number;
  }[];
  readonly actions: readonly (readonly [name: string, weight: number])[];
  readonly hosts: readonly (readonly [name: string, weight: number])[];
};

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Visits by hour of the day (UTC): a European working day with an evening. */
const BY_HOUR = [
  3, 2, 1, 1, 1, 2, 5, 9, 12, 13, 13, 12, 12, 12, 12, 11, 11, 12, 13, 14, 13, 10, 7, 4,
];
const MEAN_BY_HOUR = BY_HOUR.reduce((sum, weight) => sum + weight, 0) / BY_HOUR.length;
/** Visits by day of the week, Sunday first. */
const BY_WEEKDAY = [0.75, 1.1, 1.1, 1.08, 1.05, 1, 0.82];

/** The scores from 2 to 98 hundredths, each with its weight. */
function weighScores(
  weight: (hundredths: number) => number,
): readonly (readonly [hundredths: number, weight: number])[] {
  return Array.from({ length: 97 }, (_, index) => [index + 2, weight(index + 2)] as const);
}

/**
 * Scores of human visitors cluster at 0.05 with a thin tail. Those of programs range from a few
 * good ones to most above 0.6.
 */
const PEOPLE_SCORES = weighScores(
  (at) => Math.exp(-((at - 5) ** 2) / 8) + 0.03 * Math.exp(-at / 9),
);
const BOT_SCORES = weighScores(
  (at) => Math.exp(-((at - 88) ** 2) / 130) + 0.35 * Math.exp(-((at - 45) ** 2) / 260) + 0.01,
);
const BOT_FLAGS: readonly (readonly [RiskFlag, number])[] = [
  ["automation_webdriver", 0.42],
  ["ua_headless", 0.28],
  ["pointer_pressure_invalid", 0.35],
  ["headless_media", 0.31],
  ["environment_mismatch", 0.12],
  ["velocity_ip", 0.22],
  ["signals_withheld", 0.09],
  ["header_inconsistent", 0.17],
];
const SOLVE_MS = [
  [80, 2],
  [150, 14],
  [250, 28],
  [350, 22],
  [450, 13],
  [600, 10],
  [850, 6],
  [1200, 3],
  [1700, 1.5],
  [2500, 0.8],
  [4000, 0.4],
  [8000, 0.2],
  [20_000, 0.1],
] as const;
const REFUSALS: readonly (readonly [ReasonCode, number])[] = [
  ["token_already_used", 6],
  ["token_expired", 4],
  ["missing_token", 3],
  ["invalid_signature", 1.5],
  ["binding_mismatch", 1],
];
/**
 * At or above these scores (in hundredths), visits are blocked, or asked for a click (D6, scores).
 */
const BLOCK = 60;
const CHALLENGE = 30;

type PeriodCounts = Map<Metric, number>;

function add(tally: PeriodCounts, metric: Metric, count: number): void {
  if (count > 0) tally.set(metric, (tally.get(metric) ?? 0) + count);
}

function spread<Name>(
  random: Random,
  total: number,
  weighted: readonly (readonly [Name, number])[],
) {
  const parts = split(
    random,
    total,
    weighted.map(([, weight]) => weight),
  );
  return weighted
    .map(([name], index) => ({ name, count: parts[index] ?? 0 }))
    .filter(({ count }) => count > 0);
}

function countVerified(
  tally: PeriodCounts,
  random: Random,
  profile: TrafficProfile,
  scores: Map<number, number>,
): void {
  let verified = 0;
  for (const [hundredths, tokens] of scores) {
    let redeemed = 0;
    for (let i = 0; i < tokens; i++) if (random() < profile.redeemedShare) redeemed++;
    add(tally, `verified_score:${scoreText(hundredths / 100)}`, redeemed);
    verified += redeemed;
  }
  add(tally, "token_redeemed", verified);
  const refused = profile.redeemedShare === 0 ? 0 : countAround(random, verified * 0.008);
  for (const { name, count } of spread(random, refused, REFUSALS))
    add(tally, `refused:${name}`, count);
}

/**
 * Counts solved challenges of human visitors or programs: their outcomes by score and action, and
 * their evidence.
 */
function countSolved(
  tally: PeriodCounts,
  random: Random,
  profile: TrafficProfile,
  visitors: { count: number; scores: readonly (readonly [number, number])[]; isBot: boolean },
): void {
  const tokens = new Map<number, number>();
  for (const { name: action, count: ofAction } of spread(random, visitors.count, profile.actions)) {
    for (const { name: hundredths, count } of spread(random, ofAction, visitors.scores)) {
      add(tally, scoreMetric(action, hundredths / 100), count);
      const outcome =
        hundredths >= BLOCK
          ? "challenge_blocked"
          : hundredths >= CHALLENGE
            ? "challenge_stepped_up"
            : "token_issued";
      add(tally, outcome, count);
      if (outcome === "token_issued") tokens.set(hundredths, (tokens.get(hundredths) ?? 0) + count);
    }
  }
  add(tally, "challenge_solved", visitors.count);
  for (const { name, count } of spread(random, visitors.count, SOLVE_MS))
    add(tally, solveMetric(name), count);
  for (const { name, count } of spread(random, visitors.count, profile.hosts))
    add(tally, `host:${name}`, count);
  const devices = visitors.isBot
    ? ([
        ["desktop", 90],
        ["other", 10],
      ] as const)
    : ([
        ["mobile", 56],
        ["desktop", 40],
        ["tablet", 4],
      ] as const);
  for (const { name, count } of spread(random, visitors.count, devices))
    add(tally, `device:${name}`, count);
  if (visitors.isBot)
    for (const [flag, share] of BOT_FLAGS)
      add(tally, `flag:${flag}`, Math.round(visitors.count * share));
  else add(tally, "flag:viewport_exceeds_screen", countAround(random, visitors.count * 0.002));
  countVerified(tally, random, profile, tokens);
}

function countPeriod(
  random: Random,
  profile: TrafficProfile,
  people: number,
  bots: number,
): PeriodCounts {
  const tally: PeriodCounts = new Map();
  countSolved(tally, random, profile, { count: people, scores: PEOPLE_SCORES, isBot: false });
  countSolved(tally, random, profile, { count: bots, scores: BOT_SCORES, isBot: true });
  const solved = people + bots;
  add(tally, "challenge_failed", countAround(random, bots * 0.15 + people * 0.004));
  add(tally, "challenge_issued", solved + countAround(random, solved * 0.05));
  return tally;
}

function botsOf(
  random: Random,
  profile: TrafficProfile,
  people: number,
  hoursBeforeEnd: number,
): number {
  let bots = countAround(random, people * profile.botShare);
  for (const { daysAgo, hours, botsPerHour } of profile.attacks) {
    const isOn = hoursBeforeEnd <= daysAgo * 24 && hoursBeforeEnd > daysAgo * 24 - hours;
    if (isOn) bots += countAround(random, botsPerHour);
  }
  return bots;
}

/**
 * Plausible counts of a site in [fromMs, toMs), oldest first: by hour, and by minute within the
 * last two days. They add up in the same way as the service's own counts.
 */
export function* createTraffic(
  siteKey: string,
  profile: TrafficProfile,
  fromMs: number,
  toMs: number,
): Generator<SiteSum[]> {
  const random = createRandom(profile.seed);
  for (let hourMs = Math.ceil(fromMs / HOUR_MS) * HOUR_MS; hourMs < toMs; hourMs += HOUR_MS) {
    const hour = new Date(hourMs);
    const rhythm =
      ((BY_HOUR[hour.getUTCHours()] ?? 1) / MEAN_BY_HOUR) * (BY_WEEKDAY[hour.getUTCDay()] ?? 1);
    const growth = 0.85 + 0.3 * ((hourMs - fromMs) / Math.max(1, toMs - fromMs));
    const people = countAround(random, profile.peoplePerHour * rhythm * growth);
    const bots = botsOf(random, profile, people, (toMs - hourMs) / HOUR_MS);
    const isRecent = hourMs >= toMs - 2 * DAY_MS;
    const minutes = isRecent ? Math.min(60, Math.floor((toMs - hourMs) / 60_000)) : 1;
    const peopleBy = split(random, people, new Array<number>(minutes).fill(1));
    const botsBy = split(random, bots, new Array<number>(minutes).fill(1));
    yield peopleBy.flatMap((count, minute) =>
      [...countPeriod(random, profile, count, botsBy[minute] ?? 0)].map(([metric, sum]) => ({
        siteKey,
        metric,
        atMs: hourMs + minute * 60_000,
        count: sum,
      })),
    );
  }
}
