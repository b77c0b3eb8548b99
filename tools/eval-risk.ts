// `npm run eval:risk -- --data DIR [--json]`: how well the trajectory model tells programs from people that it has not seen.
// DIR holds files *.jsonl or *.jsonl.gz, a recording a line: { subject, kind: "human" | "bot", generator, events }.
import { parseArgs } from "node:util";
import { evaluate } from "./risk/evaluate.ts";
import { readRecordings } from "./risk/recordings.ts";

const HELP = "Usage: npm run eval:risk -- --data DIR [--json]\n";
const { values } = parseArgs({ options: { data: { type: "string" }, json: { type: "boolean", default: false } } });
if (values.data === undefined) {
  process.stderr.write(`eval: name the folder of the recordings.\n${HELP}`);
  process.exit(2);
}
const say = (text: string): void => void process.stderr.write(`eval: ${text}\n`);
const recordings = readRecordings(values.data, say);
const result = evaluate(recordings, say);
if (values.json) process.stdout.write(`${JSON.stringify(result.summary)}\n`);
else {
  console.table(result.summary);
  console.log("Each program, judged by a model that never saw it:");
  console.table(result.generators);
  console.log("People, at the threshold that 1 % of all their paths exceed:");
  console.table(result.people);
}
