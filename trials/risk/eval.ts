// `npm run eval:risk -- --data DIR [--json]`: how well the trajectory model separates people from
// programs and devices that it has not seen, how the shipped model does on the same recordings, and
// how well replays are recognised. DIR holds files *.jsonl or *.jsonl.gz, one recording a line: {
// subject, kind: "human" | "bot", generator, events }.
import { CLOSE } from "@stile/risk/flags/trajectory-replayed";
import { SHIPPED_MODEL } from "@stile/risk/trajectory/shipped-model";
import { readOptions, refuseCall } from "../../tools/read-options.ts";
import { evaluate } from "./evaluation/evaluate.ts";
import { measureHopping } from "./evaluation/hopping.ts";
import { toText } from "./evaluation/intervals.ts";
import { isReplay, readRecordings } from "./evaluation/recordings.ts";
import { measureMemory, measureReplays } from "./evaluation/replays.ts";
import { measureUnpressed } from "./evaluation/unpressed.ts";

const HELP = `Usage: npm run eval:risk -- --data DIR [--json]

  --data   Folder with *.jsonl or *.jsonl.gz: one recorded pointer path per line
  --json   Print the figures instead of the tables

Says how well the model of pointer paths tells people from programs.
`;
const command = { name: "eval:risk", help: HELP };
const values = readOptions(command, {
  data: { type: "string" },
  json: { type: "boolean", default: false },
});
const data = values.data ?? refuseCall(command, "name the folder of the recordings.");
const say = (text: string): void => void process.stderr.write(`eval: ${text}\n`);

/** A row with its figures as text, so that a table shows their intervals. */
const inWords = (row: object): object =>
  Object.fromEntries(
    Object.entries(row).map(([key, it]) => [
      key,
      it !== null && typeof it === "object" && "low" in it ? toText(it) : it,
    ]),
  );

function print(title: string, rows: readonly object[]): void {
  console.log(title);
  console.table(rows.map(inWords));
}

const recordings = readRecordings(data, say);
const { summary, shipped, ...more } = evaluate(
  recordings.filter((it) => !isReplay(it)),
  SHIPPED_MODEL,
  say,
);
const hopping = measureHopping(recordings);
const unpressed = measureUnpressed(recordings);
if (values.json)
  process.stdout.write(`${JSON.stringify({ ...summary, shipped, ...more, hopping, unpressed })}\n`);
else {
  const { intervals, of_scored, people, asked, programs, families, regimes, screens, abstentions } =
    more;
  const { clocks } = more;
  const { sources, ...model } = shipped;
  print("People held out; what is not scored counts as not found:", [{ ...summary, ...intervals }]);
  print("The same of the paths that are scored:", [of_scored]);
  print("Each program, by models that never saw it:", programs);
  print("Each synthetic family, likewise (the last two are never trained on):", families);
  print("People, at the threshold that 1% of all their paths exceed:", [people]);
  print("People's visits at 0.30 or more, by models that saw none of their paths:", [asked]);
  print("The same by collection, and by how many ms the clock errs:", clocks);
  print("The same on a kind of device that no model saw:", regimes);
  print("The same on slow screens and busy pages:", screens);
  print("Shares of the recordings that are not scored, and why:", [
    { who: "people", ...abstentions.people },
    { who: "programs", ...abstentions.programs },
  ]);
  print(
    "People's paths that raise sparse_pointer, and that are asked for it with no_approach:",
    hopping,
  );
  print(
    "People's movements that show nobody before they press (low_evidence), wholly and half a second of them:",
    unpressed,
  );
  print("The shipped model on these recordings (flattering, if it was trained on them):", [model]);
  print("Its visits of people at 0.30 or more, by source:", sources);
  print(
    "People's paths that others' paths make suspect, on a full site of one collection:",
    measureMemory(recordings),
  );
  print(
    "Paths known again, of those with a shape of their own:",
    measureReplays(recordings, CLOSE),
  );
}
