import { createRandom } from "@stile/risk/seeded-random";
import { type HeldOut, holdOutGenerator, holdOutPeople, judgeAll } from "@stile/risk/training/cross-validation";
import {
  areaUnderCurve,
  calibrationError,
  quantile,
  thresholdAt,
  truePositivesAt,
} from "@stile/risk/training/measures";
import { type Recording, toExamples } from "@stile/risk/training/read-examples";
import type { Example } from "@stile/risk/training/train";
import { toVisits } from "@stile/risk/training/visits";
import { extractFeatures } from "@stile/risk/trajectory/features";
import { createGrading } from "@stile/risk/trajectory/grading";
import { judgePath, type TrajectoryModel } from "@stile/risk/trajectory/model";
import { preparePath } from "@stile/risk/trajectory/segment";
import { isReplay } from "./recordings.ts";

/** Fewer recordings than this of a program say nothing about it at a rate of one in a thousand. */
const MIN_PATHS = 100;
const VISIT_PATHS = 3;
/** Grade of `trajectory_bot` that is a score of 0.30 alone. */
const CHALLENGE_GRADE = 0.7;

type Say = (text: string) => void;

/** Four decimals; null, as JSON has no other word for it, where there was nothing to measure. */
const rounded = (value: number): number | null => (Number.isFinite(value) ? Number(value.toFixed(4)) : null);

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

function judgeGenerators(examples: readonly Example[], say: Say) {
  const counts = Map.groupBy(
    examples.filter(({ isBot, isAltered }) => isBot && !isAltered),
    ({ generator }) => generator,
  );
  const named = [...counts].filter(([, { length }]) => length >= MIN_PATHS).map(([generator]) => generator);
  if (counts.size < 2) return [];
  return named.map((generator, index) => {
    say(`leave one program out: ${generator} (${index + 1} of ${named.length})`);
    const judged = holdOutGenerator(examples, generator).filter(({ example }) => !example.isAltered);
    return {
      generator,
      auc: rounded(areaUnderCurve(judged)),
      tpr_at_1: truePositivesAt(judged, 0.01),
      tpr_at_01: truePositivesAt(judged, 0.001),
    };
  });
}

const DRAWINGS = 1000;

/** The p90 that chance alone shows where 1 % of everybody's paths are judged wrong: half of the drawings exceed it. */
function p90IfAlike(judged: readonly HeldOut[]): number {
  const people = Map.groupBy(
    judged.filter(({ isBot }) => !isBot),
    ({ example }) => example.subject,
  );
  const random = createRandom(1);
  const drawRate = (paths: readonly HeldOut[]): number => mean(paths.map(() => (random() < 0.01 ? 1 : 0)));
  const draw = (): number => quantile([...people.values()].map(drawRate), 0.9);
  return quantile(Array.from({ length: DRAWINGS }, draw), 0.5);
}

function judgePeople(judged: readonly HeldOut[]) {
  const threshold = thresholdAt(judged, 0.01);
  const people = Map.groupBy(
    judged.filter(({ isBot }) => !isBot),
    ({ example }) => example.subject,
  );
  const rates = [...people.values()].map((paths) => mean(paths.map(({ score }) => (score > threshold ? 1 : 0))));
  return {
    people: rates.length,
    p50: rounded(quantile(rates, 0.5)),
    p90: rounded(quantile(rates, 0.9)),
    max: rounded(Math.max(...rates)),
  };
}

/** Microseconds from raw samples to log-odds: the fastest of many rounds, since what else the machine does is not ours. */
function timePerPath(recordings: readonly Recording[], model: TrajectoryModel): number {
  const some = recordings.slice(0, 1000);
  const times: number[] = [];
  for (let round = 0; round < 15; round++) {
    const startMs = performance.now();
    for (const { events } of some) {
      const path = preparePath(events);
      if (path !== undefined) judgePath(model, extractFeatures(path));
    }
    times.push(((performance.now() - startMs) * 1000) / some.length);
  }
  return quantile(times, 0);
}

/** What one set of judged, unaltered paths amounts to. */
function measure(recorded: readonly HeldOut[]) {
  return {
    auc: rounded(areaUnderCurve(recorded)),
    tpr_at_1: rounded(truePositivesAt(recorded, 0.01)),
    tpr_at_01: rounded(truePositivesAt(recorded, 0.001)),
    tpr3_at_01: rounded(truePositivesAt(toVisits(recorded, VISIT_PATHS), 0.001)),
    person_fpr_p90: judgePeople(recorded).p90,
    ece: rounded(calibrationError(recorded)),
  };
}

/** How a finished model does on recordings; those it was trained on flatter it. */
function measureModel(examples: readonly Example[], model: TrajectoryModel) {
  const recorded = judgeAll(
    model,
    model.calibration,
    examples.filter(({ isAltered }) => !isAltered),
  );
  const grade = createGrading(model);
  const shareChallenged = (isBot: boolean, paths: number): number | null => {
    const visits = toVisits(
      recorded.filter((it) => it.isBot === isBot),
      paths,
    );
    return rounded(mean(visits.map(({ score }) => (grade(score, paths) >= CHALLENGE_GRADE ? 1 : 0))));
  };
  return {
    version: model.version,
    ...measure(recorded),
    people_at_score_030: shareChallenged(false, 1),
    programs_at_score_030: shareChallenged(true, 1),
    people_visits_at_score_030: shareChallenged(false, VISIT_PATHS),
    programs_visits_at_score_030: shareChallenged(true, VISIT_PATHS),
  };
}

/**
 * Trains and judges in folds in which neither the judged people nor, for the second part, the judged program was seen; then
 * judges the same recordings by `shipped`. A figure without anything to measure is null.
 */
export function evaluate(recordings: readonly Recording[], shipped: TrajectoryModel, say: Say) {
  say("features");
  const all = recordings.filter((recording) => !isReplay(recording)).flatMap(toExamples);
  const counts = Map.groupBy(
    all.filter(({ isAltered }) => !isAltered),
    ({ generator }) => generator,
  );
  const common = all.filter(({ generator, isBot }) => !isBot || (counts.get(generator)?.length ?? 0) >= MIN_PATHS);
  const examples = common.some(({ isBot }) => isBot) ? common : all;
  const judged = holdOutPeople(examples, (fold, of) => say(`people held out: fold ${fold} of ${of}`));
  const recorded = judged.filter(({ example }) => !example.isAltered);
  const generators = judgeGenerators(examples, say);
  say("the shipped model");
  const { auc, tpr_at_1, tpr_at_01, tpr3_at_01, person_fpr_p90, ece } = measure(recorded);
  const summary = {
    ...{ auc, tpr_at_1, tpr_at_01 },
    logo_tpr_at_1: rounded(mean(generators.map((row) => row.tpr_at_1))),
    logo_tpr_at_01: rounded(mean(generators.map((row) => row.tpr_at_01))),
    ...{ tpr3_at_01, person_fpr_p90, ece },
    microseconds: rounded(timePerPath(recordings, shipped)),
  };
  const people = { ...judgePeople(recorded), p90_if_alike: rounded(p90IfAlike(recorded)) };
  const rows = generators.map((row) => ({
    ...row,
    tpr_at_1: rounded(row.tpr_at_1),
    tpr_at_01: rounded(row.tpr_at_01),
  }));
  return { summary, generators: rows, people, shipped: measureModel(all, shipped) };
}
