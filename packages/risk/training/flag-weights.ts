import { DEFAULT_THRESHOLDS } from "@stile/protocol/limits";
import type { RiskFlag } from "@stile/protocol/risk-flags";
import { toScore } from "../score.ts";
import { FITTED_FLAGS, weightBounds } from "../weight-bounds.ts";
import { FLAG_WEIGHTS, type FlagWeights } from "../weights.ts";
import { areaUnderCurve, type Scored } from "./area-under-curve.ts";
import { fitLogistic } from "./logistic.ts";

/**
 * The stored part of a decision that a person has labelled: its score, and what each flag added to
 * it, in log-odds.
 */
export type LabelledDecision = {
  readonly label: "person" | "bot";
  readonly score: number;
  readonly flags: Readonly<Partial<Record<RiskFlag, number>>>;
};

/**
 * How a table of weights performs: the shares of people and of programs that score at least 0.30,
 * and at least 0.60.
 */
export type TableFigures = {
  readonly auc: number;
  readonly peopleAsked: number;
  readonly peopleBlocked: number;
  readonly botsAsked: number;
  readonly botsBlocked: number;
};

/**
 * The result of fitting. The figures `after` come from decisions scored by weights that were fitted
 * without them.
 */
export type FlagFit =
  | { readonly kind: "too_few"; readonly people: number; readonly bots: number }
  | { readonly kind: "no_gain"; readonly before: TableFigures; readonly after: TableFigures }
  | {
      readonly kind: "fitted";
      readonly weights: FlagWeights;
      readonly before: TableFigures;
      readonly after: TableFigures;
      readonly people: number;
      readonly bots: number;
    };

/** The least number of decisions of each label; with fewer, nothing is fitted. */
export const LEAST_DECISIONS = 200;
/** The least number of decisions with a flag; with fewer, its weight stays. */
const LEAST_SEEN = 20;
/** The largest shares of people that may be asked for a click, and blocked (risk score, form). */
const MOST_ASKED = 0.01;
const MOST_BLOCKED = 0.001;
const FOLDS = 5;
/** How strongly weights are kept at today's values, against samples that weigh one each. */
const PENALTY = 10;
/** How far to go towards the fitted weights: the largest step that stays within the shares. */
const STEPS = [1, 0.8, 0.6, 0.4, 0.2, 0.1];

const isBot = ({ label }: LabelledDecision): boolean => label === "bot";
const hasFlag = (decision: LabelledDecision, flag: RiskFlag): boolean =>
  (decision.flags[flag] ?? 0) > 0;

function scoreWith(weights: FlagWeights, { flags }: LabelledDecision): number {
  const recorded = Object.entries(flags) as [RiskFlag, number][];
  return toScore(
    recorded.map(([flag, weight]) => ({
      flag,
      weight: weight > 0 && FITTED_FLAGS.includes(flag) ? weights[flag] : weight,
    })),
  );
}

function figuresOf(scored: readonly Scored[]): TableFigures {
  const bots = scored.filter((one) => one.isBot);
  const people = scored.filter((one) => !one.isBot);
  const share = (of: readonly Scored[], threshold: number): number =>
    of.filter(({ score }) => score >= threshold).length / Math.max(1, of.length);
  return {
    auc: areaUnderCurve(scored),
    peopleAsked: share(people, DEFAULT_THRESHOLDS.challenge),
    peopleBlocked: share(people, DEFAULT_THRESHOLDS.block),
    botsAsked: share(bots, DEFAULT_THRESHOLDS.challenge),
    botsBlocked: share(bots, DEFAULT_THRESHOLDS.block),
  };
}

const scoreAll = (weights: FlagWeights, decisions: readonly LabelledDecision[]): Scored[] =>
  decisions.map((decision) => ({ score: scoreWith(weights, decision), isBot: isBot(decision) }));

