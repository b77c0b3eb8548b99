// `npm run train:risk -- --data DIR`: trains the trajectory model on recordings of people and programs, and writes it, with
// what it was trained on, to packages/risk/trajectory/model.json. The same recordings give the same file.
// DIR holds files *.jsonl or *.jsonl.gz, a recording a line: { subject, kind: "human" | "bot", generator, events }.
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { holdOutPeople } from "@stile/risk/training/cross-validation";
import { thresholdAt } from "@stile/risk/training/measures";
import { type Recording, toExamples } from "@stile/risk/training/read-examples";
import { calibrate, trainModel } from "@stile/risk/training/train";
import type { TrajectoryModel } from "@stile/risk/trajectory/model";
import { isReplay, readRecordings } from "./risk/recordings.ts";

const FILE = join(import.meta.dirname, "..", "packages", "risk", "trajectory", "model.json");
/** Digits that are kept of each number: more change no score. */
const DIGITS = 5;

/** Shares of people's paths whose log-odds the weights are set by. */
const EXCEEDED = [0.05, 0.01, 0.005, 0.001];

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

function train(directory: string): void {
  const recordings = readRecordings(directory, say).filter((it) => !isReplay(it));
  const examples = recordings.flatMap(toExamples);
  say(`${examples.length} examples, altered copies included`);
  const judged = holdOutPeople(examples, (fold, of) => say(`calibration: fold ${fold} of ${of}`));
  const recorded = judged.filter(({ example }) => !example.isAltered);
  const model = trainModel(examples);
  const numbers = {
    features: model.features,
    mean: model.mean.map(short),
    spread: model.spread.map(short),
    whitening: model.whitening.map((row) => row.map(short)),
    coefficients: model.coefficients.map(short),
    calibration: calibrate(recorded.map(({ raw, isBot }) => ({ score: raw, isBot }))),
    exceeded: EXCEEDED.map((share) => [share, short(thresholdAt(recorded, share))] as const),
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
