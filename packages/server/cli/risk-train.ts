import { readFileSync } from "node:fs";
import { DECISION_LABELS } from "@stile/protocol/dashboard-statistics";
import { RISK_FLAGS, type RiskFlag } from "@stile/protocol/risk-flags";
import {
  fitFlagWeights,
  type LabelledDecision,
  LEAST_DECISIONS,
  type TableFigures,
} from "@stile/risk/training/flag-weights";
import { FITTED_FLAGS } from "@stile/risk/weight-bounds";
import { FLAG_WEIGHTS, type FlagWeights } from "@stile/risk/weights";
import type { Config } from "../config/config.ts";
import { openDataDirectory } from "../data-directory/data-directory.ts";
import { writeFlagWeights } from "../risk/flag-weights-file.ts";
import { fail } from "./fail.ts";

const SHOWN_PROBLEMS = 20;
/** The most that one flag can add, which amounts to certainty. */
const MOST_ADDED = 6;

function isAddition([flag, weight]: [string, unknown]): boolean {
  return (
    Object.hasOwn(RISK_FLAGS, flag) &&
    typeof weight === "number" &&
    weight >= 0 &&
    weight <= MOST_ADDED
  );
}

/** Parses a line of `risk export`; undefined for anything else. */
function parseLine(line: string): LabelledDecision | undefined {
  try {
    const { label: said, score, flags } = JSON.parse(line) as Readonly<Record<string, unknown>>;
    const label = DECISION_LABELS.find((candidate) => candidate === said);
    if (label === undefined || typeof score !== "number" || !(score >= 0 && score <= 1))
      return undefined;
    if (typeof flags !== "object" || flags === null || Array.isArray(flags)) return undefined;
    const additions = Object.entries(flags);
    if (!additions.every(isAddition)) return undefined;
    return {
      label,
      score,
      flags: Object.fromEntries(additions) as Partial<Record<RiskFlag, number>>,
    };
  } catch {
    return undefined;
  }
}

const percent = (share: number): string => `${(100 * share).toFixed(2)}%`;

function printComparison(before: TableFigures, after: TableFigures): void {
  const row = (name: string, was: string, is: string): string =>
    `${name.padEnd(36)}${was.padStart(10)}${is.padStart(10)}\n`;
  process.stdout.write(row("", "before", "after"));
  process.stdout.write(row("AUC", before.auc.toFixed(4), after.auc.toFixed(4)));
  const share = (name: string, of: keyof TableFigures) =>
    process.stdout.write(row(name, percent(before[of]), percent(after[of])));
  share("people challenged (>= 0.30)", "peopleAsked");
  share("people blocked (>= 0.60)", "peopleBlocked");
  share("bots challenged", "botsAsked");
  share("bots blocked", "botsBlocked");
}

function printChanges(weights: FlagWeights): void {
  for (const flag of FITTED_FLAGS) {
    const [was, is] = [FLAG_WEIGHTS[flag], weights[flag]];
    if (was !== is)
      process.stdout.write(
        `${flag.padEnd(36)}${was.toFixed(2).padStart(10)}${is.toFixed(2).padStart(10)}\n`,
      );
  }
}

/**
 * Fits the weights of flags, starting from the built-in ones, to exported decisions. Keeps the new
 * weights only if they do better without hurting human visitors.
 */
export function trainWeights(config: Config, from: string): number {
  let text: string;
  try {
    text = readFileSync(from, "utf8");
  } catch {
    return fail(`${from} can't be read.`);
  }
  const lines = text.split("\n").map((line, at) => ({ at: at + 1, line }));
  const read = lines
    .filter(({ line }) => line.trim() !== "")
    .map(({ at, line }) => ({ at, decision: parseLine(line) }));
  const junk = read.filter(({ decision }) => decision === undefined).slice(0, SHOWN_PROBLEMS);
  if (junk.length > 0) {
    return fail(
      ...junk.map(({ at }) => `${from}, line ${at} is not an exported decision`),
      "Nothing was changed.",
    );
  }
  const decisions = read.flatMap(({ decision }) => decision ?? []);
  const fit = fitFlagWeights(decisions);
  if (fit.kind === "too_few") {
    const counts = `${fit.people} of people and ${fit.bots} of bots can be used`;
    return fail(
      `${LEAST_DECISIONS} labelled decisions of each kind are needed; ${counts}. Nothing was changed.`,
    );
  }
  printComparison(fit.before, fit.after);
  if (fit.kind === "no_gain")
    return fail(
      "No weights are better than the built-in ones without blocking more people. Nothing was changed.",
    );
  printChanges(fit.weights);
  const hash = writeFlagWeights(openDataDirectory(config.dataDirectory), fit, Date.now());
  process.stdout.write(
    `Saved as ${hash}, fitted to ${fit.people} people and ${fit.bots} bots. Restart the server to use them.\n`,
  );
  return 0;
}
