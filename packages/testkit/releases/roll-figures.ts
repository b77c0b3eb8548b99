import type { Figure, FigureBound } from "../trials/trial.ts";
import type { RollReport } from "./roll.ts";

const NONE: FigureBound = { kind: "at_most", value: 0 };

/**
 * The results of all rolls together, each figure with its bound; `restarts` is the expected number.
 */
export function toRollFigures(reports: readonly RollReport[], restarts: number): Figure[] {
  const sum = (read: (report: RollReport) => number): number =>
    reports.reduce((total, report) => total + read(report), 0);
  const all = (
    name: string,
    read: (report: RollReport) => number,
    unit = "",
    bound?: FigureBound,
  ): Figure => ({
    name,
    value: sum(read),
    unit,
    ...(bound && { bound }),
  });
  const tokens = sum(({ races }) => races.tokens);
  const earned = sum((report) => report.earned);
  // If an answer was lost, it is unknown whether its outcome was counted.
  const unheard = sum(({ visits }) => visits.lost + visits.reset);
  const apart = (metric: string, seen: number, most: number): Figure => ({
    name: `"${metric}": more or less in the statistics than callers were told`,
    value: Math.abs(sum(({ counted }) => counted.get(metric) ?? 0) - seen),
    unit: `of ${seen}`,
    bound: { kind: "at_most", value: most },
  });
  const raced = `of ${tokens}`;
  const some = { kind: "at_least", value: 1 } as const;
  return [
    all("restarts in good order", (report) => report.restarts, "", {
      kind: "at_least",
      value: restarts,
    }),
    all("races: calls", ({ races }) => races.calls),
    all("races: calls that were answered 503", ({ races }) => races.unavailable, "", NONE),
    all(
      "races: calls cut off, over a connection that stood",
      ({ races }) => races.cutStanding,
      "",
      NONE,
    ),
    all("races: calls cut off, over a new one", ({ races }) => races.cut - races.cutStanding),
    all("races: tokens redeemed twice", ({ races }) => races.doubles, raced, NONE),
    all(
      "races: tokens answered, and verified for a later call",
      ({ races }) => races.forgotten,
      raced,
      NONE,
    ),
    all(
      "races: tokens refused that nobody can have spent",
      ({ races }) => races.burned + races.expired,
      raced,
      NONE,
    ),
    all(
      "races: exact repeats refused in their time",
      ({ races }) => races.repeatsRefused,
      raced,
      NONE,
    ),
    all("visits: solved and redeemed", ({ visits }) => visits.solved, "", some),
    all("visits: with an easy challenge", ({ visits }) => visits.easy, "", some),
    all("visits: answered otherwise than they had to be", ({ visits }) => visits.wrong, "", NONE),
    all(
      "visits: calls cut off, over a connection that stood",
      ({ visits }) => visits.lost,
      "",
      NONE,
    ),
    all("visits: calls cut off, over a new one", ({ visits }) => visits.reset),
    all("visits: calls that both servers refused", ({ visits }) => visits.refused, "", NONE),
    all(
      "tokens of both redeemed once more at the end",
      (report) => report.redeemedAgain,
      `of ${tokens + earned}`,
      NONE,
    ),
    all(
      "an owner's changes at one that did not hold at the other",
      ({ changes }) => changes.filter(({ holds }) => !holds).length,
      `of ${sum(({ changes }) => changes.length)}`,
      NONE,
    ),
    apart(
      "challenge_issued",
      sum(({ visits }) => visits.challenges),
      unheard,
    ),
    apart("token_issued", earned, unheard),
    apart("token_redeemed", tokens + earned, 0),
  ];
}
