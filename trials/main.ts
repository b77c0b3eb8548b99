// `npm run trial -- NAME [OPTION ...]` runs one trial; `npm run trial -- --help` lists them.

type TrialEntry = {
  /** The trial's question, in one line. */
  readonly asks: string;
  /** Imports the program of the trial, which reads its options from the command line. */
  readonly run: () => Promise<unknown>;
};

const TRIALS: Readonly<Record<string, TrialEntry>> = {
  accidents: {
    asks: "what is lost when clocks jump, disks fail and processes die",
    run: () => import("./accidents/main.ts"),
  },
  attack: {
    asks: "whether limits and prices stop known attacks",
    run: () => import("./attack/main.ts"),
  },
  bench: {
    asks: "what a request costs the service (also: npm run bench)",
    run: () => import("./bench/main.ts"),
  },
  "eval-risk": {
    asks: "how well the model of pointer paths recognises programs (also: npm run eval:risk)",
    run: () => import("./risk/eval.ts"),
  },
  redteam: {
    asks: "how the service scores real automation tools and recorded people",
    run: () => import("./redteam/main.ts"),
  },
  simulation: {
    asks: "whether clients, store and clock keep the rules, in virtual time from a seed",
    run: () => import("./simulation/main.ts"),
  },
  soak: {
    asks: "whether memory, descriptors or delays grow under half an hour of mixed load",
    run: () => import("./soak/main.ts"),
  },
  torture: {
    asks: "whether a token can be redeemed twice while servers, stores and networks break",
    run: () => import("./torture/main.ts"),
  },
  "train-risk": {
    asks: "writes the model of pointer paths, trained on recordings",
    run: () => import("./risk/train.ts"),
  },
};

const HELP = `Usage: npm run trial -- NAME [OPTION ...]

${Object.entries(TRIALS)
  .map(([name, { asks }]) => `  ${name.padEnd(12)}${asks}`)
  .join("\n")}

The options of a trial: npm run trial -- NAME --help
`;

const [name] = process.argv.splice(2, 1);
if (name === "--help" || name === "-h") {
  process.stdout.write(HELP);
} else if (name === undefined || !Object.hasOwn(TRIALS, name)) {
  const problem = name === undefined ? "name a trial." : `there is no trial "${name}".`;
  process.stderr.write(`trial: ${problem}\n\n${HELP}`);
  process.exitCode = 2;
} else {
  await TRIALS[name]?.run();
}
