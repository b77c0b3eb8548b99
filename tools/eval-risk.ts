// `npm run eval:risk -- --data DIR [--json]`: how well the trajectory model tells programs from people that it has not seen,
// how the shipped model does on the same recordings, and how well replays are known again.
// DIR holds files *.jsonl or *.jsonl.gz, a recording a line: { subject, kind: "human" | "bot", generator, events }.
import { parseArgs } from "node:util";
import { CLOSE } from "@stile/risk/flags/trajectory-replayed";
import { SHIPPED_MODEL } from "@stile/risk/trajectory/shipped-model";
import { evaluate } from "./risk/evaluate.ts";
import { readRecordings } from "./risk/recordings.ts";
import { measureReplays } from "./risk/replays.ts";

const HELP = "Usage: npm run eval:risk -- --data DIR [--json]\n";
const { values } = parseArgs({ options: { data: { type: "string" }, json: { type: "boolean", default: false } } });
if (values.data === undefined) {
  process.stderr.write(`eval: name the folder of the recordings.\n${HELP}`);
  process.exit(2);
}
const say = (text: string): void => void process.stderr.write(`eval: ${text}\n`);
const recordings = readRecordings(values.data, say);
const { summary, generators, people, shipped } = evaluate(recordings, SHIPPED_MODEL, say);
if (values.json) process.stdout.write(`${JSON.stringify({ ...summary, shipped })}\n`);
else {
  console.table(summary);
  console.log("Each program, judged by a model that never saw it:");
  console.table(generators);
  console.log("RecordedPaths, at the threshold that 1 % of all their paths exceed:");
  console.table(people);
  console.log("The shipped model on these recordings (flattering, if it was trained on them):");
  console.table(shipped);
  console.log("Paths known again, of those with a shape of their own:");
  console.table(measureReplays(recordings, CLOSE));
}
