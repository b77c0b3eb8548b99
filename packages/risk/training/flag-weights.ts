import { DEFAULT_THRESHOLDS } from "@stile/protocol/limits";
import type { RiskFlag } from "@stile/protocol/risk-flags";
import { toScore } from "../score.ts";
import { FITTED_FLAGS, weightBounds } from "../weight-bounds.ts";
import type { FlagWeights } from "../weights.ts";
import { fitLogistic } from "./logistic.ts";
import { areaUnderCurve } from "./measures.ts";

/** What is kept of a decision that a person has labelled: its score, and what each flag added to it, in log-odds. */
export type LabelledDecision = {
  readonly label: "person" | "bot";
  readonly score: number;
  readonly flags: Readonly<Partial<Record<RiskFlag, number>>>;
};

/** How a table of weights does: the shares of people and of programs with a score of 0.30 or more, and of 0.60 or more. */
export type TableFigures = {
  readonly auc: number;
  readonly peopleAsked: number;
  readonly peopleBlocked: number;
  readonly botsAsked: number;
  readonly botsBlocked: number;
};

/** What came of fitting. Figures after are those of decisions that the weights they were judged by had not seen. */
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

/** Decisions of each label without which nothing is fitted. */
export const LEAST_DECISIONS = 200;
/** Decisions with a flag without which its weight stays. */
const LEAST_SEEN = 20;
/** Shares of people that may be asked for a click, and blocked (risk score, form). */
const MOST_ASKED = 0.01;
const MOST_BLOCKED = 0.001;
const FOLDS = 5;
/** How strongly weights are held at today's, against samples that weigh one each. */
const PENALTY = 10;
/** How much of the way to the fitted weights is gone: the most that keeps within the shares. */
const STEPS = [1, 0.8, 0.6, 0.4, 0.2, 0.1];

const isBot = ({ label }: LabelledDecision): boolean => label === "bot";
const hasFlag = (decision: LabelledDecision, flag: RiskFlag): boolean => (decision.flags[flag] ?? 0) > 0;

function scoreWith(weights: FlagWeights, { flags }: LabelledDecision): number {
  const recorded = Object.entries(flags) as [RiskFlag, number][];
  return toScore(
    recorded.map(([flag, weight]) => ({
      flag,
      weight: weight > 0 && FITTED_FLAGS.includes(flag) ? weights[flag] : weight,
    })),
  );
}

type Scored = { readonly score: number; readonly isBot: boolean };

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

const judge = (weights: FlagWeights, decisions: readonly LabelledDecision[]): Scored[] =>
  decisions.map((decision) => ({ score: scoreWith(weights, decision), isBot: isBot(decision) }));

/** What each flag's weight should change by, people and programs taken for equally many. */
function fitChanges(decisions: readonly LabelledDecision[], today: FlagWeights): ReadonlyMap<RiskFlag, number> {
  const seen = FITTED_FLAGS.filter((flag) => decisions.filter((one) => hasFlag(one, flag)).length >= LEAST_SEEN);
  if (seen.length === 0) return new Map();
  const bots = decisions.filter(isBot).length;
  const samples = decisions.map((decision) => ({
    terms: Float64Array.from(seen, (flag) => (hasFlag(decision, flag) ? 1 : 0)),
    label: isBot(decision) ? (1 as const) : (0 as const),
    weight: decisions.length / 2 / (isBot(decision) ? bots : decisions.length - bots),
    known: seen.reduce((sum, flag) => sum + (hasFlag(decision, flag) ? today[flag] : 0), 0),
  }));
  const { coefficients } = fitLogistic(samples, PENALTY);
  return new Map(seen.map((flag, at) => [flag, coefficients[at] ?? 0]));
}

function move(today: FlagWeights, changes: ReadonlyMap<RiskFlag, number>, step: number): FlagWeights {
  const moved: Record<RiskFlag, number> = { ...today };
  for (const [flag, change] of changes) {
    const { least, most } = weightBounds(flag);
    const weight = Math.min(most, Math.max(least, today[flag] + step * change));
    moved[flag] = Math.round(weight * 100) / 100;
  }
  return moved;
}

/**
 * Every decision judged by weights that were fitted without it, decisions in a row in different folds; and whether that
 * tells people and programs apart better in every fold, which chance alone hardly does.
 */
function holdOut(decisions: readonly LabelledDecision[], today: FlagWeights) {
  const folds = Array.from({ length: FOLDS }, (_, fold) => ({
    held: decisions.filter((_, at) => at % FOLDS === fold),
    changes: fitChanges(
      decisions.filter((_, at) => at % FOLDS !== fold),
      today,
    ),
  }));
  return (step: number) => {
    const judged = folds.map(({ held, changes }) => judge(move(today, changes, step), held));
    const isBetter = folds.every(
      ({ held }, fold) => areaUnderCurve(judged[fold] ?? []) > areaUnderCurve(judge(today, held)),
    );
    return { figures: figuresOf(judged.flat()), isBetter };
  };
}

/** Whether no more people are asked or blocked than may be, or than were before. */
const isBearable = (after: TableFigures, before: TableFigures): boolean =>
  after.peopleAsked <= Math.max(MOST_ASKED, before.peopleAsked) &&
  after.peopleBlocked <= Math.max(MOST_BLOCKED, before.peopleBlocked);

/** A decision whose score is not the sum of its flags came with a token's score, which no weight explains. */
function isExplained({ score, flags }: LabelledDecision): boolean {
  const recorded = Object.entries(flags) as [RiskFlag, number][];
  return Math.abs(toScore(recorded.map(([flag, weight]) => ({ flag, weight }))) - score) < 0.011;
}

/**
 * Weights fitted to labelled decisions by penalised logistic regression around today's table. Nothing is fitted from too
 * few of either label, nor where the table tells people and programs apart as well, nor at people's cost.
 */
export function fitFlagWeights(labelled: readonly LabelledDecision[], today: FlagWeights): FlagFit {
  const explained = labelled.filter(isExplained);
  // Each label by itself, so that every fold holds its part of both.
  const decisions = [...explained.filter((one) => !isBot(one)), ...explained.filter(isBot)];
  const bots = decisions.filter(isBot).length;
  const people = decisions.length - bots;
  if (people < LEAST_DECISIONS || bots < LEAST_DECISIONS) return { kind: "too_few", people, bots };
  const before = figuresOf(judge(today, decisions));
  const heldOut = holdOut(decisions, today);
  const changes = fitChanges(decisions, today);
  for (const step of STEPS) {
    const weights = move(today, changes, step);
    const { figures: after, isBetter } = heldOut(step);
    if (isBetter && isBearable(after, before) && isBearable(figuresOf(judge(weights, decisions)), before)) {
      return { kind: "fitted", weights, before, after, people, bots };
    }
  }
  return { kind: "no_gain", before, after: heldOut(1).figures };
}
