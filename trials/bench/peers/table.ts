import { median, type Range } from "../rows.ts";
import { STEPS, type Step } from "./contestant.ts";
import type { Measured, RoundCosts } from "./measure.ts";

/** A median of all rounds with the minimum and the maximum. */
export type Figure = { readonly middle: number; readonly range: Range };
/** The columns: the steps, and all steps of a contestant together. */
export const COLUMNS = [...STEPS, "life"] as const;
/** One of them. */
export type Column = Step | "life";

/**
 * A contestant's line: microseconds of server CPU per call, and their ratio to Stile's own in the
 * same round; null for a step that it does not have.
 */
export type Row = {
  readonly name: string;
  readonly version: string;
  readonly puzzle: string;
  readonly keeps: string;
  readonly contains: { readonly [step in Step]: string };
  /** Calls measured per round, by step. */
  readonly samples: { readonly [step in Step]: number };
  readonly cpu_us: { readonly [column in Column]: Figure | null };
  readonly ratio: { readonly [column in Column]: Figure | null };
};

/** Three significant digits, which is more than a busy machine gives. */
const round = (value: number): number => Number(value.toPrecision(3));

function toFigure(values: readonly (number | undefined)[]): Figure | null {
  const known = values.filter((value) => value !== undefined);
  if (known.length === 0 || known.length < values.length) return null;
  return {
    middle: round(median(known)),
    range: [round(Math.min(...known)), round(Math.max(...known))],
  };
}

const sum = (costs: RoundCosts): number =>
  STEPS.reduce((total, step) => total + (costs[step] ?? 0), 0);
const costOf = (costs: RoundCosts, column: Column): number | undefined =>
  column === "life" ? sum(costs) : costs[column];

function byColumn(toFigureOf: (column: Column) => Figure | null): Row["cpu_us"] {
  const [issue, check, redeem, life] = COLUMNS;
  return {
    issue: toFigureOf(issue),
    check: toFigureOf(check),
    redeem: toFigureOf(redeem),
    life: toFigureOf(life),
  };
}

/** Lines in the order of the contestants; ratios are relative to `own`, round by round. */
export function toRows(measured: readonly Measured[], own: Measured): readonly Row[] {
  return measured.map(({ contestant: { name, version, puzzle, keeps, steps }, rounds }) => {
    const { issue, check, redeem } = steps;
    return {
      name,
      version,
      puzzle,
      keeps,
      contains: { issue: issue.contains, check: check.contains, redeem: redeem.contains },
      samples: { issue: issue.samples, check: check.samples, redeem: redeem.samples },
      cpu_us: byColumn((column) => toFigure(rounds.map((costs) => costOf(costs, column)))),
      ratio: byColumn((column) =>
        toFigure(
          rounds.map((costs, index) => {
            const [theirs, ours] = [
              costOf(costs, column),
              costOf(own.rounds[index] ?? costs, column),
            ];
            return theirs === undefined || ours === undefined ? undefined : theirs / ours;
          }),
        ),
      ),
    };
  });
}

const withRange = ({ middle, range: [least, most] }: Figure): string =>
  `${middle} (${least}..${most})`;

/** A row for the terminal: the cost of a step with its range, and the median of its ratio. */
export function toLine({ name, version, cpu_us, ratio }: Row): Readonly<Record<string, string>> {
  const cells = COLUMNS.map((column) => {
    const [cost, share] = [cpu_us[column], ratio[column]];
    return [`${column}, us`, cost === null ? "none" : `${withRange(cost)} x${share?.middle}`];
  });
  return { name: `${name} ${version}`, ...Object.fromEntries(cells) };
}

/** The contents of a row's figures, line by line. */
export function toNotes({
  name,
  version,
  puzzle,
  keeps,
  contains,
  samples,
}: Row): readonly string[] {
  const steps = STEPS.map((step) => {
    const calls = samples[step] === 0 ? "" : ` (${samples[step]} calls a round)`;
    return `  ${step}${calls}: ${contains[step]}`;
  });
  return [`${name} ${version}`, `  puzzle: ${puzzle}.`, `  keeps: ${keeps}`, ...steps];
}
