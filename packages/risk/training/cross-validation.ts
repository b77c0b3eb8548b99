import { seedOf } from "../seeded-random.ts";
import { judgePath, type TrajectoryModel } from "../trajectory/model.ts";
import { calibrate, type Example, type Judged, trainModel } from "./train.ts";

/** What a model said of an example that it was not trained on. */
export type HeldOut = Judged & {
  readonly example: Example;
  /** The score before calibration. */
  readonly raw: number;
};

const MAX_FOLDS = 10;

/** People needed: a model, its calibration and its judgement each see others. */
const MIN_PEOPLE = 4;

/** In which of how many parts an example is. */
export type Folds = { readonly count: number; readonly of: (example: Example) => number };

/**
 * Parts of the examples, each with about as many people: all paths of a person, and a recorded path with its altered copy,
 * are in one. Throws if there are fewer than MIN_PEOPLE people, or no program.
 */
export function createFolds(examples: readonly Example[]): Folds {
  const people = [...new Set(examples.filter(({ isBot }) => !isBot).map(({ subject }) => subject))];
  if (people.length < MIN_PEOPLE)
    throw new Error(`paths of ${MIN_PEOPLE} people are needed; here are ${people.length}`);
  if (!examples.some(({ isBot }) => isBot)) throw new Error("paths of programs are needed; here are none");
  const count = Math.min(MAX_FOLDS, people.length);
  const shuffled = people.sort((a, b) => seedOf(a) - seedOf(b) || (a < b ? -1 : 1));
  const foldOfPerson = new Map(shuffled.map((subject, index) => [subject, index % count]));
  return {
    count,
    of: ({ isBot, generator, subject }) =>
      isBot ? seedOf(`${generator} ${subject}`) % count : (foldOfPerson.get(subject) ?? 0),
  };
}

/** Leaves scores as they are. */
const RAW: TrajectoryModel["calibration"] = { slope: 1, offset: 0 };

/** What a model says of examples. */
export function judgeAll(
  model: Parameters<typeof judgePath>[0],
  calibration: TrajectoryModel["calibration"],
  examples: readonly Example[],
): HeldOut[] {
  const { slope, offset } = calibration;
  return examples.map((example) => {
    const raw = judgePath({ ...model, calibration: RAW }, example.features);
    return { example, isBot: example.isBot, raw, score: slope * raw + offset };
  });
}

/** A calibration from a split of the examples themselves, so that nothing of what will be judged is in it. */
function calibrateWithin(examples: readonly Example[], folds: Folds): TrajectoryModel["calibration"] {
  const part = examples.filter((example) => folds.of(example) % 2 === 0);
  const rest = examples.filter((example) => folds.of(example) % 2 === 1 && !example.isAltered);
  return calibrate(judgeAll({ ...trainModel(part), calibration: RAW }, RAW, rest));
}

/** Every example judged by a model that saw neither its person nor its recording; `onFold` reports progress. */
export function holdOutPeople(
  examples: readonly Example[],
  onFold: (fold: number, of: number) => void = () => {},
): HeldOut[] {
  const folds = createFolds(examples);
  return Array.from({ length: folds.count }, (_, fold) => {
    onFold(fold + 1, folds.count);
    const seen = examples.filter((example) => folds.of(example) !== fold);
    const calibration = calibrateWithin(seen, folds);
    const held = examples.filter((example) => folds.of(example) === fold);
    return judgeAll({ ...trainModel(seen), calibration }, calibration, held);
  }).flat();
}

/** Parts in which a left-out program is judged: fewer than folds, since each needs a training for each program. */
const PARTS = 3;

/** All people, and the paths of a program, judged by models that saw neither that program nor those people. */
export function holdOutGenerator(examples: readonly Example[], generator: string): HeldOut[] {
  const folds = createFolds(examples);
  return Array.from({ length: PARTS }, (_, part) => {
    const isInPart = (example: Example): boolean => folds.of(example) % PARTS === part;
    const isOfProgram = (example: Example): boolean => example.isBot && example.generator === generator;
    const seen = examples.filter((example) => !isInPart(example) && !isOfProgram(example));
    const held = examples.filter((example) => isInPart(example) && (!example.isBot || isOfProgram(example)));
    return judgeAll({ ...trainModel(seen), calibration: RAW }, RAW, held);
  }).flat();
}
