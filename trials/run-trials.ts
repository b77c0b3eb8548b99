import { bringPrograms, type Program } from "@stile/testkit/trials/debian-programs";
import type { Figure, Say, Skipped, Trial } from "@stile/testkit/trials/trial";
import { buildPages } from "../tools/build.ts";
import { readOptions, refuseCall } from "../tools/read-options.ts";
import { countBroken, type TrialResult, toJson, toText } from "./report.ts";

/**
 * A command that runs trials: `npm run trial -- <command>`; `kind` is the plural name of its trials.
 */
export type TrialCommand = {
  readonly command: string;
  readonly kind: string;
  readonly trials: readonly Trial<Figure | Skipped>[];
};

function helpOf({ command, kind, trials }: TrialCommand): string {
  return `Usage: npm run trial -- ${command} [--only NAME] [--json]

  --only   Only ${kind} whose name contains one of these texts, separated by commas
  --json   Print { ${kind}, broken } instead of the table

${kind[0]?.toUpperCase()}${kind.slice(1)}: ${trials.map(({ name }) => name).join(", ")}
The exit code is 1 if a bound is broken.
`;
}

async function runTrial(
  { name, tries, needs = [], run }: Trial<Figure | Skipped>,
  missing: ReadonlySet<Program>,
  say: Say,
): Promise<TrialResult> {
  const lacking = needs
    .filter((program) => missing.has(program))
    .map(({ debianPackage }) => debianPackage);
  if (lacking.length > 0) {
    const skipped = `needs ${lacking.join(", ")}, which this machine does not have`;
    return { name, tries, figures: [{ name: "all of it", skipped }] };
  }
  say(`${name} ...`);
  return { name, tries, figures: await run(say) };
}

/**
 * Runs the trials of the command line and prints the results; sets the exit code, 1 if a bound is
 * broken.
 */
export async function runTrials(told: TrialCommand): Promise<void> {
  const { command, kind, trials } = told;
  const say = (text: string): void => void process.stderr.write(`${command}: ${text}\n`);
  const call = { name: command, help: helpOf(told) };
  const values = readOptions(call, {
    only: { type: "string", default: "" },
    json: { type: "boolean", default: false },
  });
  const chosen = trials.filter(({ name }) =>
    values.only.split(",").some((part) => name.includes(part)),
  );
  if (chosen.length === 0)
    refuseCall(call, `there is nothing like "${values.only}" among the ${kind}.`);
  const programs = [...new Set(chosen.flatMap(({ needs = [] }) => needs))];
  const missing = new Set(bringPrograms(programs, say));
  await buildPages();
  const results: TrialResult[] = [];
  for (const trial of chosen) results.push(await runTrial(trial, missing, say));
  process.stdout.write(values.json ? toJson(kind, results) : toText(results));
  process.exitCode = countBroken(results) === 0 ? 0 : 1;
}