/** How much each flag's weight should change; people and programs count as equally many. */
function fitChanges(decisions: readonly LabelledDecision[]): ReadonlyMap<RiskFlag, number> {
  const seen = FITTED_FLAGS.filter(
    (flag) => decisions.filter((one) => hasFlag(one, flag)).length >= LEAST_SEEN,
  );
  if (seen.length === 0) return new Map();
  const bots = decisions.filter(isBot).length;
  const samples = decisions.map((decision) => ({
    terms: Float64Array.from(seen, (flag) => (hasFlag(decision, flag) ? 1 : 0)),
    label: isBot(decision) ? (1 as const) : (0 as const),
    weight: decisions.length / 2 / (isBot(decision) ? bots : decisions.length - bots),
    known: seen.reduce((sum, flag) => sum + (hasFlag(decision, flag) ? FLAG_WEIGHTS[flag] : 0), 0),
  }));
  const { coefficients } = fitLogistic(samples, PENALTY);
  return new Map(seen.map((flag, at) => [flag, coefficients[at] ?? 0]));
}

function move(changes: ReadonlyMap<RiskFlag, number>, step: number): FlagWeights {
  const moved: Record<RiskFlag, number> = { ...FLAG_WEIGHTS };
  for (const [flag, change] of changes) {
    const { least, most } = weightBounds(flag);
    const weight = Math.min(most, Math.max(least, FLAG_WEIGHTS[flag] + step * change));
    moved[flag] = Math.round(weight * 100) / 100;
  }
  return moved;
}

/**
 * Scores every decision by weights that were fitted without it, with consecutive decisions in
 * different folds. Reports whether people and programs are separated better in every fold, which
 * hardly happens by chance.
 */
function holdOut(decisions: readonly LabelledDecision[]) {
  const folds = Array.from({ length: FOLDS }, (_, fold) => ({
    held: decisions.filter((_, at) => at % FOLDS === fold),
    changes: fitChanges(decisions.filter((_, at) => at % FOLDS !== fold)),
  }));
  return (step: number) => {
    const scored = folds.map(({ held, changes }) => scoreAll(move(changes, step), held));
    const isBetter = folds.every(
      ({ held }, fold) =>
        areaUnderCurve(scored[fold] ?? []) > areaUnderCurve(scoreAll(FLAG_WEIGHTS, held)),
    );
    return { figures: figuresOf(scored.flat()), isBetter };
  };
}

/** Whether no more people are asked or blocked than is allowed, or than before. */
const isBearable = (after: TableFigures, before: TableFigures): boolean =>
  after.peopleAsked <= Math.max(MOST_ASKED, before.peopleAsked) &&
  after.peopleBlocked <= Math.max(MOST_BLOCKED, before.peopleBlocked);

/**
 * A decision whose score is not the sum of its flags was made with a token's score, which no weight
 * explains.
 */
function isExplained({ score, flags }: LabelledDecision): boolean {
  const recorded = Object.entries(flags) as [RiskFlag, number][];
  return Math.abs(toScore(recorded.map(([flag, weight]) => ({ flag, weight }))) - score) < 0.011;
}

/**
 * Fits weights to labelled decisions by penalised logistic regression around today's table. Fits
 * nothing if there are too few of either label, if the table separates people and programs just as
 * well, or if people would pay for it.
 */
export function fitFlagWeights(labelled: readonly LabelledDecision[]): FlagFit {
  const explained = labelled.filter(isExplained);
  // Sorted by label, so that every fold gets its part of both.
  const decisions = [...explained.filter((one) => !isBot(one)), ...explained.filter(isBot)];
  const bots = decisions.filter(isBot).length;
  const people = decisions.length - bots;
  if (people < LEAST_DECISIONS || bots < LEAST_DECISIONS) return { kind: "too_few", people, bots };
  const before = figuresOf(scoreAll(FLAG_WEIGHTS, decisions));
  const heldOut = holdOut(decisions);
  const changes = fitChanges(decisions);
  for (const step of STEPS) {
    const weights = move(changes, step);
    const { figures: after, isBetter } = heldOut(step);
    if (
      isBetter &&
      isBearable(after, before) &&
      isBearable(figuresOf(scoreAll(weights, decisions)), before)
    ) {
      return { kind: "fitted", weights, before, after, people, bots };
    }
  }
  return { kind: "no_gain", before, after: heldOut(1).figures };
}
