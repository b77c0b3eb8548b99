import type {
  NamedCount,
  OutcomeData,
  OutcomePoint,
  SolveTimesData,
} from "@stile/protocol/dashboard-statistics";
import { formatPeak } from "../../ui/charts/time-axis.ts";
import { countOf, formatDuration, formatNumber, formatPercent, LOCALE } from "../../ui/format.ts";

/** A share in words; without a whole there is no share. */
function shareOf(part: number, whole: number): string {
  return formatPercent(whole === 0 ? null : part / whole);
}

/**
 * A challenge from before the range may be solved within it: more solved than issued makes no
 * share.
 */
const OLDER = "some were issued earlier";

/** The note below the number of solved challenges: their share of those issued. */
export function noteOfSolved({ issued, solved }: OutcomeData["sums"]): string {
  if (solved > issued) return OLDER;
  return issued === 0 ? "none were issued" : `${shareOf(solved, issued)} of the challenges`;
}

/**
 * The course over time in a sentence: "1,204 challenges issued, 96% solved; most on Tuesday at
 * 14:00."
 */
export function describeCourse(data: OutcomeData): string {
  const { issued, solved } = data.sums;
  if (issued + solved === 0) return "No challenges were issued in this period.";
  const peak = data.points.reduce<OutcomePoint | undefined>(
    (best, point) => (point.issued > (best?.issued ?? 0) ? point : best),
    undefined,
  );
  const most =
    peak === undefined ? "" : `; most ${formatPeak(peak.startMs, data.resolution, data.timeZone)}`;
  const share =
    solved > issued
      ? `${formatNumber(solved)} solved, ${OLDER}`
      : `${shareOf(solved, issued)} solved`;
  return `${countOf(issued, "challenge")} issued, ${share}${most}.`;
}

/**
 * One step of the way from challenge to verified token; `note` says where the missing ones went.
 */
export type FunnelStep = {
  readonly key: string;
  readonly label: string;
  readonly count: number;
  readonly note: string;
};

/**
 * The way of a visitor. A visit may begin in one period and end in another, so a step can exceed
 * the one before it; then nothing is called lost.
 */
export function toFunnel({ sums }: OutcomeData): readonly FunnelStep[] {
  const { issued, solved, failed, steppedUp, priced, blocked, tokens, verified, refused } = sums;
  const unsolved = Math.max(0, issued - solved);
  const open = Math.max(0, tokens - verified);
  return [
    {
      key: "issued",
      label: "Challenges issued",
      count: issued,
      note: lost(unsolved, "not solved"),
    },
    {
      key: "solved",
      label: "Solved",
      count: solved,
      note: joined([
        [steppedUp, "challenged with a click"],
        [priced, "challenged with more work"],
        [blocked, "blocked"],
        [failed, failed === 1 ? "wrong solution (not counted)" : "wrong solutions (not counted)"],
      ]),
    },
    {
      key: "tokens",
      label: "Tokens issued",
      count: tokens,
      note: lost(open, "not verified by your server"),
    },
    {
      key: "verified",
      label: "Verified by your server",
      count: verified,
      note:
        refused === 0
          ? "No calls from your server were refused"
          : `${countOf(refused, "call")} from your server refused`,
    },
  ];
}

function lost(count: number, what: string): string {
  return count === 0 ? "None lost here" : `${formatNumber(count)} ${what}`;
}

function joined(parts: readonly (readonly [number, string])[]): string {
  const said = parts
    .filter(([count]) => count > 0)
    .map(([count, words]) => `${formatNumber(count)} ${words}`);
  return said.length === 0 ? "None challenged or blocked" : said.join(", ");
}

/** The funnel in a sentence. */
export function describeFunnel({ sums }: OutcomeData): string {
  const { issued, solved, verified } = sums;
  if (Math.max(solved, verified) > issued) {
    return `${countOf(issued, "challenge")} issued, ${formatNumber(solved)} solved, ${formatNumber(verified)} verified by your server; ${OLDER}.`;
  }
  if (issued === 0) return "No visits in this period.";
  return `Of ${countOf(issued, "challenge")}, ${shareOf(solved, issued)} were solved and ${shareOf(verified, issued)} ended with a token that your server verified.`;
}

/** "under 100 ms", "200 to 300 ms", "2 min or more", from the bounds of a bucket. */
export function bucketLabel(fromMs: number, belowMs: number | null): string {
  if (belowMs === null) return `${formatDuration(fromMs)} or more`;
  if (fromMs === 0) return `under ${formatDuration(belowMs)}`;
  const [from, below] = [formatDuration(fromMs), formatDuration(belowMs)];
  // A no-break space separates number and unit.
  const [number, unit] = from.split("\u00a0");
  return below.endsWith(`\u00a0${unit}`) ? `${number} to ${below}` : `${from} to ${below}`;
}

/** The buckets from the first to the last one that is not empty, each with its label. */
export function toSolveBars({
  buckets,
}: SolveTimesData): readonly { readonly label: string; readonly count: number }[] {
  const bars = buckets.map(({ belowMs, count }, index) => ({
    label: bucketLabel(buckets[index - 1]?.belowMs ?? 0, belowMs),
    count,
  }));
  const first = bars.findIndex(({ count }) => count > 0);
  return first < 0 ? [] : bars.slice(first, bars.findLastIndex(({ count }) => count > 0) + 1);
}

/** The solve times in a sentence. */
export function describeSolveTimes({ p50Ms, p95Ms }: SolveTimesData): string {
  if (p50Ms === null) return "No challenges were solved in this period.";
  return `Half were solved within ${formatDuration(p50Ms)}, 95% within ${formatDuration(p95Ms)}.`;
}

/** The refusals in a sentence. */
export function describeRefusals({ sums, refusedByReason }: OutcomeData): string {
  if (sums.refused === 0) return "No calls from your server were refused in this period.";
  const [top] = Object.entries(refusedByReason).sort(([, a], [, b]) => b - a);
  const most = top === undefined ? "" : `, most often as ${top[0]}`;
  return `${countOf(sums.refused, "call")} refused${most}.`;
}

/** The refusals before scoring in a sentence. */
export function describeDoor(refused: OutcomeData["refusedAtDoor"]): string {
  const all = Object.values(refused).reduce((sum, count) => sum + count, 0);
  return all === 0
    ? "No requests from browsers were refused before scoring in this period."
    : `${countOf(all, "request")} from browsers ${all === 1 ? "was" : "were"} refused before scoring.`;
}

/** Countries listed by name; a site may have visitors from two hundred. */
const MAX_COUNTRIES = 15;

/**
 * Counts by country, the most frequent first; the last one sums up the rest. A code that names no
 * country stays as it is.
 */
export function toCountries(countries: readonly NamedCount[]): readonly NamedCount[] {
  const regions = new Intl.DisplayNames(LOCALE, { type: "region" });
  const named = countries
    .slice(0, MAX_COUNTRIES)
    .map(({ name, count }) => ({ name: regions.of(name) ?? name, count }));
  const rest = countries.slice(MAX_COUNTRIES).reduce((sum, { count }) => sum + count, 0);
  return rest === 0 ? named : [...named, { name: "All others", count: rest }];
}

/** Named counts in a sentence. */
export function describeNames(names: readonly NamedCount[]): string {
  const all = names.reduce((sum, { count }) => sum + count, 0);
  const [top] = names;
  if (top === undefined || all === 0) return "No visits were scored in this period.";
  return `Mostly ${top.name} (${shareOf(top.count, all)} of ${formatNumber(all)}).`;
}
