// `npm run train:risk -- --data DIR`: trains the trajectory model on recordings of people and programs, and writes it, with
// what it was trained on, to packages/risk/trajectory/model.json. The same recordings give the same file.
// DIR holds files *.jsonl or *.jsonl.gz, a recording a line: { subject, kind: "human" | "bot", generator, events }.
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type HeldOut, holdOutPeople } from "@stile/risk/training/cross-validation";
import { thresholdAt } from "@stile/risk/training/measures";
import { type Recording, toExamples } from "@stile/risk/training/read-examples";
import { calibrate, trainModel } from "@stile/risk/training/train";
import { toVisits } from "@stile/risk/training/visits";
import type { TrajectoryModel } from "@stile/risk/trajectory/model";
import { isReplay, readRecordings } from "./risk/recordings.ts";

const FILE = join(import.meta.dirname, "..", "packages", "risk", "trajectory", "model.json");
/** Digits that are kept of each number: more change no score. */
const DIGITS = 5;

/** Shares of people whose log-odds the weights are set by, for visits of one path, of two, and of three or more. */
const EXCEEDED = [0.05, 0.005, 0.001];
const VISITS = [1, 2, 3];
/** Ways to put a person's paths together: a thousandth of some thousand visits would be a handful. */
const ROUNDS = 20;

const say = (text: string): void => void process.stderr.write(`train: ${text}\n`);
const short = (value: number): number => Number(value.toPrecision(DIGITS));

/** What the model was trained on, so that anyone with the recordings can make it again. */
function describe(recordings: readonly Recording[]) {
  const hash = createHash("sha256");
  for (const line of recordings.map((recording) => JSON.stringify(recording)).sort()) hash.update(`${line}\n`);
  const people = recordings.filter(({ kind }) => kind === "human");
  const programs = [...new Set(recordings.filter(({ kind }) => kind === "bot").map(({ generator }) => generator))];
  return {
    recordings: recordings.length,
    people: new Set(people.map(({ subject }) => subject)).size,
    paths_of_people: people.length,
    programs: programs.sort(),
    sha256_of_recordings: hash.digest("hex"),
  };
}

const exceededBy = (visits: readonly HeldOut[]) =>
  EXCEEDED.map((share) => [share, short(thresholdAt(visits, share))] as const);

function train(directory: string): void {
  const recordings = readRecordings(directory, say).filter((it) => !isReplay(it));
  const examples = recordings.flatMap(toExamples);
  say(`${examples.length} examples, altered copies included`);
  const judged = holdOutPeople(examples, (fold, of) => say(`calibration: fold ${fold} of ${of}`));
  const recorded = judged.filter(({ example }) => !example.isAltered);
  // As other devices would have reported them: visitors bring devices that nobody recorded, and these cost a person more.
  const people = judged.filter(({ isBot, example }) => !isBot && example.isAltered);
  const model = trainModel(examples);
  const numbers = {
    features: model.features,
    mean: model.mean.map(short),
    spread: model.spread.map(short),
    whitening: model.whitening.map((row) => row.map(short)),
    coefficients: model.coefficients.map(short),
    calibration: calibrate(recorded.map(({ raw, isBot }) => ({ score: raw, isBot }))),
    exceeded: VISITS.map((paths) => exceededBy(toVisits(people, paths, paths === 1 ? 1 : ROUNDS))),
  };
  const version = createHash("sha256").update(JSON.stringify(numbers)).digest("hex").slice(0, 12);
  const written: TrajectoryModel & { trained_on: object } = { version, ...numbers, trained_on: describe(recordings) };
  writeFileSync(FILE, `${JSON.stringify(written)}\n`);
  say(`wrote ${FILE}`);
}

const HELP = "Usage: npm run train:risk -- --data DIR\n";
const { values } = parseArgs({ options: { data: { type: "string" } } });
if (values.data === undefined) {
  process.stderr.write(`train: name the folder of the recordings.\n${HELP}`);
  process.exit(2);
}
train(values.data);
