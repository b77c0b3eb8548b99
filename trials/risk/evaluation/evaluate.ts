import { createRandom } from "@stile/risk/seeded-random";
import { areaUnderCurve } from "@stile/risk/training/area-under-curve";
import type { TrajectoryModel } from "@stile/risk/trajectory/model";
import {
  type HeldOut,
  holdOutGenerator,
  holdOutPeople,
  holdOutRegime,
  scoreAll,
  standDown,
} from "../training/cross-validation.ts";
import { type Paths, toPaths } from "../training/examples.ts";
import { measurePoints } from "../training/finish-model.ts";
import { createFolds } from "../training/folds.ts";
import { isOn, type Kind, toKinds } from "../training/kinds.ts";
import { calibrationError, quantile, thresholdAt, truePositivesAt } from "../training/measures.ts";
import type { Recording } from "../training/read-examples.ts";
import { type TrainingSet, toTrainingSet } from "../training/train.ts";
import { toVisits } from "../training/visits.ts";
import { measureAsked } from "./asked.ts";
import { atClock, CLOCK_ERRORS_MS, toClocks } from "./clocks.ts";
import { rounded, withInterval } from "./intervals.ts";
import { onScreen, SCREENS, toScreens } from "./slow-frames.ts";
import { timePerPath } from "./time-per-path.ts";

/**
 * With fewer recordings than this, a program's detection at a rate of one in a thousand can't be
 * measured.
 */
const MIN_PATHS = 100;
const VISIT_PATHS = 3;

type Say = (text: string) => void;

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;
const isMadeUp = ({ source }: HeldOut["origin"]): boolean => source === MADE_UP;
const isScored = ({ score }: HeldOut): boolean => Number.isFinite(score);
const isPlain = ({ origin }: HeldOut): boolean => origin.device === undefined;
/** The source name of synthetic programs (`toPaths`). */
const MADE_UP = "made-up";

const tprAt =
  (rate: number) =>
  (some: readonly HeldOut[]): number =>
    truePositivesAt(some, rate);

/**
 * How well models that never saw a program separate it from people; paths that were not scored
 * count as not found.
 */
function scoreLeftOut(set: TrainingSet, paths: Paths, generator: string) {
  const missed = standDown(paths.abstained.filter((it) => !it.isBot || it.generator === generator));
  const scored = [...holdOutGenerator(set, generator), ...missed];
  const bots = scored.filter(({ isBot }) => isBot);
  return {
    generator,
    auc: rounded(areaUnderCurve(scored)),
    abstained: rounded(mean(bots.map((it) => (isScored(it) ? 0 : 1)))),
    tpr_at_1: withInterval(scored, tprAt(0.01)),
    tpr_at_01: withInterval(scored, tprAt(0.001)),
  };
}

type LeftOut = ReturnType<typeof scoreLeftOut>;

function scoreGenerators(
  set: TrainingSet,
  paths: Paths,
  say: Say,
): { programs: LeftOut[]; families: LeftOut[] } {
  const plain = [...set.examples, ...paths.abstained].filter(
    (it) => it.isBot && it.device === undefined,
  );
  const counts = Map.groupBy(plain, ({ generator }) => generator);
  const named = [...counts].filter(([, { length }]) => length >= MIN_PATHS);
  if (counts.size < 2) return { programs: [], families: [] };
  const rows = named.map(([generator, [first]], index) => {
    say(`leave one program out: ${generator} (${index + 1} of ${named.length})`);
    return { isOurs: first?.source === MADE_UP, row: scoreLeftOut(set, paths, generator) };
  });
  const of = (isOurs: boolean) => rows.filter((it) => it.isOurs === isOurs).map(({ row }) => row);
  return { programs: of(false), families: of(true) };
}

/**
 * The visitors who would be asked on a kind of device: first one that the models of `known` have
 * seen, by the points of all kinds; then one that no model had seen, by the points of the others.
 */
