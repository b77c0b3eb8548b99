// `npm run attack -- [--only NAME] [--json]`: tries on services of its own, on loopback addresses and in bounded number,
// what attackers were seen to do or could do, and prints what each attempt came to beside the bound it must keep.
import { parseArgs } from "node:util";
import type { Attack } from "./attack/attack.ts";
import { challengeFlood } from "./attack/challenge-flood.ts";
import { cheapClicks } from "./attack/cheap-clicks.ts";
import { foreignEndpoint } from "./attack/foreign-endpoint.ts";
import { hostileBodies } from "./attack/hostile-bodies.ts";
import { junkNames } from "./attack/junk-names.ts";
import { lockedOwner } from "./attack/locked-owner.ts";
import { publicDemo } from "./attack/public-demo.ts";
import { type AttackResult, countBroken, toJson, toText } from "./attack/report.ts";
import { resetLink } from "./attack/reset-link.ts";
import { restoredCopies } from "./attack/restored-copies.ts";
import { scoreOracle } from "./attack/score-oracle.ts";
import { signInFlood } from "./attack/sign-in-flood.ts";
import { unboundTokens } from "./attack/unbound-tokens.ts";
import { buildStale } from "./build.ts";

const ATTACKS: readonly Attack[] = [
  challengeFlood,
  cheapClicks,
  foreignEndpoint,
  hostileBodies,
  junkNames,
  lockedOwner,
  publicDemo,
  resetLink,
  restoredCopies,
  scoreOracle,
  signInFlood,
  unboundTokens,
];

const HELP = `Usage: npm run attack -- [--only NAME] [--json]

  --only   Only attacks whose name holds one of these texts, separated by commas
  --json   Print { attacks, broken } instead of the table

Attacks: ${ATTACKS.map(({ name }) => name).join(", ")}
The exit code is 1 if a bound is broken.
`;

const say = (text: string): void => void process.stderr.write(`attack: ${text}\n`);

function refuse(message: string): never {
  process.stderr.write(`attack: ${message}\n\n${HELP}`);
  process.exit(2);
}

function readArguments() {
  try {
    const only = { type: "string", default: "" } as const;
    const flag = { type: "boolean", default: false } as const;
    return parseArgs({ options: { only, json: flag, help: flag } }).values;
  } catch (error) {
    return refuse((error as Error).message);
  }
}

const values = readArguments();
if (values.help) {
  process.stdout.write(HELP);
  process.exit(0);
}
const chosen = ATTACKS.filter(({ name }) => values.only.split(",").some((part) => name.includes(part)));
if (chosen.length === 0) refuse(`there is no attack like "${values.only}".`);
await buildStale();
const results: AttackResult[] = [];
for (const { name, tries, run } of chosen) {
  say(`${name} ...`);
  results.push({ name, tries, figures: await run(say) });
}
process.stdout.write(values.json ? toJson(results) : toText(results));
process.exitCode = countBroken(results) === 0 ? 0 : 1;
