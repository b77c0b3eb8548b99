import { judgePath, type TrajectoryModel } from "../trajectory/model.ts";
import { seedOf } from "./random.ts";
import { calibrate, type Example, type Judged, trainModel } from "./train.ts";

/** What a model said of an example that it was not trained on. */
export type HeldOut = Judged & {
  readonly example: Example;
  /** The score before calibration. */
  readonly raw: number;
};

const FOLDS = 10;

/** The fold of an example: all paths of a person, and a recorded path with its altered copy, are in one. */
const foldOf = ({ subject, generator, isBot }: Example): number =>
  seedOf(isBot ? `${generator} ${subject}` : `person ${subject}`) % FOLDS;

/** Leaves scores as they are. */
const RAW: TrajectoryModel["calibration"] = { slope: 1, offset: 0 };

function judge(
  model: Parameters<typeof judgePath>[0],
  { slope, offset }: TrajectoryModel["calibration"],
  examples: readonly Example[],
): HeldOut[] {
  return examples.map((example) => {
    const raw = judgePath({ ...model, calibration: RAW }, example.features);
    return { example, isBot: example.isBot, raw, score: slope * raw + offset };
  });
}

/** A calibration from a split of the examples themselves, so that nothing of what will be judged is in it. */
function calibrateWithin(examples: readonly Example[]): TrajectoryModel["calibration"] {
  const part = examples.filter((example) => foldOf(example) % 2 === 0);
  const rest = examples.filter((example) => foldOf(example) % 2 === 1 && !example.isAltered);
  return calibrate(judge({ ...trainModel(part), calibration: RAW }, RAW, rest));
}

/** Every example judged by a model that saw neither its person nor its recording; `onFold` reports progress. */
export function holdOutPeople(
  examples: readonly Example[],
  onFold: (fold: number, of: number) => void = () => {},
): HeldOut[] {
  return Array.from({ length: FOLDS }, (_, fold) => {
    onFold(fold + 1, FOLDS);
    const seen = examples.filter((example) => foldOf(example) !== fold);
    const calibration = calibrateWithin(seen);
    return judge(
      { ...trainModel(seen), calibration },
      calibration,
      examples.filter((example) => foldOf(example) === fold),
    );
  }).flat();
}

/** Paths of a program, and people of one fold, judged by a model that saw neither that program nor those people. */
export function holdOutGenerator(examples: readonly Example[], generator: string): HeldOut[] {
  const fold = seedOf(generator) % FOLDS;
  const isHeldOut = (example: Example): boolean =>
    example.isBot ? example.generator === generator : foldOf(example) === fold;
  const seen = examples.filter((example) => !isHeldOut(example) && (example.isBot ? foldOf(example) !== fold : true));
  return judge({ ...trainModel(seen), calibration: RAW }, RAW, examples.filter(isHeldOut));
}