function scoreRegimes(
  set: TrainingSet,
  kinds: readonly Kind[],
  known: readonly HeldOut[],
  say: Say,
) {
  const examples = kinds.flatMap((kind) => kind.examples);
  const exceeded = measurePoints(kinds, known);
  return kinds.map((kind, index) => {
    const { regime } = kind;
    say(`leave one kind of device out: ${regime} (${index + 1} of ${kinds.length})`);
    const scored = holdOutRegime(set, regime, examples);
    const isOfKind = isOn(kind);
    const others = scored.filter(({ origin }) => !origin.device?.regimes.includes(regime));
    const left = measureAsked(scored.filter(isOfKind), { exceeded: measurePoints(kinds, others) });
    const seen = measureAsked(known.filter(isOfKind), { exceeded });
    return {
      ...{ regime, one_path: left.one_path, three_paths: left.three_paths },
      ...{ known_one_path: seen.one_path, known_three_paths: seen.three_paths },
    };
  });
}

const DRAWINGS = 1000;

/**
 * The p90 that chance alone would show if 1% of everybody's paths were scored wrong: the
 * simulations' median.
 */
function p90IfAlike(people: readonly (readonly HeldOut[])[]): number {
  const random = createRandom(1);
  const drawRate = (paths: readonly HeldOut[]): number =>
    mean(paths.map(() => (random() < 0.01 ? 1 : 0)));
  const draw = (): number => quantile(people.map(drawRate), 0.9);
  return quantile(Array.from({ length: DRAWINGS }, draw), 0.5);
}

function scorePeople(scored: readonly HeldOut[]) {
  const threshold = thresholdAt(scored, 0.01);
  const people = Map.groupBy(
    scored.filter(({ isBot }) => !isBot),
    ({ origin }) => origin.subject,
  );
  const rates = [...people.values()].map((paths) =>
    mean(paths.map(({ score }) => (score > threshold ? 1 : 0))),
  );
  return {
    people: rates.length,
    p50: rounded(quantile(rates, 0.5)),
    p90: rounded(quantile(rates, 0.9)),
    max: rounded(Math.max(...rates)),
    p90_if_alike: rounded(p90IfAlike([...people.values()])),
  };
}

/**
 * The figures of one set of scored paths as they were recorded; those that were not scored count as
 * not found.
 */
function measure(recorded: readonly HeldOut[]) {
  return {
    auc: rounded(areaUnderCurve(recorded)),
    tpr_at_1: rounded(truePositivesAt(recorded, 0.01)),
    tpr_at_01: rounded(truePositivesAt(recorded, 0.001)),
    tpr3_at_01: rounded(truePositivesAt(toVisits(recorded, VISIT_PATHS), 0.001)),
    person_fpr_p90: scorePeople(recorded).p90,
    ece: rounded(calibrationError(recorded.filter(isScored))),
  };
}

/** How a finished model does on recordings. The recordings that it was trained on look too good. */
function measureModel({ examples, abstained }: Paths, model: TrajectoryModel) {
  const plain = examples.filter((it) => it.device === undefined && !isMadeUp(it));
  const recorded = [
    ...scoreAll(model, plain),
    ...standDown(abstained.filter((it) => !isMadeUp(it))),
  ];
  const people = recorded.filter(({ isBot }) => !isBot);
  const asked = (isBot: boolean) =>
    measureAsked(
      recorded.filter((it) => it.isBot === isBot),
      model,
    );
  const [human, bot] = [asked(false), asked(true)];
  const sources = Map.groupBy(people, ({ origin }) => origin.source);
  return {
    version: model.version,
    ...measure(recorded),
    people_at_score_030: human.one_path.value,
    programs_at_score_030: bot.one_path.value,
    people_visits_at_score_030: human.three_paths.value,
    programs_visits_at_score_030: bot.three_paths.value,
    people_abstained: human.abstained,
    programs_abstained: bot.abstained,
    sources: [...sources].map(([source, paths]) => ({ source, ...measureAsked(paths, model) })),
  };
}

/**
 * Paths as they were recorded, including those that were not scored. Only programs with enough
 * recordings to be meaningful are included, unless there are none.
 */
function asRecorded(scored: readonly HeldOut[], { abstained }: Paths): HeldOut[] {
  const recorded = [...scored.filter(isPlain), ...standDown(abstained)].filter(
    ({ origin }) => !isMadeUp(origin),
  );
  const counts = Map.groupBy(recorded, ({ origin }) => origin.generator);
  const common = recorded.filter(
    ({ isBot, origin }) => !isBot || (counts.get(origin.generator)?.length ?? 0) >= MIN_PATHS,
  );
  return common.some(({ isBot }) => isBot) ? common : recorded;
}

