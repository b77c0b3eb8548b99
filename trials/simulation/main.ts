// `npm run trial -- simulation [--steps N] [--seed N] [--store memory|sqlite]`: clients, service, store and
// clock in virtual time, driven by seeds; exits with 1 at the first broken rule, and prints how to
// reproduce it.
import { readOptions, refuseCall } from "../../tools/read-options.ts";
import { PARTS, runCampaign, STEPS_PER_RUN, shrink } from "./campaign.ts";
import type { Report } from "./world/simulate.ts";

const HELP = `Usage: npm run trial -- simulation [--steps N] [--seed N] [--store memory|sqlite]

  --steps   How many steps in all (default 100000). Each run of a seed has ${STEPS_PER_RUN}
  --seed    The first seed; the next ones follow (default 1)
  --store   The store under test (default memory, which is ten times as fast)

The exit code is 1 if a rule was broken.
`;
const PROGRESS_MS = 5000;

const COMMAND = { name: "simulation", help: HELP };
function refuse(problem: string): never {
  refuseCall(COMMAND, problem);
}

function readCount(name: string, text: string): number {
  const count = Number(text);
  return Number.isSafeInteger(count) && count > 0
    ? count
    : refuse(`--${name} must be a whole number above 0.`);
}

function tell({ seed, steps, violation, trace, without, started }: Report): void {
  process.stdout.write(`${trace.join("\n")}\n\n`);
  process.stdout.write(`seed ${seed}, step ${steps}: ${violation?.message}\n`);
  process.stdout.write(
    `${started - without.size} of ${started} clients and accidents are needed for it.\n`,
  );
  process.stdout.write(
    `Again: npm run trial -- simulation --seed ${seed} --steps ${STEPS_PER_RUN}\n`,
  );
}

const values = readOptions(COMMAND, {
  steps: { type: "string", default: "100000" },
  seed: { type: "string", default: "1" },
  store: { type: "string", default: "memory" },
});
const steps = readCount("steps", values.steps);
const firstSeed = readCount("seed", values.seed);
if (values.store !== "memory" && values.store !== "sqlite")
  refuse(`there is no store "${values.store}".`);
const parts = PARTS[values.store];

const startedMs = performance.now();
const seconds = (): number => (performance.now() - startedMs) / 1000;
let toldMs = startedMs;
let done = 0;
const last = await runCampaign({
  ...{ parts, firstSeed, steps },
  onRun: ({ seed }, stepsDone) => {
    done = stepsDone;
    if (performance.now() - toldMs < PROGRESS_MS) return;
    toldMs = performance.now();
    process.stderr.write(
      `simulation: seed ${seed}, ${stepsDone} of ${steps} steps, ${Math.round(seconds())} s\n`,
    );
  },
});
process.stdout.write(
  `${done} steps from seed ${firstSeed} on in ${seconds().toFixed(1)} s, store ${values.store}\n`,
);
if (last.violation === undefined) {
  process.stdout.write("violations: 0\n");
} else {
  process.stdout.write(
    `violation: seed ${last.seed}, step ${last.steps}: ${last.violation.message}\n\nShrinking ...\n`,
  );
  tell(await shrink(parts, last));
  process.exitCode = 1;
}
