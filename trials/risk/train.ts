// `npm run trial -- train-risk --data DIR`: trains the trajectory model on recordings of people and
// programs, and on synthetic programs. Writes the model, with the data that it was trained on, to
// packages/risk/trajectory/model.json. The same recordings give the same file. DIR holds files
// *.jsonl or *.jsonl.gz, one recording a line: { subject, kind: "human" | "bot", generator, events
// }.
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { readOptions, refuseCall } from "../../tools/read-options.ts";
import { isReplay, readRecordings } from "./evaluation/recordings.ts";
import { toPaths } from "./training/examples.ts";
import { finishModel } from "./training/finish-model.ts";
import { createFolds } from "./training/folds.ts";
import { toKinds } from "./training/kinds.ts";
import { TRAINED_FAMILIES } from "./training/made-up/make-up.ts";
import type { Recording } from "./training/read-examples.ts";
import { toTrainingSet } from "./training/train.ts";

const FILE = join(import.meta.dirname, "..", "..", "packages", "risk", "trajectory", "model.json");

const say = (text: string): void => void process.stderr.write(`train: ${text}\n`);

/** The data that the model was trained on, so that anyone with the recordings can reproduce it. */
function describe(recordings: readonly Recording[], examples: number) {
  const hash = createHash("sha256");
  for (const line of recordings.map((recording) => JSON.stringify(recording)).sort())
    hash.update(`${line}\n`);
  const people = recordings.filter(({ kind }) => kind === "human");
  const programs = [
    ...new Set(recordings.filter(({ kind }) => kind === "bot").map(({ generator }) => generator)),
  ];
  return {
    recordings: recordings.length,
    people: new Set(people.map(({ subject }) => subject)).size,
    paths_of_people: people.length,
    programs: programs.sort(),
    made_up_programs: Object.keys(TRAINED_FAMILIES),
    examples,
    sha256_of_recordings: hash.digest("hex"),
  };
}

function train(directory: string): void {
  const recordings = readRecordings(directory, say).filter((it) => !isReplay(it));
  const folds = createFolds(recordings);
  const { examples } = toPaths(recordings, folds);
  say(
    `${examples.length} examples, copies and synthetic programs included; training takes some minutes`,
  );
  const numbers = finishModel(toTrainingSet(examples), toKinds(recordings, folds));
  const version = createHash("sha256").update(JSON.stringify(numbers)).digest("hex").slice(0, 12);
  const written = { version, ...numbers, trained_on: describe(recordings, examples.length) };
  writeFileSync(FILE, `${JSON.stringify(written)}\n`);
  say(`wrote ${FILE}`);
}

const HELP = `Usage: npm run trial -- train-risk --data DIR

  --data   Folder with *.jsonl or *.jsonl.gz: one recorded pointer path per line

Fits the model of pointer paths to them, and writes it into packages/risk.
`;
const command = { name: "train-risk", help: HELP };
const { data } = readOptions(command, { data: { type: "string" } });
train(data ?? refuseCall(command, "name the folder of the recordings."));