/** People of each collection at each clock whom the flag alone would ask for a click. */
function scoreClocks(
  scored: readonly HeldOut[],
  { abstained }: Paths,
  model: Pick<TrajectoryModel, "exceeded">,
) {
  const missed = standDown(abstained.filter(({ isBot }) => !isBot));
  return CLOCK_ERRORS_MS.flatMap((errorMs) => {
    const sources = Map.groupBy(atClock(errorMs, scored), ({ origin }) => origin.source);
    return [...sources].map(([source, paths]) => {
      const unscored = missed.filter(({ origin }) => origin.source === source);
      const { one_path, three_paths } = measureAsked([...paths, ...unscored], model);
      return { source, clock_errs_ms: errorMs, paths: paths.length, one_path, three_paths };
    });
  });
}

/** How many paths are not scored, by the reason. */
function countAbstentions({ examples, abstained }: Paths) {
  const share = (isBot: boolean) => {
    const missed = abstained.filter((it) => it.isBot === isBot && !isMadeUp(it));
    const scored = examples.filter(
      (it) => it.isBot === isBot && it.device === undefined && !isMadeUp(it),
    );
    const byReason = Map.groupBy(missed, ({ why }) => why);
    const all = missed.length + scored.length;
    return Object.fromEntries(
      [...byReason].map(([why, { length }]) => [why, rounded(length / all)]),
    );
  };
  return { people: share(false), programs: share(true) };
}

/**
 * Trains and scores in folds in which neither the scored people nor, for the other parts, the
 * scored program or kind of device was seen; then scores the same recordings by `shipped`. A figure
 * without anything to measure is null.
 */
export function evaluate(recordings: readonly Recording[], shipped: TrajectoryModel, say: Say) {
  say("features");
  const folds = createFolds(recordings);
  const paths = toPaths(recordings, folds);
  const set = toTrainingSet(paths.examples);
  const screens = toScreens(recordings, folds);
  const kinds = toKinds(recordings, folds);
  say("people held out");
  const scored = holdOutPeople(set, [
    ...screens.examples,
    ...kinds.flatMap(({ examples }) => examples),
    ...toClocks(recordings, folds),
  ]);
  const exceeded = measurePoints(kinds, scored);
  const recorded = asRecorded(scored, paths);
  const { programs, families } = scoreGenerators(set, paths, say);
  const regimes = scoreRegimes(set, kinds, scored, say);
  say("the shipped model");
  const { auc, tpr_at_1, tpr_at_01, ...rest } = measure(recorded);
  const meanOf = (rows: readonly LeftOut[], key: "tpr_at_1" | "tpr_at_01") =>
    rounded(mean(rows.map((row) => row[key].value ?? Number.NaN)));
  return {
    summary: {
      ...{ auc, tpr_at_1, tpr_at_01 },
      ...{
        logo_tpr_at_1: meanOf(programs, "tpr_at_1"),
        logo_tpr_at_01: meanOf(programs, "tpr_at_01"),
        ...rest,
      },
      microseconds: rounded(timePerPath(recordings, shipped)),
    },
    intervals: {
      tpr_at_1: withInterval(recorded, tprAt(0.01)),
      tpr_at_01: withInterval(recorded, tprAt(0.001)),
    },
    of_scored: {
      tpr_at_1: withInterval(recorded.filter(isScored), tprAt(0.01)),
      tpr_at_01: withInterval(recorded.filter(isScored), tprAt(0.001)),
    },
    people: scorePeople(recorded),
    asked: measureAsked(
      recorded.filter(({ isBot }) => !isBot),
      { exceeded },
    ),
    clocks: scoreClocks(scored, paths, { exceeded }),
    ...{ programs, families, regimes },
    screens: SCREENS.map(({ name }) => ({
      name,
      ...measureAsked(onScreen(name, scored, screens.abstained), { exceeded }),
    })),
    abstentions: countAbstentions(paths),
    shipped: measureModel(paths, shipped),
  };
}
