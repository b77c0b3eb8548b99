import { type HeldOut, holdOutGenerator, holdOutPeople } from "@stile/risk/training/cross-validation";
import {
  areaUnderCurve,
  calibrationError,
  quantile,
  thresholdAt,
  truePositivesAt,
} from "@stile/risk/training/measures";
import { createRandom, seedOf } from "@stile/risk/training/random";
import { type Recording, toExamples } from "@stile/risk/training/read-examples";
import { type Example, trainModel } from "@stile/risk/training/train";
import { extractFeatures } from "@stile/risk/trajectory/features";
import { judgePath } from "@stile/risk/trajectory/model";
import { preparePath } from "@stile/risk/trajectory/segment";

/** Programs that replay a person's own path are another matter: not a shape, but a repetition. */
const REPLAYS = /replay/;
/** Fewer paths than this of a program say nothing about it at a rate of one in a thousand. */
const MIN_PATHS = 100;
const VISIT_SEGMENTS = 3;

const rounded = (value: number): number => Number(value.toFixed(4));

/** Visits of three paths each, of one person or of one program, with the mean of their scores. */
function toVisits(judged: readonly HeldOut[]): HeldOut[] {
  const random = createRandom(seedOf("visits"));
  const bySource = Map.groupBy(judged, ({ example }) => (example.isBot ? example.generator : example.subject));
  return [...bySource.values()].flatMap((paths) => {
    const shuffled = paths.map((path) => ({ path, at: random() })).sort((a, b) => a.at - b.at);
    const visits: HeldOut[] = [];
    for (let i = 0; i + VISIT_SEGMENTS <= shuffled.length; i += VISIT_SEGMENTS) {
      const parts = shuffled.slice(i, i + VISIT_SEGMENTS).map(({ path }) => path);
      const [first] = parts;
      const score = parts.reduce((sum, part) => sum + part.score, 0) / VISIT_SEGMENTS;
      if (first !== undefined) visits.push({ ...first, score });
    }
    return visits;
  });
}

function judgeGenerators(examples: readonly Example[], say: (text: string) => void) {
  const counts = new Map<string, number>();
  for (const { generator, isBot } of examples) if (isBot) counts.set(generator, (counts.get(generator) ?? 0) + 1);
  return [...counts]
    .filter(([, count]) => count >= MIN_PATHS)
    .map(([generator], index, all) => {
      say(`leave one program out: ${generator} (${index + 1} of ${all.length})`);
      const judged = holdOutGenerator(examples, generator).filter(({ example }) => !example.isAltered);
      return {
        generator,
        auc: rounded(areaUnderCurve(judged)),
        tpr_at_1: rounded(truePositivesAt(judged, 0.01)),
        tpr_at_01: rounded(truePositivesAt(judged, 0.001)),
      };
    });
}

function judgePeople(judged: readonly HeldOut[]) {
  const threshold = thresholdAt(judged, 0.01);
  const people = Map.groupBy(
    judged.filter(({ isBot }) => !isBot),
    ({ example }) => example.subject,
  );
  const rates = [...people.values()].map(
    (paths) => paths.filter(({ score }) => score > threshold).length / paths.length,
  );
  return {
    people: rates.length,
    p50: rounded(quantile(rates, 0.5)),
    p90: rounded(quantile(rates, 0.9)),
    max: rounded(Math.max(...rates)),
  };
}

/** Microseconds from raw samples to log-odds, the median of many rounds over recorded paths. */
function timePerPath(recordings: readonly Recording[], examples: readonly Example[]): number {
  const model = { ...trainModel(examples), calibration: { slope: 1, offset: 0 } };
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
  return quantile(times, 0.5);
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Trains and judges in folds in which neither the judged people nor, for the second part, the judged program was seen. */
export function evaluate(recordings: readonly Recording[], say: (text: string) => void) {
  say("features");
  const known = recordings.filter(({ generator }) => !REPLAYS.test(generator));
  const all = known.flatMap(toExamples);
  const counts = Map.groupBy(all, ({ generator }) => generator);
  const examples = all.filter(({ generator }) => (counts.get(generator)?.length ?? 0) >= MIN_PATHS);
  const judged = holdOutPeople(examples, (fold, of) => say(`people held out: fold ${fold} of ${of}`));
  const recorded = judged.filter(({ example }) => !example.isAltered);
  const generators = judgeGenerators(examples, say);
  const people = judgePeople(recorded);
  const summary = {
    auc: rounded(areaUnderCurve(recorded)),
    tpr_at_1: rounded(truePositivesAt(recorded, 0.01)),
    tpr_at_01: rounded(truePositivesAt(recorded, 0.001)),
    logo_tpr_at_1: rounded(mean(generators.map((row) => row.tpr_at_1))),
    logo_tpr_at_01: rounded(mean(generators.map((row) => row.tpr_at_01))),
    tpr3_at_01: rounded(truePositivesAt(toVisits(recorded), 0.001)),
    person_fpr_p90: people.p90,
    ece: rounded(calibrationError(recorded)),
    microseconds: rounded(timePerPath(recordings, examples)),
  };
  return { summary, generators, people };
}
